//! The control socket: how the operator's command line reaches a running service.
//!
//! A Unix socket in the data folder, for its owner only, so it needs no secret. [`ControlServer`] answers DynamoDB's, SQS's
//! and OpenSearch's protocols as the embedded services do, and a few requests of its own; [`ControlClient`] is the other end,
//! and also an HTTP client for AWS SDKs.
//!
//! The socket is `control.sock` in the data folder. The address of a Unix socket is limited to about a hundred bytes; for a
//! longer path it is in a folder of its own under the temporary directory, which `control.path` in the data folder names.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use async_trait::async_trait;
use aws::search::opensearch::{AnswerRequests, OpenSearchReply, OpenSearchRequest};
use aws::widget_keys::WidgetKeys;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use bytes::Bytes;
use domain::clock::Runtime;
use domain::{Error, Result};
use http::{HeaderMap, Method, StatusCode, Uri};
use outbound::OutboundPolicy;
use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;

use crate::StartError;
use crate::data_dir::{DataDir, ignore_not_found, private_dir_builder, restrict_to_owner, write_private};
use crate::endpoint::AwsCalls;
use crate::opensearch::OpenSearchSubset;
use crate::server::Server;

/// The beginning of the paths of OpenSearch's API.
const OPENSEARCH: &str = "/opensearch";

/// The maximum size of a request, in bytes: DynamoDB's.
const BODY_BYTES: usize = 16 * 1024 * 1024;

/// The state from which the socket answers.
#[derive(Debug, Clone)]
pub(crate) struct ControlState {
    pub(crate) info: Arc<ServiceInfo>,
    pub(crate) calls: AwsCalls,
    pub(crate) opensearch: Arc<OpenSearchSubset>,
    pub(crate) widget_keys: WidgetKeys,
}

/// The open socket.
#[derive(Debug)]
pub(crate) struct ControlServer {
    server: Server,
    data: PathBuf,
}

impl ControlServer {
    /// Opens the socket in the data folder.
    pub(crate) fn open(data: &DataDir, state: ControlState, runtime: &Runtime) -> Result<Self, StartError> {
        let token = runtime.token().map_err(StartError::while_doing("opening the control socket"))?;
        let failed = |source| StartError::DataDir { path: data.path().to_owned(), source };
        let path = prepare_socket(data.path(), &format!("support-assistant-{token}")).map_err(failed)?;
        let failed = |source| StartError::DataDir { path: path.clone(), source };
        // The folder is its owner's alone, so nobody else connects before the socket is restricted too.
        let listener = UnixListener::bind(&path).map_err(failed)?;
        restrict_to_owner(&path).map_err(failed)?;
        let router = Router::new()
            .route("/", post(call))
            .route("/service", get(service))
            .route(&format!("{OPENSEARCH}/{{*path}}"), any(search))
            .route("/widget-keys/reload", post(reload_widget_keys))
            .layer(DefaultBodyLimit::max(BODY_BYTES))
            .with_state(state);
        Ok(Self { server: Server::serve(listener, router), data: data.path().to_owned() })
    }

    /// Closes and removes the socket.
    pub(crate) async fn close(self) {
        self.server.stop().await;
        if let Err(error) = remove_socket(&self.data) {
            tracing::warn!(error = %error, "failed to remove the control socket; the next start removes it");
        }
    }
}

async fn service(State(state): State<ControlState>) -> Json<ServiceInfo> {
    Json((*state.info).clone())
}

/// A request of an AWS SDK.
async fn call(State(state): State<ControlState>, headers: HeaderMap, body: Bytes) -> Response {
    state.calls.answer(&headers, body).await
}

/// A request of OpenSearch's API.
async fn search(State(state): State<ControlState>, method: Method, uri: Uri, body: Bytes) -> Response {
    let path = uri.path().strip_prefix(OPENSEARCH).unwrap_or_default();
    state.opensearch.respond(&method, path, uri.query().unwrap_or_default(), &body).into_response()
}

