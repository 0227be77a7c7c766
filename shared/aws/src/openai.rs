//! An OpenAI-compatible endpoint: one `POST` of JSON with one bearer key.
//!
//! The endpoint gets only what it is sent: no redirect is followed (it would carry the key along), no proxy of the
//! environment is used, and a response is read up to the caller's limit. A request is sent a second time only when the
//! connection broke before a response.

use std::time::Duration;

use serde_json::Value;

use crate::http_client::{HttpClient, body_at_most};
use domain::Secret;

/// The address of requests, and their key.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    client: HttpClient,
    url: String,
    api_key: Option<Secret>,
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EndpointError {
    /// It took longer than it was given.
    Timeout,
    /// It answered with this status.
    Status(u16),
    /// It, or the way to it, failed.
    Failed(String),
    /// The response is longer than was allowed.
    TooLong,
}

impl Endpoint {
    /// The resource `path` under `base_url`, the address up to `/v1`.
    ///
    /// # Errors
    /// An internal error when the process has no TLS to offer.
    pub(crate) fn new(base_url: &str, path: &str, api_key: Option<Secret>) -> domain::Result<Self> {
        let url = format!("{}{path}", base_url.trim_end_matches('/'));
        Ok(Self { client: HttpClient::new()?, url, api_key })
    }

    /// The body of a successful response, of which more than `max_bytes` is never held.
    pub(crate) async fn post(
        &self,
        body: &Value,
        timeout: Duration,
        max_bytes: usize,
    ) -> Result<Vec<u8>, EndpointError> {
        let answer = tokio::time::timeout(timeout, self.send(body, max_bytes)).await;
        answer.unwrap_or(Err(EndpointError::Timeout))
    }

    async fn send(&self, body: &Value, max_bytes: usize) -> Result<Vec<u8>, EndpointError> {
        let call = self.client.post(&self.url).json(body);
        let call = match &self.api_key {
            Some(key) => call.bearer_auth(key.expose()),
            None => call,
        };
        let response = self.client.execute(call.build().map_err(failed)?).await.map_err(failed)?;
        let status = response.status();
        if !status.is_success() {
            return Err(EndpointError::Status(status.as_u16()));
        }
        body_at_most(response, max_bytes).await.map_err(failed)?.ok_or(EndpointError::TooLong)
    }
}

fn failed(error: reqwest::Error) -> EndpointError {
    if error.is_timeout() {
        return EndpointError::Timeout;
    }
    let what = match () {
        () if error.is_connect() => "no connection",
        () if error.is_body() || error.is_decode() => "the response broke off",
        () => "the request could not be sent",
    };
    EndpointError::Failed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http_stub::KeptAliveOnce;

    #[tokio::test]
    async fn a_model_is_asked_again_where_a_connection_broke_and_only_then() {
        let server = KeptAliveOnce::start("{}").await;
        let endpoint = Endpoint::new(&server.url, "/embeddings", None).unwrap();
        for _ in 0..4 {
            endpoint.post(&Value::Null, Duration::from_secs(60), 10).await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
        let server = KeptAliveOnce::refusing().await;
        let endpoint = Endpoint::new(&server.url, "/embeddings", None).unwrap();
        let failed = endpoint.post(&Value::Null, Duration::from_secs(60), 10).await.unwrap_err();
        assert_eq!(failed, EndpointError::Failed("the request could not be sent".into()));
        assert_eq!(server.broken(), 2, "one retry");
    }
}
