//! The text of a job, fetched or stored, and its drafts.

use crate::state::IngestWorker;
use domain::Error;
use domain::models::{IngestError, IngestErrorCode, IngestJob, Scope};
use outbound::{OutboundUrl, PageError, PageKind};

use page::{self, Kind, Page, ReadError, SectionDraft};

use crate::job_error::JobError;

/// A text with its URL, and its format if the server says it.
struct Source {
    text: String,
    kind: Option<Kind>,
    url: Option<url::Url>,
}

/// Reads a job's text and splits it into drafts.
pub(crate) async fn read_drafts(
    state: &IngestWorker,
    scope: &Scope,
    job: &IngestJob,
) -> Result<Vec<SectionDraft>, JobError> {
    let source = match &job.url {
        Some(url) => fetch_source(state, url).await.map_err(|error| JobError::Permanent(page_error(error)))?,
        None => Source { text: state.store.ingests().get_text(scope, job).await?, kind: None, url: None },
    };
    let name = document_name(job, source.url.as_ref());
    // Parsing a large page takes CPU time; it must not block the runtime.
    let read = tokio::task::spawn_blocking(move || {
        let page = Page { text: &source.text, kind: source.kind, url: source.url.as_ref(), name: &name };
        page::drafts(&page)
    });
    let read = read.await.map_err(|e| Error::internal(format!("the task that reads a page failed: {e}")))?;
    read.map_err(|error| JobError::Permanent(parse_error(error)))
}

async fn fetch_source(state: &IngestWorker, url: &str) -> Result<Source, PageError> {
    let url = OutboundUrl::parse(url, state.outbound.policy()).map_err(|_| PageError::BlockedAddress)?;
    let page = state.outbound.fetch_page(&url).await?;
    let kind = match page.kind {
        PageKind::Html => Some(Kind::Html),
        PageKind::Markdown => Some(Kind::Markdown),
        PageKind::Text => None,
    };
    Ok(Source { text: page.text, kind, url: url::Url::parse(page.url.as_str()).ok() })
}

/// The name of a document without a title: the last segment of its URL, or of its path prefix.
fn document_name(job: &IngestJob, url: Option<&url::Url>) -> String {
    let from_url = || {
        let url = url?;
        let last = url.path_segments()?.rfind(|segment| !segment.is_empty());
        Some(last.or(url.host_str())?.to_owned())
    };
    let name = from_url().unwrap_or_else(|| job.path_prefix.as_str().rsplit('/').next().unwrap_or_default().to_owned());
    let words = name.split(['-', '_', '+']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut chars = words.chars();
    chars.next().map_or(words.clone(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

fn page_error(error: PageError) -> IngestError {
    let code = match error {
        PageError::FetchFailed(_) => IngestErrorCode::FetchFailed,
        PageError::HttpStatus(_) => IngestErrorCode::HttpStatus,
        PageError::BlockedAddress => IngestErrorCode::BlockedAddress,
        PageError::UnsupportedType => IngestErrorCode::UnsupportedType,
        PageError::TooLarge => IngestErrorCode::TooLarge,
        PageError::EmptyContent => IngestErrorCode::EmptyContent,
        PageError::Timeout => IngestErrorCode::Timeout,
    };
    IngestError { code, message: error.to_string() }
}

fn parse_error(error: ReadError) -> IngestError {
    let (code, message) = match error {
        ReadError::Empty => (
            IngestErrorCode::EmptyContent,
            "The page has no text. A page that a script fills in the browser cannot be read.",
        ),
        ReadError::Data => (
            IngestErrorCode::UnsupportedType,
            "The text is data (JSON or CSV). Send the text of one page: HTML, Markdown or plain text.",
        ),
        ReadError::TooLarge => (IngestErrorCode::TooLarge, "The page has more elements than can be read."),
    };
    IngestError { code, message: message.to_owned() }
}
