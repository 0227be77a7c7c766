//! The wiki index of the local service: tantivy behind [`SearchIndex`], in a folder or in memory.
//!
//! `schema` maps an entry to a block of documents. `writer` commits concurrent changes together. `state` keeps versions
//! and the tenants' counts, `vectors` the vectors of passages. `retrieve`, `similar_words` and `entries` read. Every
//! word is prefixed with its tenant and mode, so a question reads only its own tenant's posting lists, and of them only
//! what its viewer may see, and counts while it reads them: document frequencies are exact, without deleted documents,
//! whatever has been merged. A change is searchable when its call returns.
//!
//! A commit is atomic and survives the process (`directory` says what happens if the machine fails), but if the process
//! dies the table may be ahead of it. So the start of the service compares [`TantivyIndex::indexed_version`] with the
//! table and indexes what is missing.

mod counts;
mod directory;
mod entries;
mod postings;
mod retrieve;
mod schema;
mod similar_words;
mod state;
#[cfg(test)]
mod tests;
mod vectors;
mod view;
mod visible;
mod writer;

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use answer::search::{
    CANDIDATES, CANDIDATES_WITHOUT, CandidateIndex, EntryAddress, EntryFilter, EntryHits, EntryQuery, IndexedEntry,
    NearWords, Retrieval, SearchIndex, VisibilityFilter, scope_text,
};
use async_trait::async_trait;
use domain::Error;
use domain::models::{EmbeddingSpace, QueryVector, Scope, Timestamp, WikiPath};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy};
use text::QueryTerms;
use tokio::sync::oneshot;

use self::schema::{Block, Fields};
use self::state::State;
use self::view::{ReadError, ReadResult, View};
use self::writer::{Change, Writer};

/// The name of the folder. Change it when the fields, or the terms in them, change.
const FORMAT: &str = "v5";

/// Memory for uncommitted changes, in bytes; tantivy's minimum.
const WRITER_BYTES: usize = 15_000_000;

/// How often a locked index is tried again, and the delay in between.
const OPEN_ATTEMPTS: u32 = 20;
const OPEN_RETRY_DELAY: std::time::Duration = std::time::Duration::from_millis(25);

/// [`SearchIndex`] over tantivy.
#[derive(Debug)]
pub struct TantivyIndex {
    writer: Writer,
    state: Arc<RwLock<State>>,
    fields: Fields,
}

impl TantivyIndex {
    /// Opens the index in `folder`, or creates it. An unreadable one is replaced by an empty one, because the table has
    /// everything. An internal error when the folder cannot be used or another process uses it.
    pub fn open(folder: &Path) -> domain::Result<Self> {
        let folder = folder.join(FORMAT);
        match Self::open_with_retry(&folder) {
            Ok(index) => Ok(index),
            Err(ReadError { reason, locked: true }) => {
                Err(Error::internal(format!("another process uses the search index: {reason}")))
            }
            Err(ReadError { reason, locked: false }) => {
                tracing::warn!(reason, "failed to read the search index; rebuilding it");
                std::fs::remove_dir_all(&folder)
                    .map_err(|e| Error::internal(format!("the search index cannot be removed: {e}")))?;
                open_in(&folder).and_then(Self::from_index).map_err(failed("open"))
            }
        }
    }

    /// Opens the index in `folder`. A lock may remain for a moment after its owner exited: a process that is being
    /// spawned holds copies of the open files until it executes its program.
    fn open_with_retry(folder: &Path) -> ReadResult<Self> {
        let mut tries = 0;
        loop {
            match open_in(folder).and_then(Self::from_index) {
                Err(ReadError { locked: true, .. }) if tries < OPEN_ATTEMPTS => std::thread::sleep(OPEN_RETRY_DELAY),
                opened => return opened,
            }
            tries += 1;
        }
    }

    /// An index in memory, for tests.
    pub fn in_memory() -> domain::Result<Self> {
        Self::from_index(Index::create_in_ram(schema::schema().0)).map_err(failed("open"))
    }

    fn from_index(index: Index) -> ReadResult<Self> {
        let (_, fields) = schema::schema();
        let writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let state = Arc::new(RwLock::new(State::load(reader.searcher(), &fields)?));
        let writer = Writer::start(writer, reader, fields, Arc::clone(&state)).map_err(ReadError::broken)?;
        Ok(Self { writer, state, fields })
    }

    /// Stops the writer and frees the folder, even when this is still referenced; later changes are refused.
    pub fn close(&self) {
        self.writer.close();
    }

