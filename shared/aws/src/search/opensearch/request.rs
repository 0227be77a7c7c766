//! One request to OpenSearch: sent, sent again on a fresh connection if the first one broke, and its outcome.
//!
//! A connection that was kept alive can be closed by the other side, most of all while Lambda has frozen the function.
//! Every request of this adapter may be repeated: a write has its version, and what is created or deleted twice is there
//! or gone.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::{HeaderMap, Method, StatusCode};
use opensearch::OpenSearch;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http_client::connection_broke;
use crate::sdk_error::error_chain;

/// A request of OpenSearch's REST API.
#[derive(Debug, Clone)]
pub struct OpenSearchRequest {
    pub method: Method,
    /// The path, with its query if it has one, such as `/wiki/_search?allow_partial_search_results=false`.
    pub path: String,
    /// The JSON; empty without one.
    pub body: Vec<u8>,
    /// The time for one attempt, if it is not that of the settings.
    pub(super) timeout: Option<Duration>,
}

impl OpenSearchRequest {
    /// A request without a body.
    pub(super) fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: Vec::new(), timeout: None }
    }

    /// The same with a body.
    pub(super) fn json(self, body: &Value) -> Self {
        Self { body: body.to_string().into_bytes(), ..self }
    }

    /// The same with a time of its own.
    pub(super) fn within(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }
}

/// A response that was read to its end.
#[derive(Debug)]
pub struct OpenSearchReply {
    pub status: StatusCode,
    /// The JSON.
    pub body: Vec<u8>,
}

/// Answers the requests of this adapter in place of a server on the network.
#[async_trait]
pub trait AnswerRequests: std::fmt::Debug + Send + Sync {
    /// The reply to `request`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if there is none.
    async fn answer(&self, request: &OpenSearchRequest) -> domain::Result<OpenSearchReply>;
}

/// The way to OpenSearch.
#[derive(Debug, Clone)]
pub(super) enum Transport {
    /// Over HTTP.
    Http(OpenSearch),
    /// Without a connection.
    Direct(Arc<dyn AnswerRequests>),
}

/// How OpenSearch took a request.
#[derive(Debug)]
pub(super) enum RequestOutcome {
    Done(OpenSearchReply),
    /// It holds a version that is as new.
    Outdated,
    /// The index does not exist yet.
    NoIndex,
}

impl Transport {
    /// The reply to `request`; if its connection broke, over a client without connections that `fresh` makes.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if both broke, or at the timeout, which is not retried.
    pub(super) async fn send(
        &self,
        fresh: impl FnOnce() -> domain::Result<OpenSearch>,
        what: &str,
        request: &OpenSearchRequest,
    ) -> domain::Result<OpenSearchReply> {
        let client = match self {
            Self::Http(client) => client,
            Self::Direct(server) => return server.answer(request).await,
        };
        let mut sent = over_http(client, request).await;
        if let Err(error) = &sent
            && is_broken_connection(error)
        {
            tracing::info!(error = error_chain(error), "a connection to OpenSearch broke; retrying on a new one");
            sent = over_http(&fresh()?, request).await;
        }
        sent.map_err(|error| unavailable(what, &error_chain(&error)))
    }
}

async fn over_http(client: &OpenSearch, request: &OpenSearchRequest) -> Result<OpenSearchReply, opensearch::Error> {
    use opensearch::http::Method as Verb;
    let verb = match request.method {
        Method::PUT => Verb::Put,
        Method::POST => Verb::Post,
        Method::DELETE => Verb::Delete,
        Method::HEAD => Verb::Head,
        _ => Verb::Get,
    };
    let body = (!request.body.is_empty()).then_some(request.body.as_slice());
    let sent = client.send(verb, &request.path, HeaderMap::new(), None::<&()>, body, request.timeout).await?;
    Ok(OpenSearchReply { status: sent.status_code(), body: sent.bytes().await?.into() })
}

fn is_broken_connection(error: &opensearch::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<reqwest::Error>());
    cause.is_some_and(connection_broke)
}

impl OpenSearchReply {
    pub(super) fn outcome(self, what: &str) -> domain::Result<RequestOutcome> {
        match self.status {
            status if status.is_success() => Ok(RequestOutcome::Done(self)),
            StatusCode::CONFLICT => Ok(RequestOutcome::Outdated),
            status => {
                let kind = self.error_type();
                if status == StatusCode::NOT_FOUND && kind == "index_not_found_exception" {
                    return Ok(RequestOutcome::NoIndex);
                }
                Err(unavailable(what, &format!("{status} {kind}")))
            }
        }
    }

    /// OpenSearch's name for what went wrong. Its reason may quote what people wrote, so it is not read.
    pub(super) fn error_type(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body.pointer("/error/type").and_then(Value::as_str).unwrap_or("without a reason").to_owned()
    }

    /// The index that a document was written to.
    pub(super) fn index_name(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get("_index")?.as_str()?.to_owned())
    }

    /// The body.
    pub(super) fn json<A: DeserializeOwned>(&self, what: &str) -> domain::Result<A> {
        // The error's own text may quote the response.
        let unreadable =
            |e: serde_json::Error| unavailable(what, &format!("the response does not read: {:?}", e.classify()));
        serde_json::from_slice(&self.body).map_err(unreadable)
    }
}

/// A search service that does not answer: what was asked of it, and why it failed.
pub(super) fn unavailable(what: &str, why: &str) -> domain::Error {
    domain::Error::unavailable(format!("OpenSearch did not {what}: {why}"))
}
