//! Queues ingest jobs: at once when they are created, and from the sweeper if the message was lost.

use std::time::Duration;

use aws::queue::{Queue, Task};
use domain::Result;
use domain::models::{IngestError, IngestErrorCode, IngestId, IngestJob, IngestStatus, Scope};

use crate::edge::App;

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

/// Handles a due job: one that no worker took, or whose lease expired, is queued again; one with too many claims fails.
/// Does nothing if the job is done or was handled meanwhile.
///
/// # Errors `SERVICE_UNAVAILABLE` when table or queue do not answer; the job stays due.
pub(crate) async fn due(app: &App, scope: &Scope, id: &IngestId) -> Result<()> {
    let now = app.runtime.now();
    let Some(job) = app.store.ingests().get(scope, id).await? else { return Ok(()) };
    if job.due_at().is_none_or(|due| due > now) {
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
