//! An index that a test switches off and on while the service runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use answer::search::{
    CandidateIndex, EntryAddress, EntryHits, EntryQuery, IndexedEntry, Retrieval, SearchIndex, VisibilityFilter,
};
use async_trait::async_trait;
use domain::models::{EmbeddingSpace, QueryVector, Scope, Timestamp, WikiPath};
use domain::{Error, Result};
use text::QueryTerms;

/// What every call of the index comes to.
const ANSWERS: u8 = 0;
const FAILS: u8 = 1;
const PANICS: u8 = 2;

/// Switches the index of one service.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexSwitch(Arc<AtomicU8>);

impl IndexSwitch {
    /// From now on it does not answer.
    pub(crate) fn off(&self) {
        self.0.store(FAILS, Ordering::SeqCst);
    }

    /// From now on every call of it panics.
    pub(crate) fn poison(&self) {
        self.0.store(PANICS, Ordering::SeqCst);
    }

    /// From now on it answers again.
    pub(crate) fn on(&self) {
        self.0.store(ANSWERS, Ordering::SeqCst);
    }

    /// For `options.wrap_index`.
    pub(crate) fn wrap(&self) -> local::WrapIndex {
        let switch = self.clone();
        Box::new(|inner| Arc::new(Switched { inner, switch }))
    }
}

#[derive(Debug)]
struct Switched {
    inner: Arc<dyn SearchIndex>,
    switch: IndexSwitch,
}

impl Switched {
    fn up(&self) -> Result<&Arc<dyn SearchIndex>> {
        match self.switch.0.load(Ordering::SeqCst) {
            ANSWERS => Ok(&self.inner),
            FAILS => Err(Error::unavailable("switched off")),
            _ => panic!("poison"),
        }
    }
}

#[async_trait]
impl CandidateIndex for Switched {
    async fn retrieve(
        &self,
        scope: &Scope,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> Result<Retrieval> {
        self.up()?.retrieve(scope, query, vector, visibility).await
    }

    async fn nearest_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> Result<Vec<Option<String>>> {
        self.up()?.nearest_words(scope, words, visibility).await
    }
}

#[async_trait]
impl SearchIndex for Switched {
    async fn put(&self, scope: &Scope, entry: &IndexedEntry) -> Result<()> {
        self.up()?.put(scope, entry).await
    }

    async fn replace(&self, scope: &Scope, entry: &IndexedEntry) -> Result<()> {
        self.up()?.replace(scope, entry).await
    }

    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> Result<()> {
        self.up()?.delete(scope, path, version, at).await
    }

    async fn search(&self, scope: &Scope, query: &EntryQuery) -> Result<EntryHits> {
        self.up()?.search(scope, query).await
    }

    async fn purge_deleted(&self, before: Timestamp) -> Result<u64> {
        self.up()?.purge_deleted(before).await
    }

    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> Result<Vec<EntryAddress>> {
        self.up()?.without_vectors(space, after, limit).await
    }

    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> Result<u64> {
        self.up()?.count_without_vectors(space).await
    }

    async fn ping(&self) -> Result<()> {
        self.up()?.ping().await
    }
}
