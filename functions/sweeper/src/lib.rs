//! The sweeper: handles due items, such as pending answers, idle and expired sessions, expired claims, and retries.
//!
//! One [`sweep`] reads the due index, longest due first (`backlog`), and passes each item to the use case of its kind
//! (`attend`). Kinds run concurrently and tenants of a kind take turns, so a backlog of one does not delay another. An
//! item that fails or panics is rescheduled. One that ends the process is found and becomes a dead letter (`deaths`).
//! The next sweep handles what this one did not reach.

mod attend;
mod backlog;
mod deaths;

use std::sync::Arc;
use std::time::Duration;

use answer::search::SearchIndex;
use app::Provider;
use app::conversation::Conversation;
use app::delivery::Deliveries;
use app::embedding::{self, Unembedded};
use app::gaps::GapReview;
use app::indexing::Indexing;
use app::ingest::IngestJobs;
use app::panics::caught;
use aws::set_aside::SetAside;
use aws::store::{DUE_SHARDS, DueItem, Store};
use domain::clock::Ambient;
use domain::models::{AgentName, Timestamp};
use domain::{Error, Result};
use futures::StreamExt;
use futures::future::{BoxFuture, join_all};
use futures::stream;

pub use attend::attend;
use backlog::Backlog;
use deaths::Runs;
pub use deaths::{DEATHS, RUN_MS, set_aside};

/// The handler of one due item: [`attend()`], or a wrapper of it.
pub type Attend = Arc<dyn Fn(DueItem) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// After so long, in milliseconds, a sweep begins with no further item; below a minute, when the next sweep comes.
const BEGINNING_MS: i64 = 40_000;
/// How long one item may take.
const ITEM_PATIENCE: Duration = Duration::from_secs(30);
/// How long the index keeps tombstones: longer than any write can be delayed.
const TOMBSTONE_HOURS: i64 = 48;
/// The most items of one kind that are handled at a time in one partition.
const AT_A_TIME: usize = 4;

/// What a sweep came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Items that were handled.
    pub items: usize,
    /// Those of them that failed; each is rescheduled.
    pub failed: usize,
    /// More is due than this sweep could handle.
    pub left: bool,
    /// Partitions that could not be read to their end.
    unread: usize,
}

impl Swept {
    fn and(self, other: Self) -> Self {
        Self {
            items: self.items + other.items,
            failed: self.failed + other.failed,
            left: self.left || other.left,
            unread: self.unread + other.unread,
        }
    }

    /// The run as `GET /health` reports it.
    fn trouble(&self) -> Option<String> {
        match (self.unread, self.failed) {
            (0, 0) => None,
            (0, failed) => Some(format!("{failed} of {} due items failed and are tried again", self.items)),
            (unread, _) => Some(format!("{unread} of {DUE_SHARDS} parts of the due index could not be read")),
        }
    }
}

/// What a sweep needs.
#[derive(Debug, Clone)]
pub struct Sweeper {
    store: Store,
    ambient: Ambient,
    index: Arc<dyn SearchIndex>,
    set_aside: SetAside,
    conversation: Conversation,
    deliveries: Deliveries,
    jobs: IngestJobs,
    indexing: Indexing,
    gap_review: GapReview,
    unembedded: Unembedded,
}

impl Sweeper {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            index: provider.index()?,
            set_aside: provider.set_aside()?,
            conversation: Conversation::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            jobs: IngestJobs::new(provider)?,
            indexing: Indexing::new(provider)?,
            gap_review: GapReview::new(provider).await?,
            unembedded: Unembedded::new(provider).await?,
        })
    }
}

/// Handles due items, as far as one sweep goes. Later sweeps find an item that ends the process.
///
/// # Errors 503 if part of the due index could not be read; the rest is handled all the same.
pub async fn sweep(ctx: &Sweeper) -> Result<Swept> {
    sweep_noting(ctx, &attending(ctx)).await
}

/// [`attend()`], as a sweep calls it.
#[must_use]
pub fn attending(ctx: &Sweeper) -> Attend {
    let ctx = ctx.clone();
    Arc::new(move |item| {
        let ctx = ctx.clone();
        Box::pin(async move { attend(&ctx, &item).await })
    })
}

/// [`sweep`], with `attend` for each item.
///
/// # Errors As [`sweep`].
pub async fn sweep_noting(ctx: &Sweeper, attend: &Attend) -> Result<Swept> {
    let runs = Runs::begin(ctx, ctx.ambient.now()).await;
    let notes = if runs.careful { Notes::Everything } else { Notes::Suspects };
    Sweep::new(ctx, attend, notes).run(Some(runs)).await
}

/// The same, if `attend` itself detects what ends the process: nothing is recorded in the table.
///
/// # Errors As [`sweep`].
pub async fn sweep_with(ctx: &Sweeper, attend: &Attend) -> Result<Swept> {
    Sweep::new(ctx, attend, Notes::Nothing).run(None).await
}

/// Which items are recorded before they are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notes {
    Nothing,
    Suspects,
    Everything,
}

