//! Due items that end the process: found by the records of runs in the table, handled alone, and finally made dead
//! letters.
//!
//! A run records its start (`SWEEPS`) and deletes the record at its end. A record older than the longest run belongs to
//! a run that crashed; if no other process sweeps, so does one that is older than the process. The next run then
//! records each item before it handles it: the item's due time moves a little ahead and counts one crash, until the
//! item succeeds or fails normally. After a second crash the recorded items are the suspects, and everything else
//! continues. Each suspect is handled alone, after everything else, and recorded each time. This clears the innocent
//! ones. An item with [`MAX_CRASHES`] crashes becomes a dead letter. A run that does not follow a crash writes nothing
//! per item.

use aws::dead_letters::file_name;
use domain::Result;
use domain::models::Timestamp;
use serde_json::json;

use crate::edge::App;
use crate::sweeper::table::{DueItem, SweepRun};

/// A run without an end after this time has crashed, in milliseconds: more than the function's timeout.
pub const MAX_RUN_MS: i64 = 90_000;
/// After this many crashes an item becomes a dead letter.
pub const MAX_CRASHES: u32 = 3;
/// How long an item that is being handled is not due, in milliseconds, so that no other run finds it.
const ATTEMPT_LEASE_MS: i64 = 120_000;

/// The records of this run and of those that died before it.
pub(crate) struct RunLog {
    /// The records to delete when this run has handled the items that may have ended the others.
    unfinished: Vec<SweepRun>,
    /// An earlier run crashed.
    pub(crate) after_crash: bool,
}

impl RunLog {
    /// Records the start of a run. If an earlier run crashed, this one records each item. If the table does not accept
    /// the record, the run continues without it.
    pub(crate) async fn begin(app: &App, now: Timestamp) -> Self {
        Self::record_start(app, now).await.unwrap_or_else(|error| {
            tracing::warn!(error = %error, "failed to record the start of a sweep; if a due item ends this run, the next run cannot tell");
            Self { unfinished: Vec::new(), after_crash: false }
        })
    }

    async fn record_start(app: &App, now: Timestamp) -> Result<Self> {
        let runs = app.store.sweep_runs();
        let mut unfinished = runs.list_unfinished().await?;
        let has_crashed = |run: &SweepRun| {
            now.millis_since(run.started_at) >= MAX_RUN_MS
                || app.alone_since.is_some_and(|since| run.started_at < since)
        };
        unfinished.retain(has_crashed);
        let after_crash = !unfinished.is_empty();
        if after_crash {
            tracing::warn!(
                runs = unfinished.len(),
                "an earlier sweep did not end; this run records each due item before handling it"
            );
        } else {
            unfinished.push(runs.begin(now).await?);
        }
        Ok(Self { unfinished, after_crash })
    }

    /// Deletes the records.
    pub(crate) async fn end(&self, app: &App) {
        if let Err(error) = app.store.sweep_runs().end(&self.unfinished).await {
            tracing::warn!(error = %error, "failed to delete the record of a finished sweep; a later run treats it as crashed");
        }
    }
}

/// Records the item before `attempt` handles it. An item with too many crashes becomes a dead letter.
/// An item that changed since it was read is skipped.
///
/// # Errors
/// Those of `attempt`, of the table or of the bucket: the item is still due.
pub(crate) async fn with_crash_record<F>(app: &App, item: &DueItem, attempt: impl FnOnce() -> F) -> Result<()>
where
    F: Future<Output = Result<()>>,
{
    if item.crashes >= MAX_CRASHES {
        return write_dead_letter(app, item).await;
    }
    let due = app.store.due();
    let until = app.runtime.now().plus_millis(ATTEMPT_LEASE_MS);
    let Some(begun) = due.begin_attempt(&item.scope, item, until).await? else { return Ok(()) };
    let outcome = attempt().await;
    // An item that failed gets its earlier due time back; the caller then reschedules it.
    let place = if outcome.is_ok() { item.without_crashes() } else { item.clone() };
    due.end_attempt(&item.scope, &begun, &place).await?;
    outcome
}

/// Stores an item that ended [`MAX_CRASHES`] processes as a dead letter (its ids only), and removes it from the due
/// index until the item is written again.
///
/// # Errors
/// The bucket or the table failed: the item is still due.
async fn write_dead_letter(app: &App, item: &DueItem) -> Result<()> {
    let file = format!("due/{}.json", file_name(&item.name()));
    let reason = format!("its handling ended the process {MAX_CRASHES} times");
    let content =
        json!({"deadLetteredAt": app.runtime.now(), "reason": reason, "item": item.name(), "dueSince": item.at});
    app.dead_letters()?.put(&file, content.to_string().into_bytes()).await?;
    app.store.due().delete(&item.scope, item).await?;
    tracing::error!(
        metric.DueItemsDeadLettered = 1,
        due.item = item.name(),
        due.since = %item.at,
        file,
        "a due item was moved to the dead letters, because handling it ended the process {MAX_CRASHES} times: correct the cause, then change the item to make it due again"
    );
    Ok(())
}
