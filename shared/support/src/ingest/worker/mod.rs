//! The ingest worker: leases a job while it runs, gets its text, makes drafts of it, and stores the result. A language
//! model, if one is configured, titles and tidies the sections. The work can stop at any point and start again: what
//! was written is found in the wiki and not written twice.
//!
//! - [`plan`]: compares the drafts with the wiki.
//! - [`mod@write`]: applies the difference.

pub mod plan;
pub mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use answer::model::{LanguageModel, ModelError};
use answer::tidy::{Section, tidy};
use aws::queue::{Message, Task};
use domain::models::{
    AgentName, IngestError, IngestErrorCode, IngestId, IngestJob, IngestStatus, IngestedEntry, Language, PageVersion,
    Scope, Settings,
};
use domain::{Error, Result, sha256_hex};
use futures::{StreamExt, stream};
use outbound::{Outbound, OutboundUrl, PageError, PageKind, Validators};
use page;
use page::{Kind, Page, ReadError, SectionDraft};

use crate::edge::{App, ClientProvider, Parts};
use crate::ingest::gave_up_error;
use crate::model_budget::within_budget;

/// The number of jobs of one batch that run concurrently; on AWS a batch is one job.
const CONCURRENCY: usize = 4;

/// Handles a batch of messages. Returns the ids of those that failed and must be delivered again.
pub async fn handle(app: &App, messages: Vec<Message>) -> Vec<String> {
    let started = app.runtime.now();
    let failed = stream::iter(messages).map(|message| async move {
        let Err(error) = handle_message(app, &message).await else { return None };
        let receives = message.receive_count;
        tracing::error!(message.id = message.id, message.receives = receives, error = %error, "failed to handle an ingest message; the queue delivers it again");
        Some(message.id)
    });
    let failed: Vec<String> = failed.buffered(CONCURRENCY).filter_map(std::future::ready).collect().await;
    let last_error = (!failed.is_empty()).then_some("a job did not complete and is retried");
    app.store.agent_runs().record(AgentName::Ingest, started, app.runtime.now(), last_error).await;
    failed
}

async fn handle_message(app: &App, message: &Message) -> domain::Result<()> {
    match message.task()? {
        Task::Ingest { scope, ingest_id } => run_job(app, &scope, &ingest_id).await,
        Task::Deliver { .. } | Task::Embed { .. } => {
            Err(domain::Error::internal("a task of another queue is in the queue of ingest jobs"))
        }
    }
}

/// The worker with its parts.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn app(provider: &impl ClientProvider) -> Result<App> {
    let parts = Parts {
        index: Some(provider.index()?),
        model: provider.model().await?,
        outbound: Some(provider.outbound()),
        ..Parts::new(provider)
    };
    Ok(parts.into())
}

/// The maximum number of attempts of a claim when other workers change the job.
const MAX_CLAIM_ATTEMPTS: usize = 3;

/// Runs a job as far as possible. Does nothing if it is done, deleted, or another worker has it.
///
/// # Errors
/// A service that we depend on failed: the message must be delivered again.
async fn run_job(app: &App, scope: &Scope, id: &IngestId) -> Result<()> {
    let Some(job) = claim(app, scope, id).await? else { return Ok(()) };
    let (job, (next, error)) = match execute(app, scope, job).await {
        (job, Ok((entries, page))) => {
            tracing::info!(ingest.id = %id, entries = entries.len(), "completed an ingest job");
            let done = job.completed(entries, page, app.runtime.now());
            (job, (done, None))
        }
        (job, Err(JobError::Permanent(error))) => {
            tracing::info!(ingest.id = %id, error.code = %error.code, "an ingest job failed; the client can retry it");
            let failed = job.failed(error, app.runtime.now());
            (job, (failed, None))
        }
        (job, Err(JobError::Retryable(error))) if job.has_no_attempts_left() => {
            tracing::error!(ingest.id = %id, error = %error, "an ingest job failed for good after its last attempt");
            let failed = job.failed(gave_up_error(), app.runtime.now());
            (job, (failed, None))
        }
        (job, Err(JobError::Retryable(error))) => {
            let released = job.released(app.runtime.now());
            (job, (released, Some(error)))
        }
    };
    if let Some(next) = next
        && replaced(app, scope, &job, next).await?.is_none()
    {
        tracing::warn!(ingest.id = %id, "another worker took over an ingest job; this worker's result is dropped");
    }
    error.map_or(Ok(()), Err)
}

