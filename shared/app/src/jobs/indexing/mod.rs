//! Connects store and search, which do not know each other.
//!
//! An entry is indexed by its writer, so that it can be searched at once; by the stream, which guarantees it; and if
//! the index did not answer, by the sweeper, for which the path is marked as pending ([`owe`], [`due`]). All write the
//! same: the index accepts a version once, in any order. [`anew`] reindexes a wiki whose language changed.

pub mod anew;

use std::sync::Arc;

use crate::Provider;
use answer::search::{IndexedEntry, SearchIndex};
use aws::store::{Store, WikiRecord};
use domain::clock::Ambient;
use domain::models::{Scope, WikiPath};
use domain::{Error, Result};
use text::Analyzer;

/// After how long the sweeper tries again what the index did not take, in milliseconds.
const RETRY_MS: i64 = 5_000;
/// The same, where it failed with the sweeper too.
const LATER_MS: i64 = 60_000;

/// What wiki entries are kept in, and the index that is to know them.
#[derive(Debug, Clone)]
pub struct Indexing {
    store: Store,
    ambient: Ambient,
    index: Arc<dyn SearchIndex>,
}

impl Indexing {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self { store: provider.store(), ambient: provider.ambient(), index: provider.index()? })
    }
}

/// Puts what a path holds into the index: an entry, or that it was deleted.
pub async fn put(ctx: &Indexing, scope: &Scope, analyzer: &Analyzer, record: &WikiRecord) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => ctx.index.put(scope, &IndexedEntry::new(analyzer, entry)).await,
        WikiRecord::Deleted(path, deleted) => ctx.index.delete(scope, path, deleted.version, deleted.at).await,
    }
}

/// Marks a version of a path that the index did not take, so that the sweeper tries again.
pub async fn owe(ctx: &Indexing, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
    let due = ctx.ambient.now().plus_millis(RETRY_MS);
    ctx.store.wiki().owe_indexing(scope, path, version, due).await
}

/// Retries the pending index update of a path, with its current state.
///
/// # Errors `SERVICE_UNAVAILABLE` while the index does not accept it: the path stays pending, for a minute later.
pub async fn due(ctx: &Indexing, scope: &Scope, path: &WikiPath) -> Result<()> {
    let (wiki, settings) = (ctx.store.wiki(), ctx.store.settings());
    let (record, settings) = tokio::join!(wiki.record(scope, path), settings.get(scope));
    let record = record?.ok_or_else(|| Error::internal("a path is owed to the index and is not there"))?;
    let version = record.version();
    match put(ctx, scope, &Analyzer::new(settings?.language), &record).await {
        Ok(()) => {
            // Gaps that were asked while the index lacked this entry could not find it.
            ctx.store.gaps().wiki_changed(scope).await?;
            wiki.indexed(scope, path, version).await
        }
        Err(error) => {
            let later = ctx.ambient.now().plus_millis(LATER_MS);
            wiki.owe_indexing(scope, path, version, later).await?;
            Err(error)
        }
    }
}
