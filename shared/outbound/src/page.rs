//! Fetches a page for the wiki: HTML, Markdown or plain text, as text. It follows redirects itself, checks each like the
//! first address, and reads the body up to a limit.

use http::{HeaderMap, StatusCode, header};
use reqwest::{Method, Response};

use crate::client::{classify_error, header_text, is_redirect, location, send};
use crate::decode::{Coding, Decoder, decode_text};
use crate::{Outbound, OutboundUrl, SendError};

/// Bytes of a page, compressed and decoded.
pub const MAX_PAGE_BYTES: usize = 5 * 1024 * 1024;

/// Bytes of an entity tag or a time; a longer one is not kept.
const MAX_VALIDATOR_BYTES: usize = 1_000;

/// The redirects that are followed.
const MAX_REDIRECTS: usize = 3;

/// The types that we can read, best first.
const ACCEPT: &str = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8";

/// The format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// HTML or XHTML.
    Html,
    /// Markdown, by its type or by the end of its address.
    Markdown,
    /// Plain text.
    Text,
}

/// What a server says of the version of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// Where it was found, after all redirects. An entity tag means nothing at another address.
    pub url: String,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
}

impl Validators {
    fn of(url: &OutboundUrl, headers: &HeaderMap) -> Self {
        let short = |name| header_text(headers, name).filter(|value| value.len() <= MAX_VALIDATOR_BYTES);
        Self { url: url.as_str().to_owned(), etag: short(header::ETAG), last_modified: short(header::LAST_MODIFIED) }
    }
}

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it was found, after all redirects.
    pub url: OutboundUrl,
    /// What to ask with whether it has changed.
    pub validators: Validators,
    /// The format of the page.
    pub kind: PageKind,
    /// All of it, of at most 5 MiB before it was made UTF-8; never blank.
    pub text: String,
}

/// Why a page could not be fetched; its text is for the tenant who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PageError {
    /// No connection, or one that broke, or redirects without end.
    #[error("{0}")]
    FetchFailed(SendError),
    /// Any status but success.
    #[error("The page answered with status {0}.")]
    HttpStatus(u16),
    /// The address, one behind its name, or one that it redirects to, may not be fetched.
    #[error("The address could not be reached.")]
    BlockedAddress,
    /// Neither HTML nor Markdown nor plain text.
    #[error("The page is neither HTML nor Markdown nor plain text.")]
    UnsupportedType,
    /// More than [`MAX_PAGE_BYTES`].
    #[error("The page is larger than 5 MiB.")]
    TooLarge,
    /// Nothing but white space.
    #[error("The page is empty.")]
    EmptyContent,
    /// Connected, but not all of it came within 20 s.
    #[error("The page did not load within 20 seconds.")]
    Timeout,
}

impl PageError {
    /// Its public code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::FetchFailed(_) => "FETCH_FAILED",
            Self::HttpStatus(_) => "HTTP_STATUS",
            Self::BlockedAddress => "BLOCKED_ADDRESS",
            Self::UnsupportedType => "UNSUPPORTED_TYPE",
            Self::TooLarge => "TOO_LARGE",
            Self::EmptyContent => "EMPTY_CONTENT",
            Self::Timeout => "TIMEOUT",
        }
    }

    /// Whether the same page may be there a little later.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        match self {
            Self::FetchFailed(_) | Self::Timeout => true,
            Self::HttpStatus(status) => matches!(status, 408 | 425 | 429 | 500..),
            Self::BlockedAddress | Self::UnsupportedType | Self::TooLarge | Self::EmptyContent => false,
        }
    }
}

impl From<SendError> for PageError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Blocked => Self::BlockedAddress,
            SendError::TooLarge => Self::TooLarge,
            SendError::Timeout => Self::Timeout,
            SendError::Unreachable
            | SendError::InvalidResponse
            | SendError::Redirect
            | SendError::ClientUnavailable => Self::FetchFailed(error),
        }
    }
}

impl Outbound {
    /// Fetches a page: at most three redirects, each checked like the first address, 20 s and 5 MiB in all. None if it is
    /// as it was when its server said what is `known`.
    ///
    /// # Errors
    /// Why it could not be fetched, as a message for the tenant.
    pub async fn fetch_page(&self, url: &OutboundUrl, known: &Validators) -> Result<Option<Page>, PageError> {
        let limit = self.settings().fetch_timeout;
        tokio::time::timeout(limit, self.fetch_page_without_timeout(url, known))
            .await
            .map_err(|_| PageError::Timeout)?
    }

