//! The embedded DynamoDB on loopback, for functions that run in processes of their own: only on request, and only for
//! callers with the secret of this process.
//!
//! A web page can send requests to loopback. It does not know the secret, and its requests carry an `Origin`: both are
//! refused, without a header that would let the page read the response. The secret is the session token of the
//! credentials, because every AWS SDK and CLI sends that unchanged.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use domain::Secret;
use domain::clock::Runtime;
use http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;

use super::embedded::{CONTENT_TYPE, EmbeddedClient, operation_of};
use crate::data_dir::write_private;
use crate::server::{Server, listen};
use crate::{StartError, sdk};

/// The maximum size of a request to DynamoDB, in bytes.
const BODY_BYTES: usize = 16 * 1024 * 1024;
/// The header with the session token of a request's credentials.
const SESSION_TOKEN: &str = "x-amz-security-token";

/// The open endpoint.
#[derive(Debug)]
pub(crate) struct DatabaseEndpoint {
    server: Server,
    url: String,
    credentials: PathBuf,
}

/// The state of the request handler.
#[derive(Clone)]
struct EndpointState {
    client: EmbeddedClient,
    secret: Arc<Secret>,
}

impl DatabaseEndpoint {
    /// Listens on `port` of 127.0.0.1, and writes URL and credentials to the file `credentials` as environment
    /// variables.
    pub(super) async fn open(
        client: EmbeddedClient,
        port: u16,
        table: &str,
        credentials: PathBuf,
        runtime: &Runtime,
    ) -> Result<Self, StartError> {
        let listener = listen(port, "--dynamodb-port").await?;
        let address = listener.local_addr().map_err(|source| StartError::Listen { port, source })?;
        let url = format!("http://{address}");
        let random = runtime.bytes::<32>().map_err(StartError::while_doing("making the secret of --dynamodb-port"))?;
        let secret: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let variables = environment(&url, table, &secret);
        let failed = |source| StartError::DataDir { path: credentials.clone(), source };
        write_private(&credentials, variables.as_bytes()).map_err(failed)?;
        let router = Router::new()
            .route("/", post(answer))
            .layer(DefaultBodyLimit::max(BODY_BYTES))
            .with_state(EndpointState { client, secret: Arc::new(Secret::new(secret)) });
        Ok(Self { server: Server::start(listener, router), url, credentials })
    }

    /// The URL.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Closes the endpoint and deletes the credentials file.
    pub(super) async fn close(self) {
        std::fs::remove_file(&self.credentials).ok();
        self.server.stop().await;
    }
}

/// The variables by which every AWS SDK and CLI finds the endpoint and its credentials.
fn environment(url: &str, table: &str, secret: &str) -> String {
    let region = sdk::region();
    format!(
        "AWS_ENDPOINT_URL_DYNAMODB={url}\nAWS_ENDPOINT_URL_DYNAMODB_STREAMS={url}\nAWS_REGION={region}\n\
         AWS_ACCESS_KEY_ID=local\nAWS_SECRET_ACCESS_KEY=local\nAWS_SESSION_TOKEN={secret}\nTABLE_NAME={table}\n"
    )
}

async fn answer(State(state): State<EndpointState>, headers: HeaderMap, body: Bytes) -> Response {
    if headers.contains_key(header::ORIGIN) || !has_secret(&headers, &state.secret) {
        return refused();
    }
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
    match state.client.call(operation_of(target), body).await {
        Some(answer) => {
            let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, [(header::CONTENT_TYPE, CONTENT_TYPE)], answer.body).into_response()
        }
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Whether the request has exactly one session token and it is the secret; compared in constant time.
fn has_secret(headers: &HeaderMap, secret: &Secret) -> bool {
    let mut tokens = headers.get_all(SESSION_TOKEN).iter();
    match (tokens.next(), tokens.next()) {
        (Some(token), None) => token.as_bytes().ct_eq(secret.expose().as_bytes()).into(),
        _ => false,
    }
}

fn refused() -> Response {
    let body = r#"{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"The security token included in the request is invalid."}"#;
    (StatusCode::FORBIDDEN, [(header::CONTENT_TYPE, CONTENT_TYPE)], body).into_response()
}
