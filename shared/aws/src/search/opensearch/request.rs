//! One request to OpenSearch: sent, sent again on a fresh connection if the first one broke, and its outcome.
//!
//! A connection that was kept alive can be closed by the other side, most of all while Lambda has frozen the function.
//! Every request of this adapter may be repeated: a write has its version, and what is created or deleted twice is there
//! or gone.

use std::future::Future;

use opensearch::OpenSearch;
use opensearch::http::StatusCode;
use opensearch::http::response::Response;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http_client::connection_broke;
use crate::sdk_error::error_chain;

/// A response that was read to its end.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    body: Vec<u8>,
}

/// How OpenSearch took a request.
#[derive(Debug)]
pub(super) enum RequestOutcome {
    Done(Reply),
    /// It holds a version that is as new.
    Outdated,
    /// The index does not exist yet.
    NoIndex,
}

/// The response to `request`, sent by `client`; if its connection broke, by a client without connections that `fresh`
/// makes.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when both broke, or at the timeout, which is not retried.
pub(super) async fn send<F>(
    client: &OpenSearch,
    fresh: impl FnOnce() -> domain::Result<OpenSearch>,
    what: &str,
    request: impl Fn(OpenSearch) -> F,
) -> domain::Result<Reply>
where
    F: Future<Output = Result<Response, opensearch::Error>>,
{
    let mut sent = read(request(client.clone())).await;
    if let Err(error) = &sent
        && is_broken_connection(error)
    {
        tracing::info!(error = error_chain(error), "a connection to OpenSearch broke; retrying on a new one");
        sent = read(request(fresh()?)).await;
    }
    sent.map_err(|error| unavailable(what, &error_chain(&error)))
}

async fn read(sending: impl Future<Output = Result<Response, opensearch::Error>>) -> Result<Reply, opensearch::Error> {
    let response = sending.await?;
    Ok(Reply { status: response.status_code(), body: response.bytes().await?.into() })
}

fn is_broken_connection(error: &opensearch::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<reqwest::Error>());
    cause.is_some_and(connection_broke)
}

impl Reply {
    /// The outcome of the request.
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
