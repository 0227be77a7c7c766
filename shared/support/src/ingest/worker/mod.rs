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
    AgentName, IngestError, IngestErrorCode, IngestId, IngestJob, IngestStatus, IngestedEntry, Language, Scope,
    Settings,
};
use domain::{Error, Result};
use futures::{StreamExt, stream};
use outbound::{Outbound, OutboundUrl, PageError, PageKind};
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
        (job, Ok(entries)) => {
            tracing::info!(ingest.id = %id, entries = entries.len(), "completed an ingest job");
            let done = job.completed(entries, app.runtime.now());
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
        && !app.store.ingests().replace(scope, &job, &next).await?
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

/// Does the work of a claimed job. Returns the job as it is stored by then.
async fn execute(app: &App, scope: &Scope, job: IngestJob) -> (IngestJob, Result<Vec<IngestedEntry>, JobError>) {
    let plan = match build_plan(app, scope, &job).await {
        Ok(plan) => plan,
        Err(error) => return (job, Err(error)),
    };
    // Stored before the first write, so that the next worker can continue the plan and report it.
    let planned = job.planned(plan.entries());
    match app.store.ingests().replace(scope, &job, &planned).await {
        Ok(true) => {}
        Ok(false) => {
            return (job, Err(JobError::Retryable(Error::unavailable("another worker took the ingest job over"))));
        }
        Err(error) => return (job, Err(JobError::Retryable(error))),
    }
    let written = write::apply_plan(app, scope, &planned, plan).await;
    (planned, written)
}

async fn build_plan(app: &App, scope: &Scope, job: &IngestJob) -> Result<plan::Plan, JobError> {
    let drafts = read_drafts(app, scope, job).await?;
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

/// A text with its URL, and its format if the server says it.
struct Source {
    text: String,
    kind: Option<Kind>,
    url: Option<url::Url>,
}

/// Reads a job's text and splits it into drafts.
async fn read_drafts(app: &App, scope: &Scope, job: &IngestJob) -> Result<Vec<SectionDraft>, JobError> {
    let source = match &job.url {
        Some(url) => {
            fetch_source(app.outbound()?, url).await.map_err(|error| JobError::Permanent(page_error(error)))?
        }
        None => Source { text: app.store.ingests().get_text(scope, job).await?, kind: None, url: None },
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

async fn fetch_source(outbound: &Outbound, url: &str) -> Result<Source, PageError> {
    let url = OutboundUrl::parse(url, outbound.policy()).map_err(|_| PageError::BlockedAddress)?;
    let page = outbound.fetch_page(&url).await?;
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
