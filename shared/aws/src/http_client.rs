//! The HTTP client of services that the operator chose: no proxy of the environment, no redirects, and one more attempt
//! if a connection broke.

use domain::{Error, Result};
use reqwest::redirect;

/// A client, cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct HttpClient(reqwest::Client);

impl HttpClient {
    /// A client without connections.
    ///
    /// # Errors
    /// An internal error when the process has no TLS to offer.
    pub(crate) fn new() -> Result<Self> {
        let client = builder().no_proxy().build();
        client.map(Self).map_err(|error| Error::internal(format!("the HTTP client cannot be made: {error}")))
    }

    /// A `POST` for [`HttpClient::execute`].
    pub(crate) fn post(&self, url: &str) -> reqwest::RequestBuilder {
        self.0.post(url)
    }

    /// The response to `request`. If the connection breaks before it, the request is sent once more, by a client without
    /// connections: one that was kept alive may have been closed by the other side, most of all while Lambda has frozen
    /// the function. For requests that may be repeated.
    pub(crate) async fn execute(&self, request: reqwest::Request) -> reqwest::Result<reqwest::Response> {
        let again = request.try_clone();
        match (self.0.execute(request).await, again) {
            (Err(error), Some(again)) if connection_broke(&error) => match Self::new() {
                Ok(fresh) => fresh.0.execute(again).await,
                Err(_) => Err(error),
            },
            (sent, _) => sent,
        }
    }
}

/// The builder with which every client of this crate begins.
#[expect(clippy::disallowed_methods, reason = "addresses of the operator and of AWS, not of tenants")]
pub(crate) fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder().redirect(redirect::Policy::none())
}

/// The body of a response; none if it is longer than `max_bytes`, of which more is never held.
pub(crate) async fn body_at_most(
    mut response: reqwest::Response,
    max_bytes: usize,
) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > max_bytes {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Whether a request failed for its connection, so that another connection may help.
pub(crate) fn connection_broke(error: &reqwest::Error) -> bool {
    !error.is_timeout() && !error.is_builder()
}