/// The keys are read from their file; the response comes when they are in use.
async fn reload_widget_keys(State(state): State<ControlState>) -> Response {
    match state.widget_keys.reload().await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection to a running service. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct ControlClient {
    http: reqwest::Client,
}

impl ControlClient {
    /// The client of the service that uses the data folder `data`.
    pub(crate) fn new(data: &Path) -> Result<Self> {
        let client = reqwest::Client::builder().unix_socket(find_socket(data)).timeout(TIMEOUT).no_proxy();
        let http = client.build().map_err(|e| Error::internal(format!("no client of the control socket: {e}")))?;
        Ok(Self { http })
    }

    /// The service's description of itself.
    pub(crate) async fn info(&self) -> Result<ServiceInfo> {
        let response = self.http.get(url("/service")).send().await.map_err(|e| unanswered(&e))?;
        response.json().await.map_err(|e| unanswered(&e))
    }

    /// Has the service read the signing keys of widget tokens again.
    pub(crate) async fn reload_widget_keys(&self) -> Result<()> {
        let response = self.http.post(url("/widget-keys/reload")).send().await.map_err(|e| unanswered(&e))?;
        if response.status().is_success() {
            return Ok(());
        }
        let (status, reason) = (response.status(), response.text().await.unwrap_or_default());
        Err(Error::unavailable(format!("the service did not read the keys again: {status}: {reason}")))
    }

    /// The HTTP client for an SDK.
    pub(crate) fn http_client(&self) -> SharedHttpClient {
        aws::sdk_http::over(self.http.clone())
    }
}

#[async_trait]
impl AnswerRequests for ControlClient {
    async fn answer(&self, request: &OpenSearchRequest) -> Result<OpenSearchReply> {
        let url = url(&format!("{OPENSEARCH}{}", request.path));
        let sent = self.http.request(request.method.clone(), url).body(request.body.clone()).send().await;
        let response = sent.map_err(|e| unanswered(&e))?;
        let status = response.status();
        Ok(OpenSearchReply { status, body: response.bytes().await.map_err(|e| unanswered(&e))?.into() })
    }
}

/// The host is never resolved: the client has one socket.
fn url(path: &str) -> String {
    format!("http://service.invalid{path}")
}

fn unanswered(error: &reqwest::Error) -> Error {
    Error::unavailable(format!("the service does not answer on its control socket: {error:?}"))
}

/// The description of a running service.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServiceInfo {
    /// The base URL of its API.
    pub(crate) url: String,
    pub(crate) version: String,
    pub(crate) table_name: String,
    /// The DynamoDB that it uses; none for the embedded one, which the socket answers for.
    pub(crate) dynamodb_url: Option<String>,
    /// The SQS that it uses; none for the embedded one.
    pub(crate) sqs_url: Option<String>,
    /// The OpenSearch that it uses, and the alias there; none for the embedded one.
    pub(crate) opensearch: Option<(String, String)>,
    /// The queue of deliveries.
    pub(crate) webhook_queue_url: Option<String>,
    /// The queue of ingest jobs.
    pub(crate) ingest_queue_url: Option<String>,
    /// The queue of entries to embed.
    pub(crate) embedding_queue_url: Option<String>,
    /// Which addresses it may call.
    pub(crate) outbound: OutboundPolicy,
    /// The address of the desk; none if nobody can sign in.
    pub(crate) desk_url: Option<String>,
    /// Where people sign in, and the id of the desk there.
    pub(crate) desk_issuer: Option<(String, String)>,
}

/// The longest address in bytes, without the zero at its end: 104 bytes in all on macOS, 108 on Linux.
const MAX_ADDRESS_BYTES: usize = 103;

const SOCKET: &str = "control.sock";
const NAMED: &str = "control.path";

/// Where the socket of a new service belongs; removes what a service that crashed left there. `name` is the name of a
/// folder under the temporary directory, used if the path is too long.
fn prepare_socket(data: &Path, name: &str) -> io::Result<PathBuf> {
    remove_socket(data)?;
    let socket = data.join(SOCKET);
    if socket.as_os_str().len() <= MAX_ADDRESS_BYTES {
        return Ok(socket);
    }
    let folder = std::env::temp_dir().join(name);
    // Not recursive: a folder that exists already may belong to somebody else.
    private_dir_builder().recursive(false).create(&folder)?;
    let path = folder.join(SOCKET);
    write_private(&data.join(NAMED), path.to_string_lossy().as_bytes())?;
    Ok(path)
}

/// Where the socket of the service is that uses the folder; there may be none.
fn find_socket(data: &Path) -> PathBuf {
    fs::read_to_string(data.join(NAMED)).map_or_else(|_| data.join(SOCKET), |path| PathBuf::from(path.trim()))
}

/// Removes the socket of a service that has ended, with its folder.
fn remove_socket(data: &Path) -> io::Result<()> {
    let socket = find_socket(data);
    ignore_not_found(fs::remove_file(&socket))?;
    if data.join(NAMED).exists() {
        // A folder that is not empty is not ours alone.
        if let Some(folder) = socket.parent() {
            fs::remove_dir(folder).ok();
        }
        ignore_not_found(fs::remove_file(data.join(NAMED)))?;
    }
    Ok(())
}
