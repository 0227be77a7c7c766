//! The service's end of the control socket.

use std::path::PathBuf;
use std::sync::Arc;

use aws::widget_keys::WidgetKeys;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use bytes::Bytes;
use domain::clock::Runtime;
use http::{HeaderMap, Method, StatusCode, Uri};
use tokio::net::UnixListener;

use super::address;
use super::messages::ServiceInfo;
use crate::StartError;
use crate::aws_calls::AwsCalls;
use crate::data_dir::{DataDir, restrict_to_owner};
use crate::opensearch::OpenSearchSubset;
use crate::server::Server;

/// The beginning of the paths of OpenSearch's API.
pub(super) const OPENSEARCH: &str = "/opensearch";

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
        let path = address::prepare(data.path(), &format!("support-assistant-{token}")).map_err(failed)?;
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
        if let Err(error) = address::remove(&self.data) {
            tracing::warn!(error = %error, "failed to remove the control socket; the next start removes it");
        }
    }
}

async fn service(State(state): State<ControlState>) -> Json<ServiceInfo> {
    Json((*state.info).clone())
}

/// A request of an AWS SDK.
async fn call(State(state): State<ControlState>, headers: HeaderMap, body: Bytes) -> Response {
    state.calls.answer(&headers, body).await.unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
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
