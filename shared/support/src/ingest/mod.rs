//! The ingest function: accepts pages and texts, retries failed jobs, and shows jobs. Each request body reads and
//! describes itself, and reports every problem at once. If the caller of a page gives no path prefix, the page's
//! address makes one. The file also queues jobs: at once when they are made, and from the sweeper if the message was lost.
//!
//! - [`worker`]: makes entries of pages and texts.
//! - [`table`]: jobs and their texts, as they are stored.

pub mod table;
pub mod worker;

use std::time::Duration;

use aws::queue::{Queue, Task};
use axum::extract::State;
use domain::error::{Code, DetailCode};
use domain::limits::INGEST_TEXT;
use domain::models::{
    IngestError, IngestErrorCode, IngestId, IngestInterval, IngestJob, IngestStatus, PathPrefix, Scope, Visibility,
};
use domain::wire::IngestOut;
use domain::{Error, Result};
use outbound::{OutboundPolicy, OutboundUrl, UrlError};
use serde::{Deserialize, Serialize};
use text::slug;

use crate::edge::input::{Alternative, ExactlyOne, choice, optional, or, parsed, within, words};
use crate::edge::table::KeptAnswer;
use crate::edge::{
    self, AcceptedAt, ApiResult, App, CursorPageOut, Ingester, Json, JsonIn, NoBody, NoContent, OnceIn, PathIn,
    QueryIn, Replayed,
};
use crate::ingest::table::IngestPlace;
use crate::requester::Requester;

edge::endpoint! {
    /// Make entries of a page or a text.
    ///
    /// It becomes wiki entries, soon. Handed in twice, it changes nothing; an entry that a person edited is left as it
    /// is. A text replaces the texts that came under its `pathPrefix` before: their other sections are removed. Give each
    /// text a prefix of its own.
    ///
    /// With `every`, the page is read again each day or week, at the time of day of this call. What it no longer has is
    /// removed then; a page that cannot be read removes nothing.
    pub(crate) CreateIngestJob = POST "/api/v1/ingest" => create_ingest_job;
    supports: [IdempotencyKey],
    rate_class: IngestJob,
    example: {"text": "# Opening hours\n\nWe open at nine and close at five.", "pathPrefix": "ingested/opening-hours"},
}

/// Answers `POST /ingest`: once the job is stored it will be done, whatever becomes of its message.
async fn create_ingest_job(
    State(app): State<App>,
    caller: Ingester,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewIngestIn>>,
) -> ApiResult<Replayed<AcceptedAt<IngestOut>>> {
    let body = body.validated(&app.config.outbound)?;
    let (job, text) = new_job(&app, caller.name(), &body)?;
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let store = Requester::Caller(&caller).acting(&app.store);
    let work = async {
        let record = requests.completed(scope, request.as_ref(), MadeJob { ingest_id: job.ingest_id.clone() })?;
        let job = store.ingests().create(scope, job, text.as_deref(), record).await?;
        enqueue(&app, scope, &job).await;
        Ok(job)
    };
    let replay = async |made: MadeJob| job_of(&app, scope, &made.ingest_id).await;
    let (job, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    let location = format!("/api/v1/ingest/{}", job.ingest_id);
    // A repeated request gets the reply of the first one, whatever the job has become meanwhile.
    let shown =
        IngestOut::from(IngestJob { status: IngestStatus::Queued, attempts: 0, finished_at: None, error: None, ..job });
    Ok(Replayed(replayed, AcceptedAt(location, shown)))
}

/// The stored result of a request for a job.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MadeJob {
    ingest_id: IngestId,
}

async fn job_of(app: &App, scope: &Scope, id: &IngestId) -> Result<IngestJob> {
    app.store.ingests().get(scope, id).await?.ok_or_else(|| Error::not_found("ingest job"))
}

