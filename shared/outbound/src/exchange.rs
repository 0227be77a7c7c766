//! A request whose whole answer is needed, such as an identity provider's: one attempt, no redirect followed, and a body
//! up to a limit.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, header};
use reqwest::Method;

use super::client::{classify_error, send};
use super::{Outbound, OutboundUrl, SendError};

/// How much of an answer is awaited.
#[derive(Debug, Clone, Copy)]
pub struct ExchangeLimits {
    /// Bytes of the body; a longer one is [`SendError::TooLarge`].
    pub max_bytes: usize,
    /// From the name to the last byte of the body.
    pub timeout: Duration,
}

/// An answer with all of its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeResponse {
    /// The HTTP status; one of a redirect is an answer like any other.
    pub status: u16,
    /// The body, as it was sent.
    pub body: Bytes,
}

impl Outbound {
    /// Sends `body` by `POST`, or a `GET` without one, and reads the whole answer.
    ///
    /// # Errors
    /// Why there is no answer. One with a `Content-Encoding` is [`SendError::InvalidResponse`]: none was asked for.
    pub async fn exchange(
        &self,
        url: &OutboundUrl,
        headers: HeaderMap,
        body: Option<Bytes>,
        limits: ExchangeLimits,
    ) -> Result<WholeResponse, SendError> {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let request = self.request(method, url)?.headers(headers);
        let request = if let Some(body) = body { request.body(body) } else { request };
        let whole = async {
            let mut response = send(request).await?;
            if response.headers().contains_key(header::CONTENT_ENCODING) {
                return Err(SendError::InvalidResponse);
            }
            let status = response.status().as_u16();
            let mut read = Vec::new();
            while let Some(piece) = response.chunk().await.map_err(|error| classify_error(&error))? {
                if read.len().saturating_add(piece.len()) > limits.max_bytes {
                    return Err(SendError::TooLarge);
                }
                read.extend_from_slice(&piece);
            }
            Ok(WholeResponse { status, body: read.into() })
        };
        tokio::time::timeout(limits.timeout, whole).await.unwrap_or(Err(SendError::Timeout))
    }
}
