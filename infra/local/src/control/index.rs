//! The wiki index of a running service, as far as the command line needs it: deletions go through the control socket,
//! and all that writes entries is left to the service, which indexes what its index did not take.

use std::sync::Arc;

use async_trait::async_trait;

use answer::search::{
    CandidateIndex, EntryAddress, EntryFilter, EntryHits, EntryQuery, IndexedEntry, NearWords, Retrieval, SearchIndex,
    VisibilityFilter,
};
use domain::models::{EmbeddingSpace, QueryVector, Scope, Timestamp, WikiPath};
use domain::{Error, Result};
use text::QueryTerms;

use super::client::ControlClient;

/// The index behind the control socket.
#[derive(Debug)]
pub(super) struct RemoteIndex(pub(super) ControlClient);

fn left_to_the_service<T>() -> Result<T> {
    Err(Error::unavailable("the running service has the index; it indexes what is written"))
}

#[async_trait]
impl CandidateIndex for RemoteIndex {
    async fn retrieve(
        &self,
        _: &Scope,
        _: &QueryTerms,
        _: Option<&QueryVector>,
        _: VisibilityFilter,
    ) -> Result<Retrieval> {
        left_to_the_service()
    }

    async fn near_words(&self, _: &Scope, _: &[String], _: VisibilityFilter) -> Result<Vec<NearWords>> {
        left_to_the_service()
    }

    fn without(&self, _: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        Arc::new(Self(self.0.clone()))
    }
}

#[async_trait]
impl SearchIndex for RemoteIndex {
    async fn put(&self, _: &Scope, _: &IndexedEntry) -> Result<()> {
        left_to_the_service()
    }

    async fn replace(&self, _: &Scope, _: &IndexedEntry) -> Result<()> {
        left_to_the_service()
    }

    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> Result<()> {
        let entry = EntryAddress { scope: scope.clone(), path: path.clone() };
        self.0.delete_from_index(&entry, version, at).await
    }

    async fn search(&self, _: &Scope, _: &EntryQuery) -> Result<EntryHits> {
        left_to_the_service()
    }

    async fn count(&self, _: &Scope, _: &EntryFilter) -> Result<u64> {
        left_to_the_service()
    }

    async fn purge_deleted(&self, _: Timestamp) -> Result<u64> {
        left_to_the_service()
    }

    async fn without_vectors(
        &self,
        _: &EmbeddingSpace,
        _: Option<&EntryAddress>,
        _: usize,
    ) -> Result<Vec<EntryAddress>> {
        left_to_the_service()
    }

    async fn count_without_vectors(&self, _: &EmbeddingSpace) -> Result<u64> {
        left_to_the_service()
    }

    async fn refresh(&self) -> Result<()> {
        left_to_the_service()
    }

    async fn ping(&self) -> Result<()> {
        self.0.info().await.map(drop)
    }
}
