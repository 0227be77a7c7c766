//! A batch: its records by item, and data that is read once for all of them.
//!
//! The data is read after the batch arrived, so it is at least as new as every change in it: a receiver that was
//! registered, or a language that was set, before a change is seen.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Changes;
use aws::stream::Record;
use domain::Result;
use domain::models::{AgentName, EventKind, Scope, Timestamp, Webhook};
use text::Analyzer;
use tokio::sync::{Mutex, OnceCell};

/// A value that is read once for each key, by the first that needs it.
type Once<K, V> = Mutex<HashMap<K, Arc<OnceCell<V>>>>;

/// What the consumers of one batch share.
pub(crate) struct Batch<'a> {
    pub(crate) ctx: &'a Changes,
    receivers: Once<(Scope, EventKind), Arc<[Webhook]>>,
    analyzers: Once<Scope, Arc<Analyzer>>,
    index_is_down: AtomicBool,
    /// The place of the first record that failed.
    first_failure: AtomicUsize,
    begun: Timestamp,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(ctx: &'a Changes) -> Self {
        Self {
            ctx,
            receivers: Mutex::default(),
            analyzers: Mutex::default(),
            index_is_down: AtomicBool::new(false),
            first_failure: AtomicUsize::new(usize::MAX),
            begun: ctx.ambient.now(),
        }
    }

    /// Remembers that a record failed.
    pub(crate) fn failed_at(&self, place: usize) {
        self.first_failure.fetch_min(place, Ordering::Relaxed);
    }

    /// Whether a record before this place failed.
    pub(crate) fn has_failed_before(&self, place: usize) -> bool {
        self.first_failure.load(Ordering::Relaxed) < place
    }

    /// The receivers that subscribed to `kind`, disabled ones too.
    pub(crate) async fn receivers(&self, scope: &Scope, kind: EventKind) -> Result<Arc<[Webhook]>> {
        let cell = cell(&self.receivers, (scope.clone(), kind)).await;
        let read = || async { Ok(self.ctx.store.webhooks().subscribed(scope, kind).await?.into()) };
        cell.get_or_try_init(read).await.cloned()
    }

    /// The analysis of a wiki's language.
    pub(crate) async fn analyzer(&self, scope: &Scope) -> Result<Arc<Analyzer>> {
        let cell = cell(&self.analyzers, scope.clone()).await;
        let read = || async { Ok(Arc::new(Analyzer::new(self.ctx.store.settings().get(scope).await?.language))) };
        cell.get_or_try_init(read).await.cloned()
    }

    /// Records how it went. Everything here may be said to any tenant.
    pub(crate) async fn record_run(&self, all_handled: bool) {
        let trouble = match (all_handled, self.index_is_down()) {
            (false, _) => Some("the table or a queue does not respond; changes are retried"),
            (true, true) => Some("the search index does not respond; changes are indexed later"),
            (true, false) => None,
        };
        let runs = self.ctx.store.agent_runs();
        runs.record(AgentName::Indexer, self.begun, self.ctx.ambient.now(), trouble).await;
    }

    /// Whether the index failed during this batch: then the other paths are marked as pending without a call, so that
    /// not every record waits for a timeout.
    pub(crate) fn index_is_down(&self) -> bool {
        self.index_is_down.load(Ordering::Relaxed)
    }

    /// Remembers that the index did not answer.
    pub(crate) fn index_did_not_answer(&self) {
        self.index_is_down.store(true, Ordering::Relaxed);
    }
}

async fn cell<K: std::hash::Hash + Eq, V>(cells: &Once<K, V>, key: K) -> Arc<OnceCell<V>> {
    Arc::clone(cells.lock().await.entry(key).or_default())
}

/// The records by item, each with its place in the batch; items in the order of their first record.
pub(crate) fn by_item(records: Vec<Record>) -> Vec<Vec<(usize, Record)>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut items: Vec<Vec<(usize, Record)>> = Vec::new();
    for (place, record) in records.into_iter().enumerate() {
        let item = *places.entry(record.item_key()).or_insert(items.len());
        match items.get_mut(item) {
            Some(item) => item.push((place, record)),
            None => items.push(vec![(place, record)]),
        }
    }
    items
}
