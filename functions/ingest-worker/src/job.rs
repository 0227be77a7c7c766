//! One job from its claim to its end.
//!
//! A worker has a job for the time of a lease. A [`Stop`] ends the job or returns it for another attempt.

use crate::IngestWorker;
use app::ingest::gave_up;
use domain::models::{IngestId, IngestJob, IngestStatus, IngestedEntry, Scope};
use domain::{Error, Result};

use crate::stop::Stop;
use crate::{plan, source, write};

/// So often a claim that lost its race looks again.
const CLAIMS: usize = 3;

/// Runs a job as far as possible. Does nothing if it is done, gone, or another worker has it.
///
/// # Errors A service that we depend on failed: the message must be delivered again.
pub(crate) async fn work(ctx: &IngestWorker, scope: &Scope, id: &IngestId) -> Result<()> {
    let Some(job) = claim(ctx, scope, id).await? else { return Ok(()) };
    let (job, ended) = match run(ctx, scope, job).await {
        (job, Ok(entries)) => {
            tracing::info!(ingest.id = %id, entries = entries.len(), "completed an ingest job");
            let done = job.completed(entries, ctx.ambient.now());
            (job, (done, None))
        }
        (job, Err(Stop::Failed(error))) => {
            tracing::info!(ingest.id = %id, error.code = %error.code, "an ingest job failed; the client can retry it");
            let failed = job.failed(error, ctx.ambient.now());
            (job, (failed, None))
        }
        (job, Err(Stop::Later(error))) if job.has_no_attempts_left() => {
            tracing::error!(ingest.id = %id, error = %error, "an ingest job failed for good after its last attempt");
            let failed = job.failed(gave_up(), ctx.ambient.now());
            (job, (failed, None))
        }
        (job, Err(Stop::Later(error))) => {
            let released = job.released(ctx.ambient.now());
            (job, (released, Some(error)))
        }
    };
    let (next, error) = ended;
    if let Some(next) = next
        && !ctx.store.ingests().replace(scope, &job, &next).await?
    {
        tracing::warn!(ingest.id = %id, "another worker took over an ingest job; this worker's result is dropped");
    }
    error.map_or(Ok(()), Err)
}

/// Takes the job, unless it is done, gone, or another worker's.
async fn claim(ctx: &IngestWorker, scope: &Scope, id: &IngestId) -> Result<Option<IngestJob>> {
    let jobs = ctx.store.ingests();
    let token = ctx.ambient.token()?;
    for _ in 0..CLAIMS {
        let Some(job) = jobs.get(scope, id).await? else { return Ok(None) };
        let now = ctx.ambient.now();
        let given_up = job.status == IngestStatus::Running && job.has_no_attempts_left();
        let next = if given_up && !job.is_leased_by_another(&token, now) {
            job.failed(gave_up(), now)
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

/// The work between claim and end, with the job as it is stored by then.
async fn run(ctx: &IngestWorker, scope: &Scope, job: IngestJob) -> (IngestJob, Result<Vec<IngestedEntry>, Stop>) {
    let plan = match prepare(ctx, scope, &job).await {
        Ok(plan) => plan,
        Err(stop) => return (job, Err(stop)),
    };
    // Stored before the first write, so that the next worker can continue the plan and report it.
    let planned = job.planned(plan.entries());
    match ctx.store.ingests().replace(scope, &job, &planned).await {
        Ok(true) => {}
        Ok(false) => return (job, Err(Stop::Later(Error::unavailable("another worker took the ingest job over")))),
        Err(error) => return (job, Err(Stop::Later(error))),
    }
    let written = write::carry_out(ctx, scope, &planned, plan).await;
    (planned, written)
}

async fn prepare(ctx: &IngestWorker, scope: &Scope, job: &IngestJob) -> Result<plan::Plan, Stop> {
    let drafts = source::drafts(ctx, scope, job).await?;
    let here = ctx.store.wiki().under(scope, job.path_prefix.as_str()).await?;
    let known = plan::Known::read(ctx, scope, job, &here).await?;
    Ok(plan::plan(job, drafts, &here, &known))
}
