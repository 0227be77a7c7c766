//! The command line's end of the control socket, which is also an HTTP client for AWS SDKs.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use aws::search::opensearch::{AnswerRequests, OpenSearchReply, OpenSearchRequest};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use domain::{Error, Result};

use super::address;
use super::messages::ServiceInfo;
use super::server::OPENSEARCH;

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection to a running service. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ControlClient {
    http: reqwest::Client,
}

impl ControlClient {
    /// The client of the service that uses the data folder `data`.
    pub(super) fn new(data: &Path) -> Result<Self> {
        let client = reqwest::Client::builder().unix_socket(address::find(data)).timeout(TIMEOUT).no_proxy();
        let http = client.build().map_err(|e| Error::internal(format!("no client of the control socket: {e}")))?;
        Ok(Self { http })
    }

    /// The service's description of itself.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it does not answer.
    pub async fn info(&self) -> Result<ServiceInfo> {
        let response = self.http.get(url("/service")).send().await.map_err(|e| unanswered(&e))?;
        response.json().await.map_err(|e| unanswered(&e))
    }

    /// Has the service read the signing keys of widget tokens again.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it did not.
    pub async fn reload_widget_keys(&self) -> Result<()> {
        self.post("/widget-keys/reload", &serde_json::json!({})).await
    }

    async fn post(&self, path: &str, body: &serde_json::Value) -> Result<()> {
        let response = self.http.post(url(path)).json(body).send().await.map_err(|e| unanswered(&e))?;
        if response.status().is_success() {
            return Ok(());
        }
        let (status, reason) = (response.status(), response.text().await.unwrap_or_default());
        Err(Error::unavailable(format!("the service answered {path} with {status}: {reason}")))
    }

    /// The HTTP client for an SDK.
    pub(super) fn http_client(&self) -> SharedHttpClient {
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