/// Claims the job, unless it is done, deleted, or another worker has it.
async fn claim(app: &App, scope: &Scope, id: &IngestId) -> Result<Option<IngestJob>> {
    let jobs = app.store.ingests();
    let token = app.runtime.token()?;
    for _ in 0..MAX_CLAIM_ATTEMPTS {
        let Some(job) = jobs.get(scope, id).await? else { return Ok(None) };
        let now = app.runtime.now();
        let given_up = job.status == IngestStatus::Running && job.has_no_attempts_left();
        let next = if given_up && !job.is_leased_by_another(&token, now) {
            job.failed(gave_up_error(), now)
        } else {
            job.claimed(&token, now)
        };
        let Some(next) = next else { return Ok(None) };
        if jobs.replace(scope, &job, &next).await? {
            return Ok((next.status == IngestStatus::Running).then_some(next));
        }
    }
    // Another worker was faster each time and has it.
    Ok(None)
}

/// Stores `next` in place of a claimed job; none if another worker has it. A schedule that was ended meanwhile stays ended.
async fn replaced(app: &App, scope: &Scope, job: &IngestJob, next: IngestJob) -> Result<Option<IngestJob>> {
    let jobs = app.store.ingests();
    if jobs.replace(scope, job, &next).await? {
        return Ok(Some(next));
    }
    let there = jobs.get(scope, &job.ingest_id).await?.filter(|there| there.lease == job.lease);
    let Some(there) = there else { return Ok(None) };
    let next = IngestJob { every: there.every, version: there.version + 1, ..next };
    Ok(jobs.replace(scope, &there, &next).await?.then_some(next))
}

/// The entries of a job that is done, and its page.
type Done = (Vec<IngestedEntry>, Option<PageVersion>);

/// Does the work of a claimed job. Returns the job as it is stored by then.
async fn execute(app: &App, scope: &Scope, job: IngestJob) -> (IngestJob, Result<Done, JobError>) {
    let source = match read_source(app, scope, &job).await {
        Ok(Some(source)) => source,
        Ok(None) => {
            let as_before = (job.entries.clone(), job.page.clone());
            return (job, Ok(as_before));
        }
        Err(error) => return (job, Err(error)),
    };
    let page = source.page.clone();
    let plan = match build_plan(app, scope, &job, source).await {
        Ok(plan) => plan,
        Err(error) => return (job, Err(error)),
    };
    // Stored before the first write, so that the next worker can continue the plan and report it.
    let planned = match replaced(app, scope, &job, job.planned(plan.entries())).await {
        Ok(Some(planned)) => planned,
        Ok(None) => {
            return (job, Err(JobError::Retryable(Error::unavailable("another worker took the ingest job over"))));
        }
        Err(error) => return (job, Err(JobError::Retryable(error))),
    };
    let written = write::apply_plan(app, scope, &planned, plan).await;
    (planned, written.map(|entries| (entries, page)))
}

async fn build_plan(app: &App, scope: &Scope, job: &IngestJob, source: Source) -> Result<plan::Plan, JobError> {
    let drafts = read_drafts(job, source).await?;
    let existing = app.store.wiki().list_by_prefix(scope, job.path_prefix.as_str()).await?;
    let hashes = plan::SectionHashes::read(app, scope, job, &existing).await?;
    Ok(plan::plan(job, drafts, &existing, &hashes))
}

/// Why a job stopped: an error of the page, which fails the job with a message for its client, or of this service,
/// which returns the job for another attempt.
#[derive(Debug)]
pub(crate) enum JobError {
    /// An error of the page: a retry alone would fail again.
    Permanent(IngestError),
    /// An error of a service that we depend on: a later attempt can succeed.
    Retryable(Error),
}

impl From<Error> for JobError {
    fn from(error: Error) -> Self {
        Self::Retryable(error)
    }
}

/// A text, its format if the server says it, and the page that it is of.
struct Source {
    text: String,
    kind: Option<Kind>,
    page: Option<PageVersion>,
}

/// Reads a job's text; none if its page is as the last run left it in the wiki.
async fn read_source(app: &App, scope: &Scope, job: &IngestJob) -> Result<Option<Source>, JobError> {
    let Some(url) = &job.url else {
        return Ok(Some(Source { text: app.store.ingests().get_text(scope, job).await?, kind: None, page: None }));
    };
    let source = fetch_source(app.outbound()?, url, job.page.as_ref()).await;
    let source = source.map_err(|error| JobError::Permanent(page_error(error)))?;
    let hash = |page: &Option<PageVersion>| page.as_ref().map(|page| page.hash.clone());
    Ok(source.filter(|source| job.page.is_none() || hash(&source.page) != hash(&job.page)))
}

