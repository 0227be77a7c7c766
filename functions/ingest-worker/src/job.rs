//! Runs one job: claims it, writes its entries, and stores the result.
//!
//! A worker leases a job while it runs. A [`JobError`] fails the job or returns it for another attempt.

use crate::state::IngestWorker;
use app::jobs::ingest::gave_up_error;
use domain::models::{IngestId, IngestJob, IngestStatus, IngestedEntry, Scope};
use domain::{Error, Result};

use crate::job_error::JobError;
use crate::{plan, source, write};

/// The maximum number of attempts of a claim when other workers change the job.
const MAX_CLAIM_ATTEMPTS: usize = 3;

/// Runs a job as far as possible. Does nothing if it is done, deleted, or another worker has it.
///
/// # Errors
/// A service that we depend on failed: the message must be delivered again.
pub(crate) async fn run_job(state: &IngestWorker, scope: &Scope, id: &IngestId) -> Result<()> {
    let Some(job) = claim(state, scope, id).await? else { return Ok(()) };
    let (job, (next, error)) = match execute(state, scope, job).await {
        (job, Ok(entries)) => {
            tracing::info!(ingest.id = %id, entries = entries.len(), "completed an ingest job");
            let done = job.completed(entries, state.runtime.now());
            (job, (done, None))
        }
        (job, Err(JobError::Permanent(error))) => {
            tracing::info!(ingest.id = %id, error.code = %error.code, "an ingest job failed; the client can retry it");
            let failed = job.failed(error, state.runtime.now());
            (job, (failed, None))
        }
        (job, Err(JobError::Retryable(error))) if job.has_no_attempts_left() => {
            tracing::error!(ingest.id = %id, error = %error, "an ingest job failed for good after its last attempt");
            let failed = job.failed(gave_up_error(), state.runtime.now());
            (job, (failed, None))
        }
        (job, Err(JobError::Retryable(error))) => {
            let released = job.released(state.runtime.now());
            (job, (released, Some(error)))
        }
    };
    if let Some(next) = next
        && !state.store.ingests().replace(scope, &job, &next).await?
    {
        tracing::warn!(ingest.id = %id, "another worker took over an ingest job; this worker's result is dropped");
    }
    error.map_or(Ok(()), Err)
}

/// Claims the job, unless it is done, deleted, or another worker has it.
async fn claim(state: &IngestWorker, scope: &Scope, id: &IngestId) -> Result<Option<IngestJob>> {
    let jobs = state.store.ingests();
    let token = state.runtime.token()?;
    for _ in 0..MAX_CLAIM_ATTEMPTS {
        let Some(job) = jobs.get(scope, id).await? else { return Ok(None) };
        let now = state.runtime.now();
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
async fn execute(
    state: &IngestWorker,
    scope: &Scope,
    job: IngestJob,
) -> (IngestJob, Result<Vec<IngestedEntry>, JobError>) {
    let plan = match build_plan(state, scope, &job).await {
        Ok(plan) => plan,
        Err(error) => return (job, Err(error)),
    };
    // Stored before the first write, so that the next worker can continue the plan and report it.
    let planned = job.planned(plan.entries());
    match state.store.ingests().replace(scope, &job, &planned).await {
        Ok(true) => {}
        Ok(false) => {
            return (job, Err(JobError::Retryable(Error::unavailable("another worker took the ingest job over"))));
        }
        Err(error) => return (job, Err(JobError::Retryable(error))),
    }
    let written = write::apply_plan(state, scope, &planned, plan).await;
    (planned, written)
}

async fn build_plan(state: &IngestWorker, scope: &Scope, job: &IngestJob) -> Result<plan::Plan, JobError> {
    let drafts = source::read_drafts(state, scope, job).await?;
    let existing = state.store.wiki().list_by_prefix(scope, job.path_prefix.as_str()).await?;
    let hashes = plan::SectionHashes::read(state, scope, job, &existing).await?;
    Ok(plan::plan(job, drafts, &existing, &hashes))
}
