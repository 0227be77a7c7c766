//! The services of this process on loopback, for functions that run in processes of their own: DynamoDB, SQS, the part of
//! OpenSearch and S3 that functions use, and the health of a search domain. Only on request, and only for callers with the
//! secret of this process.
//!
//! A web page can send requests to loopback. It does not know the secret, and its requests carry an `Origin`: both are
//! refused, without a header that would let the page read the response. The secret is the session token of the
//! credentials, because every AWS SDK and CLI sends that unchanged.

use std::collections::HashMap;
use std::sync::Arc;

use aws::dead_letters::DeadLetters;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::Secret;
use domain::clock::Runtime;
use http::{HeaderMap, Method, StatusCode, Uri, header};
use subtle::ConstantTimeEq;

use crate::StartError;
use crate::database::{CONTENT_TYPE, EmbeddedClient};
use crate::opensearch::OpenSearchSubset;
use crate::queues::EmbeddedSqs;

/// The maximum size of a request to DynamoDB, in bytes; no other service's is larger.
const BODY_BYTES: usize = 16 * 1024 * 1024;
/// The header that names service and operation of a request.
const TARGET: &str = "x-amz-target";
/// The header with the session token of a request's credentials.
const SESSION_TOKEN: &str = "x-amz-security-token";
/// The bucket of dead letters.
pub(crate) const BUCKET: &str = "dead-letters";

/// The state from which requests are answered.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) secret: Arc<Secret>,
    pub(crate) calls: AwsCalls,
    pub(crate) opensearch: Arc<OpenSearchSubset>,
    pub(crate) dead_letters: DeadLetters,
}

impl Endpoint {
    /// A secret of 64 hexadecimal digits.
    pub(crate) fn new_secret(runtime: &Runtime) -> Result<Arc<Secret>, StartError> {
        let failed = StartError::while_doing("making the secret of --services-only");
        let token = runtime.token().and_then(|first| Ok(first + &runtime.token()?)).map_err(failed)?;
        Ok(Arc::new(Secret::new(token)))
    }

    /// The router of every service.
    pub(crate) fn router(self) -> Router {
        Router::new().fallback(answer).layer(DefaultBodyLimit::max(BODY_BYTES)).with_state(self)
    }
}

async fn answer(
    State(endpoint): State<Endpoint>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if headers.contains_key(header::ORIGIN) || !has_secret(&headers, &endpoint.secret) {
        return refused();
    }
    match headers.contains_key(TARGET) {
        true => endpoint.calls.answer(&headers, body).await,
        false => other(&endpoint, &method, &uri, &body).await,
    }
}

/// The services whose operation is in the path.
async fn other(endpoint: &Endpoint, method: &Method, uri: &Uri, body: &[u8]) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(name) = path.strip_prefix(BUCKET).and_then(|name| name.strip_prefix('/')) {
        let done = match *method {
            Method::PUT => endpoint.dead_letters.put(name, body.to_vec()).await,
            Method::DELETE => endpoint.dead_letters.delete(name).await,
            Method::GET if name.is_empty() => return listed(endpoint, uri).await,
            Method::GET => return object(endpoint, name).await,
            _ => return StatusCode::NOT_FOUND.into_response(),
        };
        return if done.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }.into_response();
    }
    if path.starts_with("2021-01-01/opensearch/domain/") {
        let health = r#"{"ClusterHealth":"Green","DomainState":"Active"}"#;
        return ([(header::CONTENT_TYPE, "application/json")], health).into_response();
    }
    let (status, body) = endpoint.opensearch.respond(method, uri.path(), uri.query().unwrap_or_default(), body);
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A page of the names in a folder of the bucket; the token is how many came before.
async fn listed(endpoint: &Endpoint, uri: &Uri) -> Response {
    let Ok(Query(fields)) = Query::<HashMap<String, String>>::try_from_uri(uri) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let folder = fields.get("prefix").map(|prefix| prefix.trim_end_matches('/')).unwrap_or_default();
    let number = |name: &str| fields.get(name).and_then(|text| text.parse::<usize>().ok());
    let (before, most) = (number("continuation-token").unwrap_or(0), number("max-keys").unwrap_or(usize::MAX));
    let Ok(names) = endpoint.dead_letters.list(folder, usize::MAX).await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let page = names.iter().skip(before).take(most);
    let keys: String = page.map(|name| format!("<Contents><Key>{name}</Key></Contents>")).collect();
    let next = before.saturating_add(most);
    let token = match next < names.len() {
        true => format!("<NextContinuationToken>{next}</NextContinuationToken>"),
        false => String::new(),
    };
    format!("<ListBucketResult>{token}{keys}</ListBucketResult>").into_response()
}

async fn object(endpoint: &Endpoint, name: &str) -> Response {
    match endpoint.dead_letters.get(name).await {
        Ok(Some(content)) => content.into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
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

/// Answers requests of an AWS SDK in another process from the embedded services; none if another server is used.
#[derive(Debug, Clone)]
pub(crate) struct AwsCalls {
    /// DynamoDB and its streams.
    pub(crate) database: Option<EmbeddedClient>,
    pub(crate) queues: Option<EmbeddedSqs>,
}

impl AwsCalls {
    /// The response; 404 if no embedded service is asked.
    pub(crate) async fn answer(&self, headers: &HeaderMap, body: Bytes) -> Response {
        let target = headers.get(TARGET).and_then(|target| target.to_str().ok()?.split_once('.'));
        match (target, &self.database, &self.queues) {
            (Some((service, operation)), Some(database), _) if service.starts_with("DynamoDB") => {
                let Some(output) = database.call(operation, body).await else {
                    return StatusCode::SERVICE_UNAVAILABLE.into_response();
                };
                let status = StatusCode::from_u16(output.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, [(header::CONTENT_TYPE, CONTENT_TYPE)], output.body).into_response()
            }
            (Some(("AmazonSQS", _)), _, Some(queues)) => match queues.call(headers, body).await {
                Ok(answer) => answer.map(Body::from),
                Err(reason) => (StatusCode::INTERNAL_SERVER_ERROR, reason).into_response(),
            },
            _ => StatusCode::NOT_FOUND.into_response(),
        }
    }
}
