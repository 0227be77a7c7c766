//! The text of a job, fetched or stored, and its drafts.

use crate::IngestWorker;
use domain::Error;
use domain::models::{IngestError, IngestErrorCode, IngestJob, Scope};
use outbound::{OutboundUrl, PageError, PageKind};

use page::{self, Draft, Kind, Page, Unreadable};

use crate::stop::Stop;

/// A text with where it was found and what it is written in.
struct Source {
    text: String,
    kind: Kind,
    url: Option<url::Url>,
}

/// The drafts of a job's text.
pub(crate) async fn drafts(ctx: &IngestWorker, scope: &Scope, job: &IngestJob) -> Result<Vec<Draft>, Stop> {
    let source = match &job.url {
        Some(url) => fetched(ctx, url).await.map_err(|error| Stop::Failed(of_page(error)))?,
        None => kept(ctx.store.ingests().text(scope, job).await?),
    };
    let name = name(job, source.url.as_ref());
    // Parsing a large page takes CPU time; it must not block the runtime.
    let read = tokio::task::spawn_blocking(move || {
        let page = Page { text: &source.text, kind: source.kind, url: source.url.as_ref(), name: &name };
        page::drafts(&page)
    });
    let read = read.await.map_err(|e| Error::internal(format!("reading a page ended badly: {e}")))?;
    read.map_err(|why| Stop::Failed(unreadable(why)))
}

async fn fetched(ctx: &IngestWorker, url: &str) -> Result<Source, PageError> {
    let url = OutboundUrl::parse(url, ctx.outbound.policy()).map_err(|_| PageError::BlockedAddress)?;
    let page = ctx.outbound.fetch_page(&url).await?;
    let kind = match page.kind {
        PageKind::Html => Kind::Html,
        PageKind::Markdown => Kind::Markdown,
        PageKind::Text => Kind::guess(&page.text),
    };
    Ok(Source { text: page.text, kind, url: url::Url::parse(page.url.as_str()).ok() })
}

fn kept(text: String) -> Source {
    Source { kind: Kind::guess(&text), text, url: None }
}

/// What to call a text that does not say so itself: the end of its address, or of its place in the wiki.
fn name(job: &IngestJob, url: Option<&url::Url>) -> String {
    let of_page = || {
        let url = url?;
        let last = url.path_segments()?.rfind(|segment| !segment.is_empty());
        Some(last.or(url.host_str())?.to_owned())
    };
    let place = of_page().unwrap_or_else(|| job.path_prefix.as_str().rsplit('/').next().unwrap_or_default().to_owned());
    let words = place.split(['-', '_', '+']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut chars = words.chars();
    chars.next().map_or(words.clone(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

fn of_page(error: PageError) -> IngestError {
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

fn unreadable(why: Unreadable) -> IngestError {
    let (code, message) = match why {
        Unreadable::Empty => (
            IngestErrorCode::EmptyContent,
            "The page has no text. A page that a script fills in the browser cannot be read.",
        ),
        Unreadable::TooLarge => (IngestErrorCode::TooLarge, "The page has more elements than can be read."),
    };
    IngestError { code, message: message.to_owned() }
}
