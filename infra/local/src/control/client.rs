//! The command line's end of the control socket, which is also an HTTP client for AWS SDKs.

use std::path::Path;
use std::time::Duration;

use answer::search::EntryAddress;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use domain::models::Timestamp;
use domain::{Error, Result};

use super::address;
use super::messages::{IndexDeletion, ServiceInfo};

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

    /// Marks a path as deleted in the service's index.
    pub(super) async fn delete_from_index(&self, entry: &EntryAddress, version: u64, at: Timestamp) -> Result<()> {
        let deletion = IndexDeletion { entry: entry.text(), version, at };
        let body = serde_json::to_value(&deletion).map_err(|e| Error::internal(e.to_string()))?;
        self.post("/index/delete", &body).await
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

/// The host is never resolved: the client has one socket.
fn url(path: &str) -> String {
    format!("http://service.invalid{path}")
}

fn unanswered(error: &reqwest::Error) -> Error {
    Error::unavailable(format!("the service does not answer on its control socket: {error:?}"))
}
