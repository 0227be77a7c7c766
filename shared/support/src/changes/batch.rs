//! A batch: its records by item, data that is read once for all of them, and the steps of handling a change.
//!
//! The data is read after the batch arrived, so it is at least as new as every change in it: a receiver that was
//! registered, or a language that was set, before a change is seen.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use domain::change::{Change, Subject};
use domain::error::Code;
use domain::models::{AgentName, Scope, SessionId, Timestamp, Turn, Webhook, wire_enum};
use domain::statistics::increments_from_change;
use domain::{Error, Result};
use text::Analyzer;
use tokio::sync::{Mutex, OnceCell};

use crate::analytics::table::CountedRecord;
use crate::changes::consumers;
use crate::edge::App;
use crate::knowledge::gaps;
use crate::table::stream::Record;
use crate::wiki::revisions;

/// Values that are read once for each key, by the first caller that needs them.
type OnceMap<K, V> = Mutex<HashMap<K, Arc<OnceCell<V>>>>;

/// What the records of each tenant add, and how it went to add all of it.
type Together<T> = HashMap<Scope, (OnceCell<Result<()>>, Vec<T>)>;

/// The clients and results that the consumers of one batch share.
pub(crate) struct Batch<'a> {
    pub(crate) app: &'a App,
    receivers: OnceMap<Scope, Arc<[Webhook]>>,
    analyzers: OnceMap<Scope, Arc<Analyzer>>,
    raised_inboxes: OnceMap<Scope, ()>,
    /// The records that count.
    counted: Together<CountedRecord>,
    /// The new answers that were made from entries, with their sessions.
    answers: Together<(SessionId, Turn)>,
    is_index_down: AtomicBool,
    /// The position of the first record that failed.
    first_failure: AtomicUsize,
    started: Timestamp,
}

impl<'a> Batch<'a> {
    /// The batch of these changes.
    pub(crate) fn new<'c>(app: &'a App, changes: impl IntoIterator<Item = &'c Change>) -> Self {
        let (mut counted, mut answers) = (Together::new(), Together::new());
        for change in changes {
            if let Subject::Turn { session_id, old: None, new: Some(turn) } = &change.subject
                && turn.sources().iter().any(|source| source.used)
            {
                answers.entry(change.scope.clone()).or_default().1.push((session_id.clone(), turn.clone()));
            }
            let increments = increments_from_change(change);
            if !increments.is_empty() {
                let record = CountedRecord { id: change.record_id.clone(), at: change.at, increments };
                counted.entry(change.scope.clone()).or_default().1.push(record);
            }
        }
        Self {
            counted,
            answers,
            app,
            receivers: Mutex::default(),
            analyzers: Mutex::default(),
            raised_inboxes: Mutex::default(),
            is_index_down: AtomicBool::new(false),
            first_failure: AtomicUsize::new(usize::MAX),
            started: app.runtime.now(),
        }
    }

    /// Records that the record at `position` failed.
    pub(crate) fn record_failure(&self, position: usize) {
        self.first_failure.fetch_min(position, Ordering::Relaxed);
    }

    /// Whether a record before this position failed.
    pub(crate) fn is_after_failure(&self, position: usize) -> bool {
        self.first_failure.load(Ordering::Relaxed) < position
    }

    /// The receivers of a tenant's events, disabled ones too.
    pub(crate) async fn receivers(&self, scope: &Scope) -> Result<Arc<[Webhook]>> {
        let cell = once_cell(&self.receivers, scope.clone()).await;
        let read = || async { Ok(self.app.store.webhooks().list_receivers(scope).await?.into()) };
        cell.get_or_try_init(read).await.cloned()
    }

    /// The analysis of a wiki's language.
    pub(crate) async fn analyzer(&self, scope: &Scope) -> Result<Arc<Analyzer>> {
        let cell = once_cell(&self.analyzers, scope.clone()).await;
        let read = || async { Ok(Arc::new(Analyzer::new(self.app.store.settings().get(scope).await?.language))) };
        cell.get_or_try_init(read).await.cloned()
    }

    /// Raises the revision of an inbox, unless this batch did.
    pub(crate) async fn raise_inbox(&self, scope: &Scope) -> Result<()> {
        let cell = once_cell(&self.raised_inboxes, scope.clone()).await;
        let raise = || async { self.app.store.inbox_revisions().raise(scope).await };
        cell.get_or_try_init(raise).await.copied()
    }

    /// Adds the change's increments to the counters, once: those of the whole batch together, so that records of the same
    /// time share their writes.
    pub(crate) async fn count(&self, change: &Change) -> Result<()> {
        let (statistics, scope) = (self.app.store.statistics(), &change.scope);
        let Some((cell, all)) = self.counted.get(scope) else { return Ok(()) };
        let Some(own) = all.iter().find(|record| record.id == change.record_id) else { return Ok(()) };
        let add = async |records| statistics.add(scope, records).await.map(drop);
        once(cell, add(all), add(std::slice::from_ref(own))).await
    }

    /// Writes the pointers to the change's answer, once: those of the whole batch together, so that they share their requests.
    pub(crate) async fn point_to_answer(&self, change: &Change) -> Result<()> {
        let (Subject::Turn { new: Some(turn), .. }, Some((cell, all))) =
            (&change.subject, self.answers.get(&change.scope))
        else {
            return Ok(());
        };
        let Some(own) = all.iter().find(|(_, answer)| answer.message_id == turn.message_id) else { return Ok(()) };
        let add = |answers| consumers::add_answer_pointers(self.app, &change.scope, answers);
        once(cell, add(all), add(std::slice::from_ref(own))).await
    }

    /// Records the run. Every tenant can read this text.
    pub(crate) async fn record_run(&self, all_handled: bool) {
        let last_error = match (all_handled, self.is_index_down()) {
            (false, _) => Some("the table or a queue does not respond; changes are retried"),
            (true, true) => Some("the search index does not respond; changes are indexed later"),
            (true, false) => None,
        };
        let runs = self.app.store.agent_runs();
        runs.record(AgentName::Indexer, self.started, self.app.runtime.now(), last_error).await;
    }

    /// Whether the index failed during this batch: then the other paths are marked as pending without a call, so that
    /// not every record waits for a timeout.
    pub(crate) fn is_index_down(&self) -> bool {
        self.is_index_down.load(Ordering::Relaxed)
    }

    /// Records that the index did not answer.
    pub(crate) fn mark_index_down(&self) {
        self.is_index_down.store(true, Ordering::Relaxed);
    }
}

