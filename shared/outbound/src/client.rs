//! The one client for requests to addresses that others wrote, and why a request got no response.
//!
//! It does not follow redirects, use a proxy of the environment, keep cookies, send a referrer, decompress or retry.
//! Connections are not reused: each request resolves once and dials an address that was checked for it. No request is
//! sent into a connection that the other side, or a frozen function, has closed.

use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, header};
use reqwest::{Client, Method, RequestBuilder, Response, redirect, retry};

use crate::address::{BlockedAddress, FilteringResolver, OutboundPolicy, OutboundUrl, Resolver, SystemResolver};

/// Bytes of a webhook receiver's answer that are read.
const RESPONSE_BODY_BYTES: usize = 16 * 1024;

/// The settings of an [`Outbound`]; tests use their own resolver and shorter timeouts.
#[derive(Debug, Clone)]
pub struct OutboundSettings {
    /// The addresses that may be called.
    pub policy: OutboundPolicy,
    /// Finds the addresses of names.
    pub resolver: Arc<dyn Resolver>,
    /// Name, connection and TLS together; 5 s.
    pub connect_timeout: Duration,
    /// A webhook from its name to the last byte read; 15 s.
    pub post_timeout: Duration,
    /// A page with all its redirects, to the last byte; 20 s.
    pub fetch_timeout: Duration,
}

impl OutboundSettings {
    /// The service's timeouts with the system's resolver.
    #[must_use]
    pub fn new(policy: OutboundPolicy) -> Self {
        Self {
            policy,
            resolver: Arc::new(SystemResolver),
            connect_timeout: Duration::from_secs(5),
            post_timeout: Duration::from_secs(15),
            fetch_timeout: Duration::from_secs(20),
        }
    }
}

/// The response of a webhook receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookResponse {
    /// The HTTP status.
    pub status: u16,
    /// `Retry-After`, as it was sent.
    pub retry_after: Option<String>,
    /// The origin that a redirect leads to, such as `https://www.example.com`: scheme, host, and a port of its own.
    pub redirects_to: Option<String>,
    /// The body's first 16 KiB, or less if it was slow or ended early.
    pub body_start: Bytes,
}

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

/// Sends requests; cheap to clone. The client is built at the first request.
#[derive(Clone)]
pub struct Outbound {
    inner: Arc<Inner>,
}

struct Inner {
    settings: OutboundSettings,
    client: OnceLock<Option<Client>>,
}

impl Outbound {
    /// A client for `settings`.
    #[must_use]
    pub fn new(settings: OutboundSettings) -> Self {
        Self { inner: Arc::new(Inner { settings, client: OnceLock::new() }) }
    }

    /// The addresses that may be called.
    #[must_use]
    pub fn policy(&self) -> &OutboundPolicy {
        &self.settings().policy
    }

    pub(crate) fn settings(&self) -> &OutboundSettings {
        &self.inner.settings
    }

    /// Posts `body` with `headers` and reads the beginning of the response; one attempt, no redirect followed.
    ///
    /// # Errors
    /// Why there is no response. A status is a response, even if the body fails.
    pub async fn post(&self, url: &OutboundUrl, headers: HeaderMap, body: Bytes) -> Result<WebhookResponse, SendError> {
        let request = self.request(Method::POST, url)?.headers(headers).body(body);
        let limit = self.settings().post_timeout;
        // The body has the remaining time, and matters less than the status.
        let mut answer = WebhookResponse { status: 0, retry_after: None, redirects_to: None, body_start: Bytes::new() };
        let whole = async {
            let response = send(request).await?;
            answer.status = response.status().as_u16();
            answer.retry_after = header_text(response.headers(), header::RETRY_AFTER);
            answer.redirects_to = location(&response).and_then(|location| url.redirect_origin(location));
            read_start(response, &mut answer.body_start).await;
            Ok(())
        };
        match tokio::time::timeout(limit, whole).await {
            Ok(Err(error)) => Err(error),
            Err(_) if answer.status == 0 => Err(SendError::Timeout),
            Ok(Ok(())) | Err(_) => Ok(answer),
        }
    }

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

