//! Due items that end the process: found by the records of runs in the table, handled alone, finally dead letters.
//!
//! A run records its start (`SWEEPS`) and deletes the record at its end. A record older than the longest run belongs to
//! a run that died. The next run then records each item before it handles it: the item's due time moves a little ahead
//! and counts one death, until the item succeeds or fails normally. After a second death the recorded items are the
//! suspects, and everything else continues. Each suspect is handled alone, after everything else, and recorded each
//! time. This clears the innocent ones. An item with [`DEATHS`] deaths becomes a dead letter. A run that follows no
//! death writes nothing per item.

use crate::Sweeper;
use aws::set_aside::file_name;
use aws::store::{DueItem, SweepRun};
use domain::Result;
use domain::models::Timestamp;
use serde_json::json;

/// No run lasts as long, in milliseconds: more than the function's timeout.
pub const RUN_MS: i64 = 90_000;
/// After this many deaths an item becomes a dead letter.
pub const DEATHS: u32 = 3;
/// How long an item that is being handled is not due, in milliseconds, so that no other run finds it.
const AHEAD_MS: i64 = 120_000;

/// The records of this run and of those that died before it.
pub(crate) struct Runs {
    /// The notes to take away when this run has done what may have ended the others.
    noted: Vec<SweepRun>,
    /// A run before this one has died.
    pub(crate) careful: bool,
}

impl Runs {
    /// Records the start of a run. If an earlier run died, this one records each item. If the table does not accept the
    /// record, the run continues without it.
    pub(crate) async fn begin(ctx: &Sweeper, now: Timestamp) -> Self {
        Self::noted(ctx, now).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to record the start of a sweep; if a due item ends this run, the next run cannot tell");
            Self { noted: Vec::new(), careful: false }
        })
    }

    async fn noted(ctx: &Sweeper, now: Timestamp) -> Result<Self> {
        let runs = ctx.store.sweep_runs();
        let mut noted = runs.unfinished().await?;
        noted.retain(|run| now.millis_since(run.started_at) >= RUN_MS);
        let careful = !noted.is_empty();
        if careful {
            tracing::warn!(
                runs = noted.len(),
                "an earlier sweep did not end; this run records each due item before handling it"
            );
        } else {
            noted.push(runs.begin(now).await?);
        }
        Ok(Self { noted, careful })
    }

    /// Takes the notes away.
    pub(crate) async fn end(self, ctx: &Sweeper) {
        if let Err(error) = ctx.store.sweep_runs().end(&self.noted).await {
            tracing::warn!(%error, "failed to delete the record of a finished sweep; a later run will take it for one that died");
        }
    }
}

/// Handles an item by `attempt`, and records before that it does. An item with too many deaths becomes a dead letter.
/// An item that changed since it was read is skipped.
///
/// # Errors Those of `attempt`, of the table or of the bucket: the item is still due.
pub(crate) async fn noted<F>(ctx: &Sweeper, item: &DueItem, attempt: impl FnOnce() -> F) -> Result<()>
where
    F: Future<Output = Result<()>>,
{
    if item.deaths >= DEATHS {
        return set_aside(ctx, item).await;
    }
    let due = ctx.store.due();
    let until = ctx.ambient.now().plus_millis(AHEAD_MS);
    let Some(begun) = due.begin(&item.scope, item, until).await? else { return Ok(()) };
    let outcome = attempt().await;
    // An item that failed gets its earlier due time back; the caller then reschedules it.
    let place = if outcome.is_ok() { item.cleared() } else { item.clone() };
    due.put_back(&item.scope, &begun, &place).await?;
    outcome
}

/// Stores an item that ended [`DEATHS`] processes as a dead letter (its ids only), and removes it from the due index
/// until the item is written again.
///
/// # Errors The bucket or the table failed: the item is still due.
pub async fn set_aside(ctx: &Sweeper, item: &DueItem) -> Result<()> {
    let file = format!("due/{}.json", file_name(&item.name()));
    let why = format!("its handling ended the process {DEATHS} times");
    let content = json!({"setAsideAt": ctx.ambient.now(), "why": why, "item": item.name(), "dueSince": item.at});
    ctx.set_aside.keep(&file, content.to_string().into_bytes()).await?;
    ctx.store.due().take_off(&item.scope, item).await?;
    tracing::error!(
        due.item = item.name(),
        due.since = %item.at,
        file,
        "a due item was moved to the dead letters, because handling it ended the process {DEATHS} times: correct the cause, then change the item to make it due again"
    );
    Ok(())
}
