//! An index that a test switches off and on while the service runs, or puts faults in front of.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use answer::search::{
    CandidateIndex, EntryAddress, EntryFilter, EntryHits, EntryQuery, IndexedEntry, Lookup, NearWords, Retrieval,
    SearchIndex, VisibilityFilter,
};
use async_trait::async_trait;
use domain::models::{EmbeddingSpace, Scope, Timestamp, WikiPath};
use domain::{Error, Result};

use super::{Faults, Target};

/// The fate of every call of the index.
const WORKING: u8 = 0;
const UNAVAILABLE: u8 = 1;
const PANICKING: u8 = 2;
const HELD: u8 = 3;

/// Switches the index of one service.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexSwitch {
    state: Arc<AtomicU8>,
    searches: Arc<AtomicUsize>,
    faults: Faults,
}

impl IndexSwitch {
    /// One that works, behind `faults`.
    pub(crate) fn behind(faults: &Faults) -> Self {
        Self { faults: faults.clone(), ..Self::default() }
    }

    /// From now on it does not answer.
    pub(crate) fn off(&self) {
        self.state.store(UNAVAILABLE, Ordering::SeqCst);
    }

    /// From now on every call of it panics.
    pub(crate) fn make_panic(&self) {
        self.state.store(PANICKING, Ordering::SeqCst);
    }

    /// From now on every call of it waits.
    pub(crate) fn hold(&self) {
        self.state.store(HELD, Ordering::SeqCst);
    }

    /// From now on it answers again.
    pub(crate) fn on(&self) {
        self.state.store(WORKING, Ordering::SeqCst);
    }

    /// How many requests a question made of it so far.
    pub(crate) fn searches(&self) -> usize {
        self.searches.load(Ordering::SeqCst)
    }

    /// For `options.wrap_index`.
    pub(crate) fn wrap(&self) -> local::WrapIndex {
        let switch = self.clone();
        Box::new(|inner| Arc::new(Switched { inner, switch }))
    }
}

/// An index, or a part of one.
#[derive(Debug)]
struct Switched<I: ?Sized> {
    inner: Arc<I>,
    switch: IndexSwitch,
}

impl<I: ?Sized> Switched<I> {
    async fn call<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        self.switch.call(work).await
    }
}

impl IndexSwitch {
    async fn call<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        while self.state.load(Ordering::SeqCst) == HELD {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        match self.state.load(Ordering::SeqCst) {
            WORKING => {
                let result = self.faults.call(Target::Index, work).await;
                result.unwrap_or_else(|| Err(Error::unavailable("the connection broke")))
            }
            UNAVAILABLE => Err(Error::unavailable("switched off")),
            _ => panic!("poison"),
        }
    }
}

#[async_trait]
impl<I: CandidateIndex + ?Sized> CandidateIndex for Switched<I> {
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> Result<Vec<Retrieval>> {
        self.switch.searches.fetch_add(1, Ordering::SeqCst);
        self.call(self.inner.retrieve(scope, lookups, visibility)).await
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> Result<Vec<NearWords>> {
        self.switch.searches.fetch_add(1, Ordering::SeqCst);
        self.call(self.inner.near_words(scope, words, visibility)).await
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        Arc::new(Switched { inner: self.inner.without(paths), switch: self.switch.clone() })
    }
}

#[async_trait]
impl SearchIndex for Switched<dyn SearchIndex> {
    async fn put(&self, scope: &Scope, entry: &IndexedEntry) -> Result<()> {
        self.call(self.inner.put(scope, entry)).await
    }

    async fn replace(&self, scope: &Scope, entry: &IndexedEntry) -> Result<()> {
        self.call(self.inner.replace(scope, entry)).await
    }

    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> Result<()> {
        self.call(self.inner.delete(scope, path, version, at)).await
    }

    async fn search(&self, scope: &Scope, query: &EntryQuery) -> Result<EntryHits> {
        self.call(self.inner.search(scope, query)).await
    }

    async fn count(&self, scope: &Scope, filter: &EntryFilter) -> Result<u64> {
        self.call(self.inner.count(scope, filter)).await
    }

    async fn purge_deleted(&self, before: Timestamp) -> Result<u64> {
        self.call(self.inner.purge_deleted(before)).await
    }

    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> Result<Vec<EntryAddress>> {
        self.call(self.inner.without_vectors(space, after, limit)).await
    }

    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> Result<u64> {
        self.call(self.inner.count_without_vectors(space)).await
    }

    async fn refresh(&self) -> Result<()> {
        self.call(self.inner.refresh()).await
    }

    async fn ping(&self) -> Result<()> {
        self.call(self.inner.ping()).await
    }
}