/// Adds what all records of a tenant add, unless this batch did; what the record itself adds, if another one may be at fault.
async fn once(
    cell: &OnceCell<Result<()>>,
    all: impl Future<Output = Result<()>>,
    own: impl Future<Output = Result<()>>,
) -> Result<()> {
    // A failure is that of every record: others do not wait for the table once more.
    match cell.get_or_init(|| all).await {
        Ok(()) => Ok(()),
        Err(error) if error.code() == Code::ServiceUnavailable => Err(Error::unavailable(error.to_string())),
        Err(_) => own.await,
    }
}

async fn once_cell<K: std::hash::Hash + Eq, V>(cells: &OnceMap<K, V>, key: K) -> Arc<OnceCell<V>> {
    Arc::clone(cells.lock().await.entry(key).or_default())
}

/// A record of a batch that has consequences: its position, and what it says or why that cannot be read.
pub(crate) struct ReadRecord {
    pub(crate) position: usize,
    pub(crate) record: Record,
    pub(crate) change: Result<Change>,
}

/// The records by item; items in the order of their first record.
pub(crate) fn group_by_item(records: Vec<ReadRecord>) -> Vec<Vec<ReadRecord>> {
    let mut indices: HashMap<String, usize> = HashMap::new();
    let mut items: Vec<Vec<ReadRecord>> = Vec::new();
    for read in records {
        let item = *indices.entry(read.record.item_key()).or_insert(items.len());
        match items.get_mut(item) {
            Some(item) => item.push(read),
            None => items.push(vec![read]),
        }
    }
    items
}

wire_enum! {
    /// A step of handling a change: reading it, or one consumer, the most urgent ones first. Logs and dead letters name it.
    pub(crate) enum Step {
        /// Reading the record.
        Reading => "reading",
        /// The revision of the inbox.
        Inbox => "inbox",
        /// Events, delivered to their subscribers.
        FanOut => "fan_out",
        /// The search index.
        Index => "index",
        /// Counters.
        Statistics => "statistics",
        /// Tags of a session, on its requests for a human.
        Tags => "tags",
        /// The answers that were made from an entry.
        Answers => "answers",
        /// Old versions of entries.
        Revisions => "revisions",
        /// Knowledge gaps.
        Gaps => "gaps",
        /// Vectors of entries' passages.
        Embeddings => "embeddings",
    }
}

/// Runs the consumer of a step on a change.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change, step: Step) -> Result<()> {
    match step {
        Step::Reading => Ok(()),
        Step::Index => consumers::index(batch, change).await,
        Step::FanOut => consumers::create_deliveries(batch, change).await,
        Step::Revisions => revisions::follow(&batch.app.store, change).await,
        Step::Inbox => consumers::raise_inbox_revision(batch, change).await,
        Step::Statistics => batch.count(change).await,
        Step::Gaps => gaps::follow(&batch.app.store, change).await,
        Step::Embeddings => consumers::embed_entry(batch.app, change).await,
        Step::Tags => consumers::show_tags(batch.app, change).await,
        Step::Answers => batch.point_to_answer(change).await,
    }
}