fn new_job(app: &App, created_by: String, body: &NewIngestIn) -> Result<(IngestJob, Option<String>)> {
    let path_prefix = body.path_prefix.clone().or_else(|| body.url.as_ref().and_then(default_prefix));
    let job = IngestJob {
        ingest_id: IngestId::generate(&app.runtime)?,
        status: IngestStatus::Queued,
        url: body.url.as_ref().map(|url| url.as_str().to_owned()),
        text_chunks: 0,
        path_prefix: path_prefix.ok_or_else(|| Error::internal("an address that names no prefix"))?,
        visibility: body.visibility,
        entries: Vec::new(),
        error: None,
        attempts: 0,
        earlier_attempts: 0,
        created_at: app.runtime.now(),
        created_by,
        finished_at: None,
        every: body.every,
        repeated_at: None,
        page: None,
        lease: None,
        version: 1,
    };
    Ok((job, body.text.clone()))
}

edge::endpoint! {
    /// Try an ingest job again that failed.
    ///
    /// It is queued as if it was new. 409 `INVALID_STATE` for a job that did not fail.
    pub(crate) RetryIngestJob = POST "/api/v1/ingest/{id}/retry" => retry_ingest_job;
    supports: [IdempotencyKey],
    rate_class: IngestJob,
    errors: [InvalidState],
}

/// Answers `POST /ingest/:id/retry`: a job that failed is queued as if it was new.
async fn retry_ingest_job(
    State(app): State<App>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Json<IngestOut>>> {
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let work = async {
        let store = Requester::Caller(&caller).acting(&app.store);
        let jobs = store.ingests();
        let job = job_of(&app, scope, &id).await?;
        let again = job.retried(app.runtime.now()).ok_or_else(|| not_failed_error(job.status))?;
        let out = IngestOut::from(again.clone());
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: out.clone() })?;
        if !jobs.replace_once(scope, &job, &again, record).await? {
            return Err(not_failed_error(IngestStatus::Queued));
        }
        enqueue(&app, scope, &again).await;
        Ok(out)
    };
    let replay = async |before: KeptAnswer<IngestOut>| job_of(&app, scope, &id).await.map(|_| before.answer);
    let (out, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(out)))
}

fn not_failed_error(status: IngestStatus) -> Error {
    Error::new(Code::InvalidState, format!("Only a failed job can be retried; this one is {status}."))
}

/// Checks the syntax only; the operator's policy is applied after the whole request is valid.
const SYNTAX_ONLY_POLICY: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

edge::body! {
    /// A page or a text, handed in: exactly one of `url` and `text`; a text needs a `pathPrefix`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct NewIngestIn as "NewIngest" {
        /// A page.
        pub(crate) url: Option<OutboundUrl> = "url" => optional(parsed(|text| {
            OutboundUrl::parse(text, &SYNTAX_ONLY_POLICY).map_err(UrlError::message)
        })),
        /// HTML, Markdown or plain text, detected from its markup: a text with block-level tags is HTML.
        pub(crate) text: Option<String> = "text" => optional(within(INGEST_TEXT)),
        /// Where the entries go; for a page by default a name made of its address.
        pub(crate) path_prefix: Option<PathPrefix> = "pathPrefix" => optional(parsed(|text| {
            PathPrefix::parse(text).map_err(|e| e.0)
        })),
        /// Who may read the entries.
        pub(crate) visibility: Visibility = "visibility" => or(choice::<Visibility>(), Visibility::Internal),
        /// How often the page is read again, from now on; `null` for once.
        pub(crate) every: Option<IngestInterval> = "every" => optional(choice::<IngestInterval>()),
    }
    rules: [ExactlyOne {
        of: &[
            Alternative { field: "url", schema: "NewIngestOfPage", needs: &[], owns: &["every"] },
            Alternative { field: "text", schema: "NewIngestOfText", needs: &["pathPrefix"], owns: &[] },
        ],
        code: DetailCode::ExactlyOne,
        at: "",
        none: Some("send url or text"),
        several: "send url or text, not both",
    }]
    // Half a million characters of any script, and how JSON writes some of them.
    limit_bytes: 3 * 1024 * 1024
}