/// One sweep.
struct Sweep<'a> {
    ctx: &'a Sweeper,
    attend: &'a Attend,
    notes: Notes,
    started: Timestamp,
}

impl<'a> Sweep<'a> {
    fn new(ctx: &'a Sweeper, attend: &'a Attend, notes: Notes) -> Self {
        Self { ctx, attend, notes, started: ctx.ambient.now() }
    }

    async fn run(self, runs: Option<Runs>) -> Result<Swept> {
        let (ctx, started) = (self.ctx, self.started);
        let shards = join_all((0..DUE_SHARDS).map(|shard| self.shard(shard)));
        let (shards, purged, ()) = tokio::join!(shards, purge_index(ctx, started), embed_what_lacks_vectors(ctx));
        let (swept, suspects): (Vec<_>, Vec<_>) = shards.into_iter().unzip();
        // If a careful run had no time for everything, its records stay, so that the next one is careful, too.
        if let Some(runs) = runs.filter(|runs| !runs.careful || !self.is_over()) {
            runs.end(ctx).await;
        }
        let mut swept = swept.into_iter().fold(Swept::default(), Swept::and);
        for suspect in suspects.into_iter().flatten() {
            swept = swept.and(self.attend_in_time(suspect).await);
        }
        let trouble = swept.trouble().or((!purged).then(|| "the search index does not answer".to_owned()));
        ctx.store.agent_runs().record(AgentName::Sweeper, started, ctx.ambient.now(), trouble.as_deref()).await;
        match swept.unread {
            0 => Ok(swept),
            _ => Err(Error::unavailable(trouble.unwrap_or_default())),
        }
    }

    /// Attends to what is due in one partition, but for the suspects.
    async fn shard(&self, shard: u32) -> (Swept, Vec<DueItem>) {
        let Backlog { turns, suspects, left, unread } = backlog::read(self.ctx, shard, self.started).await;
        let kinds = join_all(turns.into_iter().map(|items| self.attend_all(items))).await;
        let read = Swept { left, unread: usize::from(unread), ..Swept::default() };
        (kinds.into_iter().fold(read, Swept::and), suspects)
    }

    async fn attend_all(&self, items: Vec<DueItem>) -> Swept {
        let attended = stream::iter(items.into_iter().map(|item| self.attend_in_time(item)));
        let attended = attended.buffer_unordered(AT_A_TIME);
        attended.fold(Swept::default(), |all, one| async move { all.and(one) }).await
    }

    async fn attend_in_time(&self, item: DueItem) -> Swept {
        if self.is_over() {
            return Swept { left: true, ..Swept::default() };
        }
        Swept { items: 1, failed: usize::from(!self.attend_one(item).await), ..Swept::default() }
    }

    /// Whether it succeeded; a failed item is rescheduled.
    async fn attend_one(&self, item: DueItem) -> bool {
        let noted = match self.notes {
            Notes::Nothing => false,
            Notes::Suspects => item.deaths > 0,
            Notes::Everything => true,
        };
        let attempt = || attempt(self.attend, &item);
        let outcome = if noted { deaths::noted(self.ctx, &item, attempt).await } else { attempt().await };
        let Err(error) = outcome else { return true };
        let kind = attend::kind(&item.subject);
        tracing::error!(due.kind = kind, due.since = %item.at, error = %error, "failed to handle a due item; it is rescheduled");
        if let Err(error) = self.ctx.store.due().put_off(&item.scope, &item, self.ctx.ambient.now()).await {
            tracing::warn!(due.kind = kind, error = %error, "failed to reschedule a due item; the next sweep handles it again");
        }
        false
    }

    fn is_over(&self) -> bool {
        self.ctx.ambient.now().millis_since(self.started) >= BEGINNING_MS
    }
}

/// Attends to one item; a panic and the end of its time are its failures.
async fn attempt(attend: &Attend, item: &DueItem) -> Result<()> {
    let attempt = caught(async { attend(item.clone()).await });
    let attempt = tokio::time::timeout(ITEM_PATIENCE, attempt).await;
    attempt.unwrap_or_else(|_| Err(Error::unavailable("it took too long")))
}

/// Takes out of the index what was deleted long ago; whether it answered.
async fn purge_index(ctx: &Sweeper, started: Timestamp) -> bool {
    let purge = ctx.index.purge_deleted(started.plus_hours(-TOMBSTONE_HOURS));
    match tokio::time::timeout(ITEM_PATIENCE, purge)
        .await
        .unwrap_or_else(|_| Err(Error::unavailable("it took too long")))
    {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(error = %error, "failed to purge deleted entries from the index; a later sweep retries");
            false
        }
    }
}

/// Has entries embedded that lack vectors. What fails is tried by the next sweep; `health` shows how many there are.
async fn embed_what_lacks_vectors(ctx: &Sweeper) {
    let attempt = tokio::time::timeout(ITEM_PATIENCE, embedding::enqueue_some(&ctx.unembedded)).await;
    if let Err(error) = attempt.unwrap_or_else(|_| Err(Error::unavailable("it took too long"))) {
        tracing::warn!(%error, "failed to queue entries without vectors; the next sweep retries");
    }
}
