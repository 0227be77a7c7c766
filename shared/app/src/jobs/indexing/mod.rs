//! Connects store and search, which do not know each other.
//!
//! An entry is indexed by its writer, so that it can be searched at once; by the stream, which guarantees it; and if
//! the index did not answer, by the sweeper, for which the path is marked as pending ([`schedule_indexing`], [`due`]).
//! All write the same: the index accepts a version once, in any order. [`reindex`] reindexes a wiki whose language
//! changed, [`rebuild`] replaces the whole index, and [`from_table`] indexes all that the table has.

pub mod from_table;
pub mod rebuild;
pub mod reindex;

use std::sync::Arc;

use crate::ClientProvider;
use answer::search::{IndexedEntry, SearchIndex};
use aws::store::{Store, WikiRecord};
use domain::clock::Runtime;
use domain::models::{Scope, WikiPath};
use domain::{Error, Result};
use text::Analyzer;

/// After how long the sweeper tries again what the index did not take, in milliseconds.
const FIRST_RETRY_DELAY_MS: i64 = 5_000;
/// The same, if it failed with the sweeper too.
const RETRY_DELAY_MS: i64 = 60_000;

/// The store of wiki entries, and the index that is to have them.
#[derive(Debug, Clone)]
pub struct IndexingService {
    store: Store,
    runtime: Runtime,
    index: Arc<dyn SearchIndex>,
}

impl IndexingService {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self { store: provider.store(), runtime: provider.runtime(), index: provider.index()? })
    }
}

/// Puts what a path holds into the index: an entry, or that it was deleted.
pub async fn put(service: &IndexingService, scope: &Scope, analyzer: &Analyzer, record: &WikiRecord) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => service.index.put(scope, &IndexedEntry::new(analyzer, entry)).await,
        WikiRecord::Deleted(path, deleted) => service.index.delete(scope, path, deleted.version, deleted.at).await,
    }
}

/// Makes what was put before searchable.
pub async fn make_searchable(service: &IndexingService) -> Result<()> {
    service.index.refresh().await
}

/// Marks a version of a path that the index did not take, so that the sweeper tries again.
pub async fn schedule_indexing(service: &IndexingService, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
    let due = service.runtime.now().plus_millis(FIRST_RETRY_DELAY_MS);
    service.store.wiki().schedule_indexing(scope, path, version, due).await
}

/// Retries the pending index update of a path, with its current state.
///
/// # Errors `SERVICE_UNAVAILABLE` while the index does not accept it: the path stays pending, for a minute later.
pub async fn due(service: &IndexingService, scope: &Scope, path: &WikiPath) -> Result<()> {
    let (wiki, settings) = (service.store.wiki(), service.store.settings());
    let (record, settings) = tokio::join!(wiki.get_record(scope, path), settings.get(scope));
    let record = record?.ok_or_else(|| Error::internal("a path is pending for the index and is not there"))?;
    let version = record.version();
    match put(service, scope, &Analyzer::new(settings?.language), &record).await {
        Ok(()) => {
            // Gaps that were asked while the index lacked this entry could not find it.
            service.store.gaps().schedule_review(scope).await?;
            wiki.mark_indexed(scope, path, version).await
        }
        Err(error) => {
            let later = service.runtime.now().plus_millis(RETRY_DELAY_MS);
            wiki.schedule_indexing(scope, path, version, later).await?;
            Err(error)
        }
    }
}