impl NewIngestIn {
    /// Refuses an address that may not be called, by its text alone.
    pub(crate) fn validated(self, policy: &OutboundPolicy) -> Result<Self> {
        if let Some(url) = &self.url
            && let Err(refused) = OutboundUrl::parse(url.as_str(), policy)
        {
            return Err(Error::invalid("url", DetailCode::InvalidFormat, refused.message()));
        }
        Ok(self)
    }
}

edge::query! {
    /// The filter of the jobs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct ListIngestJobsQuery {
        /// Only jobs that stand so.
        pub(crate) status: Option<IngestStatus> = "status" => choice::<IngestStatus>(),
        /// Only jobs of pages that are read again (`true`), or only the others (`false`).
        pub(crate) scheduled: Option<bool> = "scheduled" => words(&[("true", true), ("false", false)]),
    }
    cursor: below: IngestPlace, list = (
        status.map(IngestStatus::as_str),
        scheduled.map(|it| if it { "true" } else { "false" }),
    );
    limit: limit;
}

/// The longest path segment, in bytes.
const SEGMENT_BYTES: usize = 100;
/// Of a slug that had to be cut, so much is left, so that a hash of the whole fits behind it.
const TRUNCATED_BYTES: usize = 90;

/// The prefix of a page by its address; the query (`?…`) is ignored.
fn default_prefix(url: &OutboundUrl) -> Option<PathPrefix> {
    let place = format!("{}{}", url.host(), percent_decoded(url.path()));
    let whole = slug(&place, usize::MAX - 1);
    let segment = if whole.len() <= SEGMENT_BYTES {
        whole
    } else {
        format!("{}-{:08x}", slug(&place, TRUNCATED_BYTES), hash(&place))
    };
    PathPrefix::parse(&format!("ingested/{segment}")).ok()
}

/// FNV-1a: sufficient to distinguish long addresses of one host, and stable forever.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The path with its escapes undone, so that a path in any script has a name.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

edge::endpoint! {
    /// Read an ingest job.
    ///
    /// A completed job tells what became of which path.
    pub(crate) GetIngestJob = GET "/api/v1/ingest/{id}" => get_ingest_job;
}

/// Answers `GET /ingest/:id`.
async fn get_ingest_job(
    State(app): State<App>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
) -> ApiResult<Json<IngestOut>> {
    let job = app.store.ingests().get(caller.scope(), &id).await?;
    Ok(Json(job.ok_or_else(|| Error::not_found("ingest job"))?.into()))
}

edge::endpoint! {
    /// List ingest jobs.
    ///
    /// Newest first. One answer reads 1 MiB at the most, so a page may be short, or
    /// empty, with `hasMore: true`.
    pub(crate) ListIngestJobs = GET "/api/v1/ingest" => list_ingest_jobs;
    rate_class: List,
    example_query: {"status": "failed", "limit": 10},
}

/// Answers `GET /ingest`.
async fn list_ingest_jobs(
    State(app): State<App>,
    caller: Ingester,
    QueryIn(query): QueryIn<ListIngestJobsQuery>,
) -> ApiResult<Json<CursorPageOut<IngestOut>>> {
    let ListIngestJobsQuery { status, scheduled, below, limit, .. } = &query;
    let page = app.store.ingests().list(caller.scope(), *status, *scheduled, below.as_ref(), *limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, IngestOut::from)?))
}

edge::endpoint! {
    /// End the schedule of a page.
    ///
    /// The page is not read again; the job and its entries stay. A job without a schedule is left as it is.
    pub(crate) DeleteIngestSchedule = DELETE "/api/v1/ingest/{id}" => delete_ingest_schedule;
}