    async fn fetch_page_without_timeout(
        &self,
        url: &OutboundUrl,
        known: &Validators,
    ) -> Result<Option<Page>, PageError> {
        let (url, response) = self.follow(url, known).await?;
        // A server that answers so unasked has no page for us.
        let is_asked = known.url == url.as_str() && (known.etag.is_some() || known.last_modified.is_some());
        if response.status() == StatusCode::NOT_MODIFIED && is_asked {
            return Ok(None);
        }
        if !response.status().is_success() {
            return Err(PageError::HttpStatus(response.status().as_u16()));
        }
        let media = MediaType::of(response.headers());
        // A body of another type is not read at all.
        let declared =
            media.as_ref().map(|media| media.page_kind(&url).ok_or(PageError::UnsupportedType)).transpose()?;
        let headers = response.headers().clone();
        let bytes = read_body(response).await?;
        let kind = declared.unwrap_or_else(|| guess_kind(&bytes, &url));
        let validators = Validators::of(&url, &headers);
        let charset = media.as_ref().and_then(|media| media.charset.as_deref());
        let text = decode_text(&bytes, charset, kind == PageKind::Html);
        if text.trim().is_empty() {
            return Err(PageError::EmptyContent);
        }
        if text.contains('\0') {
            return Err(PageError::UnsupportedType);
        }
        Ok(Some(Page { url, validators, kind, text }))
    }

    /// The address that `url` leads to, and the head of its answer. It takes as long as it takes: the caller holds the clock.
    async fn follow(&self, url: &OutboundUrl, known: &Validators) -> Result<(OutboundUrl, Response), SendError> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = self.request(Method::GET, &url)?;
            let mut request = request.header(header::ACCEPT, ACCEPT).header(header::ACCEPT_ENCODING, Coding::ACCEPTED);
            if known.url == url.as_str() {
                let conditions =
                    [(header::IF_NONE_MATCH, &known.etag), (header::IF_MODIFIED_SINCE, &known.last_modified)];
                for (name, value) in conditions.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
                    request = request.header(name, value);
                }
            }
            let response = send(request).await?;
            if !is_redirect(&response) {
                return Ok((url, response));
            }
            url = self.follow_redirect(&url, location(&response).ok_or(SendError::Redirect)?)?;
        }
        Err(SendError::Redirect)
    }

    /// Where a redirect leads, when it may be followed: not where the first address could not have been, and not from
    /// https to http.
    pub(crate) fn follow_redirect(&self, from: &OutboundUrl, location: &str) -> Result<OutboundUrl, SendError> {
        let next = from.resolve_redirect(location).ok_or(SendError::Redirect)?;
        let next = OutboundUrl::parse(&next, self.policy()).map_err(|_| SendError::Blocked)?;
        if from.is_https() && !next.is_https() { Err(SendError::Blocked) } else { Ok(next) }
    }
}

/// The body, decoded, of at most [`MAX_PAGE_BYTES`] before and after.
async fn read_body(mut response: Response) -> Result<Vec<u8>, SendError> {
    let coding = Coding::of(response.headers()).ok_or(SendError::InvalidResponse)?;
    if response.content_length().is_some_and(|length| length > MAX_PAGE_BYTES as u64) {
        return Err(SendError::TooLarge);
    }
    let mut decoder = Decoder::new(coding, MAX_PAGE_BYTES);
    while let Some(piece) = response.chunk().await.map_err(|error| classify_error(&error))? {
        decoder.take(&piece)?;
    }
    decoder.finish()
}

/// The `Content-Type` of an answer.
struct MediaType {
    essence: String,
    charset: Option<String>,
}

impl MediaType {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let text = header_text(headers, header::CONTENT_TYPE)?;
        let mut parts = text.split(';');
        let essence = parts.next()?.trim().to_ascii_lowercase();
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        (!essence.is_empty()).then_some(Self { essence, charset })
    }

    fn page_kind(&self, url: &OutboundUrl) -> Option<PageKind> {
        match self.essence.as_str() {
            "text/html" | "application/xhtml+xml" => Some(PageKind::Html),
            "text/markdown" | "text/x-markdown" => Some(PageKind::Markdown),
            // Raw files of code hosts: Markdown served as plain text.
            "text/plain" if is_markdown_path(url) => Some(PageKind::Markdown),
            "text/plain" => Some(PageKind::Text),
            _ => None,
        }
    }
}

fn is_markdown_path(url: &OutboundUrl) -> bool {
    let path = url.path().to_ascii_lowercase();
    [".md", ".mdx", ".markdown"].iter().any(|end| path.ends_with(end))
}

/// The format that a page without a type seems to have.
fn guess_kind(bytes: &[u8], url: &OutboundUrl) -> PageKind {
    let start: Vec<u8> = bytes.iter().take(1024).map(u8::to_ascii_lowercase).collect();
    let tags: [&[u8]; 5] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<meta"];
    match () {
        () if tags.iter().any(|tag| start.windows(tag.len()).any(|window| window == *tag)) => PageKind::Html,
        () if is_markdown_path(url) => PageKind::Markdown,
        () => PageKind::Text,
    }
}
