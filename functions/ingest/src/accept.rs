//! Accepts jobs, and retries failed ones.

use crate::state::Ingest;
use app::Requester;
use app::jobs::ingest::enqueue;
use aws::store::KeptAnswer;
use axum::extract::State;
use domain::error::Code;
use domain::models::{IngestId, IngestJob, IngestStatus, Scope};
use domain::wire::IngestOut;
use domain::{Error, Result};
use edge::ApiResult;
use edge::{AcceptedAt, Ingester, Json, JsonIn, NoBody, OnceIn, PathIn, Replayed};
use serde::{Deserialize, Serialize};

use crate::input::NewIngestIn;
use crate::prefix;

edge::endpoint! {
    /// Make entries of a page or a text.
    ///
    /// It becomes wiki entries, soon. Handed in twice, it changes nothing; an entry that a person edited is left as it
    /// is. A text replaces the texts that came under its `pathPrefix` before: their other sections are removed. Give each
    /// text a prefix of its own.
    pub(crate) CreateIngestJob = POST "/api/v1/ingest" => create_ingest_job;
    supports: [IdempotencyKey],
    rate_class: IngestJob,
    example: {"text": "# Opening hours\n\nWe open at nine and close at five.", "pathPrefix": "ingested/opening-hours"},
}

/// Answers `POST /ingest`: once the job is stored it will be done, whatever becomes of its message.
pub(crate) async fn create_ingest_job(
    State(state): State<Ingest>,
    caller: Ingester,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewIngestIn>>,
) -> ApiResult<Replayed<AcceptedAt<IngestOut>>> {
    let body = body.validated(&state.outbound)?;
    let (job, text) = new_job(&state, caller.name(), &body)?;
    let (scope, requests) = (caller.scope(), state.store.idempotency());
    let store = Requester::Caller(&caller).acting(&state.store);
    let work = async {
        let record = requests.completed(scope, request.as_ref(), MadeJob { ingest_id: job.ingest_id.clone() })?;
        let job = store.ingests().create(scope, job, text.as_deref(), record).await?;
        enqueue(&state.jobs, scope, &job).await;
        Ok(job)
    };
    let replay = async |made: MadeJob| job_of(&state, scope, &made.ingest_id).await;
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

async fn job_of(state: &Ingest, scope: &Scope, id: &IngestId) -> Result<IngestJob> {
    state.store.ingests().get(scope, id).await?.ok_or_else(|| Error::not_found("ingest job"))
}

fn new_job(state: &Ingest, created_by: String, body: &NewIngestIn) -> Result<(IngestJob, Option<String>)> {
    let path_prefix = body.path_prefix.clone().or_else(|| body.url.as_ref().and_then(prefix::default_prefix));
    let job = IngestJob {
        ingest_id: IngestId::generate(&state.runtime)?,
        status: IngestStatus::Queued,
        url: body.url.as_ref().map(|url| url.as_str().to_owned()),
        text_chunks: 0,
        path_prefix: path_prefix.ok_or_else(|| Error::internal("an address that names no prefix"))?,
        visibility: body.visibility,
        entries: Vec::new(),
        error: None,
        attempts: 0,
        earlier_attempts: 0,
        created_at: state.runtime.now(),
        created_by,
        finished_at: None,
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
pub(crate) async fn retry_ingest_job(
    State(state): State<Ingest>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Json<IngestOut>>> {
    let (scope, requests) = (caller.scope(), state.store.idempotency());
    let work = async {
        let store = Requester::Caller(&caller).acting(&state.store);
        let jobs = store.ingests();
        let job = job_of(&state, scope, &id).await?;
        let again = job.retried(state.runtime.now()).ok_or_else(|| not_failed_error(job.status))?;
        let out = IngestOut::from(again.clone());
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: out.clone() })?;
        if !jobs.replace_once(scope, &job, &again, record).await? {
            return Err(not_failed_error(IngestStatus::Queued));
        }
        enqueue(&state.jobs, scope, &again).await;
        Ok(out)
    };
    let replay = async |before: KeptAnswer<IngestOut>| job_of(&state, scope, &id).await.map(|_| before.answer);
    let (out, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(out)))
}

fn not_failed_error(status: IngestStatus) -> Error {
    Error::new(Code::InvalidState, format!("Only a failed job can be retried; this one is {status}."))
}