/// Answers `DELETE /ingest/:id`.
async fn delete_ingest_schedule(
    State(app): State<App>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
) -> ApiResult<NoContent> {
    Requester::Caller(&caller).acting(&app.store).ingests().unschedule(caller.scope(), &id).await?;
    Ok(NoContent)
}

/// Puts a job on the queue. A queue that does not take it is logged only: the job is stored and due, and the sweeper
/// puts it there again.
pub(crate) async fn enqueue(app: &App, scope: &Scope, job: &IngestJob) {
    if let Err(error) = send_task(app, scope, &job.ingest_id).await {
        tracing::warn!(ingest.id = %job.ingest_id, error = %error, "stored an ingest job but failed to queue it; the sweeper queues it again");
    }
}

async fn send_task(app: &App, scope: &Scope, id: &IngestId) -> Result<()> {
    let task = Task::Ingest { scope: scope.clone(), ingest_id: id.clone() };
    app.queue(Queue::Ingest)?.send(&task, Duration::ZERO).await
}

/// Handles a due job: one that no worker took, whose lease expired, or whose day comes again, is queued; one with too many
/// claims fails.
/// Does nothing if the job is done or was handled meanwhile.
///
/// # Errors `SERVICE_UNAVAILABLE` when table or queue do not answer; the job stays due.
pub(crate) async fn due(app: &App, scope: &Scope, id: &IngestId) -> Result<()> {
    let now = app.runtime.now();
    let Some(job) = app.store.ingests().get(scope, id).await? else { return Ok(()) };
    if job.due_at().is_none_or(|due| due > now) {
        return Ok(());
    }
    if let Some(again) = job.repeated(now) {
        // A worker that gets its message before it is stored finds nothing to do.
        if app.store.ingests().replace(scope, &job, &again).await? {
            enqueue(app, scope, &again).await;
        }
        return Ok(());
    }
    let next = match job.status {
        IngestStatus::Running if job.has_no_attempts_left() => job.failed(gave_up_error(), now),
        IngestStatus::Running => job.released(now),
        IngestStatus::Queued => Some(job.requeued(now)),
        IngestStatus::Completed | IngestStatus::Failed => None,
    };
    let Some(next) = next else { return Ok(()) };
    // Sent first: one message too many finds nothing to do, one too few is a job that waits a minute longer.
    if next.status == IngestStatus::Queued {
        send_task(app, scope, id).await?;
    }
    app.store.ingests().replace(scope, &job, &next).await.map(drop)
}

/// The error of a job that was given up.
#[must_use]
pub(crate) fn gave_up_error() -> IngestError {
    let message = "The job was interrupted too often. It may be tried again.".to_owned();
    IngestError { code: IngestErrorCode::InternalError, message }
}

#[cfg(test)]
mod tests {
    use outbound::OutboundPolicy;

    use super::*;

    fn prefix(url: &str) -> String {
        default_prefix(&OutboundUrl::parse(url, &OutboundPolicy::default()).unwrap()).unwrap().as_str().to_owned()
    }

    #[test]
    fn a_page_is_named_by_its_host_and_path() {
        assert_eq!(
            prefix("https://help.example.com/billing/Refunds.html?x=1"),
            "ingested/help-example-com-billing-refunds-html"
        );
        assert_eq!(prefix("https://example.com"), "ingested/example-com");
        assert_eq!(
            prefix("https://example.com/%D0%B2%D0%BE%D0%B7%D0%B2%D1%80%D0%B0%D1%82"),
            "ingested/example-com-vozvrat"
        );
        assert_eq!(prefix("https://example.com/100%25%zz"), "ingested/example-com-100-zz");
    }

    #[test]
    fn long_addresses_stay_apart() {
        let long = |end: &str| prefix(&format!("https://example.com/{}/{end}", "part/".repeat(40)));
        assert_ne!(long("a"), long("b"));
        assert!(long("a").len() <= "ingested/".len() + SEGMENT_BYTES);
    }
}
