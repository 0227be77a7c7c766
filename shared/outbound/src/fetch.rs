//! Fetches a document: follows redirects itself, checks each like the first address, and reads the body up to a limit.

use bytes::Bytes;
use http::{HeaderMap, header};
use reqwest::{Method, Response};

use super::client::{classify_error, location, send};
use super::decode::{Coding, Decoder};
use super::{Outbound, OutboundUrl, SendError};

const MAX_REDIRECTS: usize = 3;

/// The head of an answer whose body is still to be read.
pub(super) struct OpenResponse {
    /// The address that answered, after all redirects.
    pub(super) url: OutboundUrl,
    /// The HTTP status, never one of a redirect that was to be followed.
    pub(super) status: u16,
    response: Response,
}

impl OpenResponse {
    pub(super) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The body, decoded, of at most `max_bytes` before and after.
    pub(super) async fn body(mut self, max_bytes: usize) -> Result<Bytes, SendError> {
        let coding = Coding::of(self.headers()).ok_or(SendError::InvalidResponse)?;
        if self.response.content_length().is_some_and(|length| length > max_bytes as u64) {
            return Err(SendError::TooLarge);
        }
        let mut decoder = Decoder::new(coding, max_bytes);
        while let Some(piece) = self.response.chunk().await.map_err(|error| classify_error(&error))? {
            decoder.take(&piece)?;
        }
        decoder.finish().map(Bytes::from)
    }
}

impl Outbound {
    /// Gets the head of what `url` leads to. It takes as long as it takes: the caller holds the clock.
    pub(super) async fn open(&self, url: &OutboundUrl, accept: &'static str) -> Result<OpenResponse, SendError> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = self.request(Method::GET, &url)?;
            let request = request.header(header::ACCEPT, accept).header(header::ACCEPT_ENCODING, Coding::ACCEPTED);
            let response = send(request).await?;
            let status = response.status().as_u16();
            if !matches!(status, 301 | 302 | 303 | 307 | 308) {
                return Ok(OpenResponse { url, status, response });
            }
            url = self.follow_redirect(&url, location(&response).ok_or(SendError::Redirect)?)?;
        }
        Err(SendError::Redirect)
    }

    /// Where a redirect leads, when it may be followed: not where the first address could not have been, and not from
    /// https to http.
    pub(super) fn follow_redirect(&self, from: &OutboundUrl, location: &str) -> Result<OutboundUrl, SendError> {
        let next = from.resolve_redirect(location).ok_or(SendError::Redirect)?;
        let next = OutboundUrl::parse(&next, self.policy()).map_err(|_| SendError::Blocked)?;
        if from.is_https() && !next.is_https() { Err(SendError::Blocked) } else { Ok(next) }
    }
}