    /// A request to `url`, which is checked again, because it may have been accepted under another policy.
    pub(crate) fn request(&self, method: Method, url: &OutboundUrl) -> Result<RequestBuilder, SendError> {
        OutboundUrl::parse(url.as_str(), self.policy()).map_err(|_| SendError::Blocked)?;
        let client = self.inner.client.get_or_init(|| build(self.settings()));
        let client = client.as_ref().ok_or(SendError::ClientUnavailable)?;
        Ok(client.request(method, url.url().clone()))
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("settings", self.settings()).finish_non_exhaustive()
    }
}

#[expect(clippy::disallowed_methods, reason = "the one client for addresses that tenants write")]
fn build(settings: &OutboundSettings) -> Option<Client> {
    let guard = FilteringResolver { resolver: Arc::clone(&settings.resolver), policy: settings.policy };
    let client = Client::builder()
        .user_agent(concat!("SupportAssistant/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .referer(false)
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .pool_max_idle_per_host(0)
        .dns_resolver(guard)
        .connect_timeout(settings.connect_timeout)
        .build();
    client.inspect_err(|error| tracing::error!(error = %error, "failed to build the client for outgoing requests")).ok()
}

/// Sends a request and waits for the head of its answer.
pub(crate) async fn send(request: RequestBuilder) -> Result<Response, SendError> {
    request.send().await.map_err(|error| {
        let kind = classify_error(&error);
        // The URL may hold a secret of its owner.
        tracing::debug!(error.code = kind.code(), error = %error.without_url(), "an outgoing request got no response");
        kind
    })
}

/// The kind of a failure of the client.
pub(crate) fn classify_error(error: &reqwest::Error) -> SendError {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<BlockedAddress>() {
            return SendError::Blocked;
        }
        cause = inner.source();
    }
    match () {
        () if error.is_connect() => SendError::Unreachable,
        () if error.is_timeout() => SendError::Timeout,
        () => SendError::InvalidResponse,
    }
}

async fn read_start(mut response: Response, start: &mut Bytes) {
    let mut read = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = RESPONSE_BODY_BYTES.saturating_sub(read.len());
        read.extend(chunk.iter().take(room));
        *start = Bytes::copy_from_slice(&read);
        if read.len() == RESPONSE_BODY_BYTES {
            return;
        }
    }
}

/// Where a redirect leads, as it was sent. Some servers write names as UTF-8; joining encodes what is not ASCII.
pub(crate) fn location(response: &Response) -> Option<&str> {
    let location = response.headers().get(header::LOCATION).filter(|_| is_redirect(response))?;
    std::str::from_utf8(location.as_bytes()).ok()
}

/// Whether an answer is a redirect that names where it leads.
pub(crate) fn is_redirect(response: &Response) -> bool {
    matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// A header's value if it is text.
pub(crate) fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Why a request got no response; its text may be shown to the tenant of the address.
///
/// The text is the same for an address that is refused by us, closed or filtered, so that the service cannot be used as
/// a port scanner. The variants are for the log and for codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SendError {
    /// The address, or one behind its name, may not be dialled; nothing was sent.
    #[error("The address could not be reached.")]
    Blocked,
    /// Unknown name, closed port, no TLS, or no connection in time; nothing was sent.
    #[error("The address could not be reached.")]
    Unreachable,
    /// Connected, but not answered in time.
    #[error("There was no response in time.")]
    Timeout,
    /// The connection broke, or the response is not HTTP.
    #[error("The response ended early.")]
    InvalidResponse,
    /// The answer is larger than the limit, decoded.
    #[error("The response is too large.")]
    TooLarge,
    /// More redirects than the limit, or one that leads nowhere.
    #[error("The address redirects too often or to nowhere.")]
    Redirect,
    /// The process cannot send at all; for the log, the tenant is not to blame.
    #[error("The request could not be sent.")]
    ClientUnavailable,
}

impl SendError {
    /// A name for the log, `UPPER_SNAKE`; never for a tenant.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Blocked => "BLOCKED",
            Self::Unreachable => "UNREACHABLE",
            Self::Timeout => "TIMEOUT",
            Self::InvalidResponse => "INVALID_RESPONSE",
            Self::TooLarge => "TOO_LARGE",
            Self::Redirect => "REDIRECT",
            Self::ClientUnavailable => "CLIENT_UNAVAILABLE",
        }
    }
}