    /// Whether it holds no entry and no tombstone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// The indexed version of an entry or of its deletion; none for an unknown path.
    #[must_use]
    pub fn indexed_version(&self, scope: &Scope, path: &WikiPath) -> Option<u64> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).version(&scope_text(scope), path.as_str())
    }

    async fn change(&self, change: Change) -> domain::Result<()> {
        let (done, outcome) = oneshot::channel();
        let queued = self.writer.submit(change, done);
        writer_result(queued, outcome).await
    }

    async fn put_version(&self, scope: &Scope, entry: &IndexedEntry, replace_same_version: bool) -> domain::Result<()> {
        let scope = scope_text(scope);
        let block = Block::of_entry(&self.fields, &scope, entry).map_err(|e| failed("write")(e.into()))?;
        let (path, version) = (entry.entry.path.as_str().to_owned(), entry.entry.version);
        self.change(Change { scope, path, version, block, replace_same_version }).await
    }

    fn read<T>(&self, scope: &Scope, read: impl FnOnce(&View<'_>) -> ReadResult<T>) -> domain::Result<T> {
        self.all().read(scope, read)
    }

    /// All entries.
    fn all(&self) -> Searched {
        Searched { state: Arc::clone(&self.state), fields: self.fields, without: Arc::default() }
    }
}

/// The index that a question searches: all entries but those of some paths.
#[derive(Debug)]
struct Searched {
    state: Arc<RwLock<State>>,
    fields: Fields,
    without: Arc<[WikiPath]>,
}

impl Searched {
    fn read<T>(&self, scope: &Scope, read: impl FnOnce(&View<'_>) -> ReadResult<T>) -> domain::Result<T> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let scope = scope_text(scope);
        let without = state.blocks(&scope, &self.without);
        let candidates = if self.without.is_empty() { CANDIDATES } else { CANDIDATES_WITHOUT };
        read(&View { state: &state, fields: &self.fields, scope, without, candidates }).map_err(failed("search"))
    }
}

#[async_trait]
impl CandidateIndex for TantivyIndex {
    async fn retrieve(
        &self,
        scope: &Scope,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> domain::Result<Retrieval> {
        self.all().retrieve(scope, query, vector, visibility).await
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        self.all().near_words(scope, words, visibility).await
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        self.all().without(paths)
    }
}

#[async_trait]
impl CandidateIndex for Searched {
    async fn retrieve(
        &self,
        scope: &Scope,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> domain::Result<Retrieval> {
        if query.distinct.is_empty() && vector.is_none() {
            return Ok(Retrieval::default());
        }
        self.read(scope, |view| retrieve::retrieve(view, query, vector, visibility))
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        self.read(scope, |view| similar_words::similar_words(view, words, visibility))
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        let without = self.without.iter().chain(paths).cloned().collect();
        Arc::new(Self { state: Arc::clone(&self.state), fields: self.fields, without })
    }
}

#[async_trait]
impl SearchIndex for TantivyIndex {
    async fn put(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()> {
        self.put_version(scope, entry, false).await
    }

    async fn replace(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()> {
        self.put_version(scope, entry, true).await
    }

    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> domain::Result<()> {
        let scope = scope_text(scope);
        let block = Block::tombstone(&self.fields, &scope, path, version, at);
        self.change(Change { scope, path: path.as_str().to_owned(), version, block, replace_same_version: false }).await
    }

    async fn search(&self, scope: &Scope, query: &EntryQuery) -> domain::Result<EntryHits> {
        if query.terms.distinct.is_empty() {
            return Ok(EntryHits::default());
        }
        self.read(scope, |view| entries::entries(view, query))
    }

    async fn count(&self, scope: &Scope, filter: &EntryFilter) -> domain::Result<u64> {
        self.read(scope, |view| entries::count(view, filter))
    }

    async fn purge_deleted(&self, before: Timestamp) -> domain::Result<u64> {
        let (done, outcome) = oneshot::channel();
        let queued = self.writer.purge(before.as_millis(), done);
        writer_result(queued, outcome).await
    }

    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> domain::Result<Vec<EntryAddress>> {
        let after = after.map(EntryAddress::text).unwrap_or_default();
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<String> = state.without_vectors(space).filter(|address| *address > after).collect();
        found.sort();
        Ok(found.iter().take(limit).filter_map(|address| EntryAddress::parse(address)).collect())
    }

    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> domain::Result<u64> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Ok(counts::count(state.without_vectors(space).count()))
    }

    /// A write is searchable when it returns.
    async fn refresh(&self) -> domain::Result<()> {
        Ok(())
    }

    async fn ping(&self) -> domain::Result<()> {
        if self.writer.is_running() { Ok(()) } else { Err(Error::unavailable("the search index has stopped")) }
    }
}

/// The writer's result for a queued task, or why there is none.
async fn writer_result<T>(queued: bool, outcome: oneshot::Receiver<Result<T, String>>) -> domain::Result<T> {
    if !queued {
        return Err(Error::unavailable("the search index has stopped"));
    }
    match outcome.await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(reason)) => Err(failed("write")(ReadError::broken(reason))),
        Err(_) => Err(Error::unavailable("the search index has stopped")),
    }
}

fn open_in(folder: &Path) -> ReadResult<Index> {
    Ok(Index::open_or_create(directory::open(folder)?, schema::schema().0)?)
}

fn failed(what: &'static str) -> impl Fn(ReadError) -> Error {
    move |why| Error::unavailable(format!("the search index did not {what}: {}", why.reason))
}