/// Splits a text into drafts.
async fn read_drafts(job: &IngestJob, source: Source) -> Result<Vec<SectionDraft>, JobError> {
    let url = source.page.as_ref().and_then(|page| url::Url::parse(&page.url).ok());
    let name = document_name(job, url.as_ref());
    // Parsing a large page takes CPU time; it must not block the runtime.
    let read = tokio::task::spawn_blocking(move || {
        let page = Page { text: &source.text, kind: source.kind, url: url.as_ref(), name: &name };
        page::drafts(&page)
    });
    let read = read.await.map_err(|e| Error::internal(format!("the task that reads a page failed: {e}")))?;
    read.map_err(|error| JobError::Permanent(parse_error(error)))
}

async fn fetch_source(
    outbound: &Outbound,
    url: &str,
    known: Option<&PageVersion>,
) -> Result<Option<Source>, PageError> {
    let url = OutboundUrl::parse(url, outbound.policy()).map_err(|_| PageError::BlockedAddress)?;
    let known = known.map(|page| Validators {
        url: page.url.clone(),
        etag: page.etag.clone(),
        last_modified: page.last_modified.clone(),
    });
    let Some(page) = outbound.fetch_page(&url, &known.unwrap_or_default()).await? else { return Ok(None) };
    let kind = match page.kind {
        PageKind::Html => Some(Kind::Html),
        PageKind::Markdown => Some(Kind::Markdown),
        PageKind::Text => None,
    };
    let Validators { url, etag, last_modified } = page.validators;
    let hash = sha256_hex(page.text.as_bytes());
    Ok(Some(Source { text: page.text, kind, page: Some(PageVersion { url, etag, last_modified, hash }) }))
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

/// The time that a job spends on calls of a model, in milliseconds; later sections are written as they were read.
const TIDY_BUDGET_MS: i64 = 60_000;

/// Calls the model, for one job.
///
/// A section always becomes an entry: the model's text is used only if it says nothing that the section does not say.
#[derive(Debug)]
pub(crate) struct Tidier<'a> {
    app: &'a App,
    language: Language,
    /// None if none is configured.
    model: Option<Arc<dyn LanguageModel>>,
    /// Until when the model is called, in milliseconds since 1970 UTC.
    until_ms: AtomicI64,
}

impl<'a> Tidier<'a> {
    /// Calls the model for the entries of a tenant, within its daily budget.
    pub(crate) fn new(app: &'a App, scope: &Scope, settings: &Settings) -> Self {
        let model = within_budget(app.model.as_ref(), &app.store, scope, settings);
        let until_ms = AtomicI64::new(app.runtime.now().plus_millis(TIDY_BUDGET_MS).as_millis());
        Self { app, language: settings.language, model, until_ms }
    }

    /// The title and content of an entry: the model's, or the section's.
    pub(crate) async fn tidy_section(&self, draft: &SectionDraft) -> (String, String) {
        let as_read = || (draft.title.clone(), draft.content.clone());
        let Some(model) = &self.model else { return as_read() };
        if self.app.runtime.now().as_millis() >= self.until_ms.load(Ordering::Relaxed) {
            return as_read();
        }
        let section = Section { title: &draft.title, content: &draft.content, language: self.language };
        let timeout = Duration::from_millis(self.app.config.model_timeout_ms);
        match tidy(model.as_ref(), &self.app.runtime, &section, timeout).await {
            Ok(tidied) => {
                let (title, content) = as_read();
                (tidied.title.unwrap_or(title), tidied.content.unwrap_or(content))
            }
            Err(ModelError::BudgetSpent) => {
                tracing::info!(
                    model.name = model.name(),
                    "the tenant's daily budget of model calls is spent; sections are stored as read"
                );
                self.until_ms.store(0, Ordering::Relaxed);
                as_read()
            }
            Err(error) => {
                tracing::warn!(metric.ModelFailures = 1, model.name = model.name(), error = %error, "the model failed to tidy sections; they are stored as read");
                // A model that does not answer is not called again for every section while a caller waits for the job.
                if !matches!(error, ModelError::Unusable(_)) {
                    self.until_ms.store(0, Ordering::Relaxed);
                }
                as_read()
            }
        }
    }
}
