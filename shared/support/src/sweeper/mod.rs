//! The sweeper: handles due items, such as pending answers, idle and expired sessions, expired claims, and retries.
//!
//! One [`sweep`] reads the due index, longest due first, and passes each item to the use case of its kind. Kinds run
//! concurrently and tenants of a kind take turns, so a backlog of one does not delay another. An item that fails or
//! panics is rescheduled. The next sweep handles what this one did not reach.
//!
//! - [`backlog`]: selects the items of a sweep, and dispatches each.
//! - [`crashes`]: finds items that end the process, and makes dead letters of them.
//! - [`replay`]: replays changes that Lambda gave up on.
//! - [`table`]: the due index, and the runs of the sweeper.

pub mod backlog;
pub mod crashes;
pub mod replay;
pub mod table;

use std::sync::Arc;
use std::time::Duration;

use aws::changes_function::ChangesFunction;
use aws::queue::Queue;
use domain::models::{AgentName, Timestamp};
use domain::{Error, Result};
use futures::future::{BoxFuture, join_all};
use futures::{StreamExt, stream};

use crate::caught;
use crate::dead_letters::LettersOfSessions;
use crate::edge::{App, ClientProvider, Parts};
use crate::sweeper::backlog::{Backlog, dispatch};
use crate::sweeper::crashes::RunLog;
use crate::sweeper::table::DueItem;
use crate::table::keys::DUE_SHARDS;
use crate::wiki::embedding;

/// The handler of one due item: [`dispatch()`], or a wrapper of it.
pub type Dispatcher = Arc<dyn Fn(DueItem) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// After this time, in milliseconds, a sweep starts no further item; less than a minute, because the next sweep starts
/// then.
const START_WINDOW_MS: i64 = 40_000;
const ITEM_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the index keeps tombstones: longer than any write can be delayed.
const TOMBSTONE_HOURS: i64 = 48;
/// The maximum number of items of one kind that are handled concurrently in one partition.
const CONCURRENCY: usize = 4;

/// The result of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SweepResult {
    /// Items that were handled.
    pub items: usize,
    /// Those of them that failed; each is rescheduled.
    pub failed: usize,
    /// More is due than this sweep could handle.
    pub has_more: bool,
    /// Partitions that could not be read to their end.
    unread: usize,
}

impl SweepResult {
    fn merge(self, other: Self) -> Self {
        Self {
            items: self.items + other.items,
            failed: self.failed + other.failed,
            has_more: self.has_more || other.has_more,
            unread: self.unread + other.unread,
        }
    }

    /// The error of the run that `GET /health` reports, if any.
    fn last_error(&self) -> Option<String> {
        match (self.unread, self.failed) {
            (0, 0) => None,
            (0, failed) => Some(format!("{failed} of {} due items failed and are tried again", self.items)),
            (unread, _) => Some(format!("{unread} of {DUE_SHARDS} parts of the due index could not be read")),
        }
    }
}

/// Handles due items, as far as one sweep goes. Later sweeps find an item that ends the process.
///
/// # Errors 503 if part of the due index could not be read; the rest is handled all the same.
pub async fn sweep(app: &App) -> Result<SweepResult> {
    sweep_with(app, &dispatcher(app)).await
}

/// [`dispatch()`], as a sweep calls it.
#[must_use]
pub fn dispatcher(app: &App) -> Dispatcher {
    let app = app.clone();
    Arc::new(move |item| {
        let app = app.clone();
        Box::pin(async move { dispatch(&app, &item).await })
    })
}

/// [`sweep`], with `dispatch` for each item.
///
/// # Errors
/// As [`sweep`].
pub async fn sweep_with(app: &App, dispatch: &Dispatcher) -> Result<SweepResult> {
    let started = app.runtime.now();
    let runs = RunLog::begin(app, started).await;
    Sweep { app, dispatch, runs, started }.run().await
}

struct Sweep<'a> {
    app: &'a App,
    dispatch: &'a Dispatcher,
    /// After a crash each item is recorded before it is handled, otherwise the suspects alone.
    runs: RunLog,
    started: Timestamp,
}

impl Sweep<'_> {
    async fn run(self) -> Result<SweepResult> {
        let (app, started) = (self.app, self.started);
        LettersOfSessions::of(app)?.refresh().await;
        let shards = join_all((0..DUE_SHARDS).map(|shard| self.shard(shard)));
        let (shards, purged, (), ()) = tokio::join!(
            shards,
            purge_index(app, started),
            enqueue_entries_without_vectors(app),
            self.replay_changes()
        );
        let (results, suspects): (Vec<_>, Vec<_>) = shards.into_iter().unzip();
        // If a careful run had no time for everything, its records stay, so that the next one is careful, too.
        if !self.runs.after_crash || !self.is_out_of_time() {
            self.runs.end(app).await;
        }
        let mut result = results.into_iter().fold(SweepResult::default(), SweepResult::merge);
        for suspect in suspects.into_iter().flatten() {
            result = result.merge(self.dispatch_in_time(suspect).await);
        }
        let last_error = result.last_error().or((!purged).then(|| "the search index does not answer".to_owned()));
        app.store.agent_runs().record(AgentName::Sweeper, started, app.runtime.now(), last_error.as_deref()).await;
        match result.unread {
            0 => Ok(result),
            _ => Err(Error::unavailable(last_error.unwrap_or_default())),
        }
    }

    /// Replays changes that Lambda gave up on. The next sweep retries a failure.
    async fn replay_changes(&self) {
        let Some(changes) = &self.app.changes_function else { return };
        if let Err(error) = replay::run(self.app, changes, || !self.is_out_of_time()).await {
            tracing::warn!(error = %error, "failed to replay changes from the dead-letter bucket; the next sweep retries");
        }
    }

    /// Handles the due items of one partition, except for the suspects.
    async fn shard(&self, shard: u32) -> (SweepResult, Vec<DueItem>) {
        let Backlog { by_kind, suspects, has_more, unread } = backlog::read(self.app, shard, self.started).await;
        let kinds = join_all(by_kind.into_iter().map(|items| self.dispatch_all(items))).await;
        let read = SweepResult { has_more, unread: usize::from(unread), ..SweepResult::default() };
        (kinds.into_iter().fold(read, SweepResult::merge), suspects)
    }

    async fn dispatch_all(&self, items: Vec<DueItem>) -> SweepResult {
        let dispatched = stream::iter(items.into_iter().map(|item| self.dispatch_in_time(item)));
        let dispatched = dispatched.buffer_unordered(CONCURRENCY);
        dispatched.fold(SweepResult::default(), |all, one| async move { all.merge(one) }).await
    }

    async fn dispatch_in_time(&self, item: DueItem) -> SweepResult {
        if self.is_out_of_time() {
            return SweepResult { has_more: true, ..SweepResult::default() };
        }
        SweepResult { items: 1, failed: usize::from(!self.dispatch_item(item).await), ..SweepResult::default() }
    }

    /// Whether it succeeded; a failed item is rescheduled.
    async fn dispatch_item(&self, item: DueItem) -> bool {
        let attempt = || attempt(self.dispatch, &item);
        let outcome = if self.runs.after_crash || item.crashes > 0 {
            crashes::with_crash_record(self.app, &item, attempt).await
        } else {
            attempt().await
        };
        let Err(error) = outcome else { return true };
        let kind = backlog::kind_name(&item.subject);
        tracing::error!(due.kind = kind, due.since = %item.at, error = %error, "failed to handle a due item; it is rescheduled");
        if let Err(error) = self.app.store.due().reschedule(&item.scope, &item, self.app.runtime.now()).await {
            tracing::warn!(due.kind = kind, error = %error, "failed to reschedule a due item; the next sweep handles it again");
        }
        false
    }

    fn is_out_of_time(&self) -> bool {
        self.app.runtime.now().millis_since(self.started) >= START_WINDOW_MS
    }
}

/// Handles one item; a panic and a timeout count as failures.
async fn attempt(dispatch: &Dispatcher, item: &DueItem) -> Result<()> {
    let attempt = caught(async { dispatch(item.clone()).await });
    let attempt = tokio::time::timeout(ITEM_TIMEOUT, attempt).await;
    attempt.unwrap_or_else(|_| Err(Error::unavailable("timed out")))
}

/// Purges entries from the index that were deleted long ago. Returns whether the index answered.
async fn purge_index(app: &App, started: Timestamp) -> bool {
    let purge = async { app.index()?.purge_deleted(started.plus_hours(-TOMBSTONE_HOURS)).await };
    match tokio::time::timeout(ITEM_TIMEOUT, purge).await.unwrap_or_else(|_| Err(Error::unavailable("timed out"))) {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(error = %error, "failed to purge deleted entries from the index; a later sweep retries");
            false
        }
    }
}

/// Queues entries without vectors for embedding. The next sweep retries a failure; `GET /health` counts these entries.
async fn enqueue_entries_without_vectors(app: &App) {
    let attempt = tokio::time::timeout(ITEM_TIMEOUT, embedding::enqueue_some(app)).await;
    if let Err(error) = attempt.unwrap_or_else(|_| Err(Error::unavailable("timed out"))) {
        tracing::warn!(error = %error, "failed to queue entries without vectors; the next sweep retries");
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
        embedder: provider.embedder().await?,
        queues: Queue::ALL.iter().map(|queue| provider.queue(*queue)).collect::<Result<_>>()?,
        dead_letters: Some(provider.dead_letters()?),
        changes_function: provider.changes_function()?,
        ..Parts::new(provider)
    };
    Ok(parts.into())
}

impl App {
    /// The same if no other process sweeps the table since `moment`: a run without an end that began before has
    /// crashed.
    #[must_use]
    pub fn alone_since(&self, moment: Timestamp) -> Self {
        self.changed(|parts| parts.alone_since = Some(moment))
    }

    /// The same with another function that handles changes.
    #[must_use]
    pub fn with_changes_function(&self, changes: ChangesFunction) -> Self {
        self.changed(|parts| parts.changes_function = Some(changes))
    }
}
