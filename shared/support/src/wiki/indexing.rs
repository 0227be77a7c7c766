//! Connects store and search, which do not know each other.
//!
//! An entry is indexed by its writer, so that it can be searched at once; by the stream, which guarantees it; and if
//! the index did not answer, by the sweeper, for which the path is marked as pending ([`schedule_indexing`], [`due`]).
//! All write the same: the index accepts a version once, in any order. [`begin`] reindexes a wiki whose language
//! changed, [`rebuild`] replaces the whole index, and [`index_table`] indexes all that the table has.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use answer::search::IndexedEntry;
use domain::clock::Runtime;
use domain::models::{EmbeddingSpace, Scope, WikiPath};
use domain::{Error, Result};
use futures::{StreamExt, TryStreamExt};
use text::Analyzer;

use crate::edge::{App, ClientProvider};
use crate::table::Store;
use crate::wiki::embedding::{self, stored_vectors};
use crate::wiki::table::WikiRecord;
use crate::wiki::table::index::Reindexing;

/// After how long the sweeper tries again what the index did not take, in milliseconds.
const FIRST_RETRY_DELAY_MS: i64 = 5_000;
/// The same, if it failed with the sweeper too.
const RETRY_DELAY_MS: i64 = 60_000;

/// Puts what a path holds into the index: an entry, or that it was deleted.
pub async fn put(app: &App, scope: &Scope, analyzer: &Analyzer, record: &WikiRecord) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => app.index()?.put(scope, &IndexedEntry::new(analyzer, entry)).await,
        WikiRecord::Deleted(path, deleted) => app.index()?.delete(scope, path, deleted.version, deleted.at).await,
    }
}

/// Makes what was put before searchable.
pub(crate) async fn make_searchable(app: &App) -> Result<()> {
    app.index()?.refresh().await
}

/// Marks a version of a path that the index did not take, so that the sweeper tries again.
pub(crate) async fn schedule_indexing(app: &App, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
    let due = app.runtime.now().plus_millis(FIRST_RETRY_DELAY_MS);
    app.store.wiki().schedule_indexing(scope, path, version, due).await
}

/// Retries the pending index update of a path, with its current state.
///
/// # Errors `SERVICE_UNAVAILABLE` while the index does not accept it: the path stays pending, for a minute later.
pub async fn due(app: &App, scope: &Scope, path: &WikiPath) -> Result<()> {
    let (wiki, settings) = (app.store.wiki(), app.store.settings());
    let (record, settings) = tokio::join!(wiki.get_record(scope, path), settings.get(scope));
    let record = record?.ok_or_else(|| Error::internal("a path is pending for the index and is not there"))?;
    let version = record.version();
    match put(app, scope, &Analyzer::new(settings?.language), &record).await {
        Ok(()) => {
            // Gaps that were asked while the index lacked this entry could not find it.
            app.store.gaps().schedule_review(scope).await?;
            wiki.mark_indexed(scope, path, version).await
        }
        Err(error) => {
            let later = app.runtime.now().plus_millis(RETRY_DELAY_MS);
            wiki.schedule_indexing(scope, path, version, later).await?;
            Err(error)
        }
    }
}

/// How often and after which times a write is repeated that the index did not take, such as one that it throttles.
const RETRY_DELAYS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// The records of a wiki that are read at a time.
const RECORDS_PER_PAGE: i32 = 500;

/// How the table is indexed.
#[derive(Debug, Clone, Copy)]
pub struct FromTable<'a> {
    /// The number of concurrent index calls.
    pub concurrency: usize,
    /// Adds the stored vectors of this space.
    pub space: Option<&'a EmbeddingSpace>,
}

/// Brings the index to the state of the table; `progress` is told the number of records so far. Returns their number.
///
/// Deletions are included. It runs after a start of the local service, and for a rebuild. The index ignores versions
/// that it has, so a pass over a current index writes nothing. A lost index is rebuilt, and updates that a crash
/// prevented arrive.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when table or index do not answer, after several attempts at the index.
async fn index_table(app: &App, options: FromTable<'_>, progress: &(impl Fn(u64) + Sync)) -> Result<u64> {
    let mut analyzers: HashMap<Scope, Arc<Analyzer>> = HashMap::new();
    let (mut next, mut count) = (None, 0);
    loop {
        let page = app.store.wiki().scan(next).await?;
        let mut work = Vec::with_capacity(page.records.len());
        for (scope, record) in page.records {
            let analyzer = match analyzers.get(&scope) {
                Some(known) => Arc::clone(known),
                None => {
                    let settings = app.store.settings().get(&scope).await?;
                    let analyzer = Arc::new(Analyzer::new(settings.language));
                    analyzers.insert(scope.clone(), Arc::clone(&analyzer));
                    analyzer
                }
            };
            work.push((scope, analyzer, record));
        }
        count += work.len() as u64;
        index_records(app, options, work).await?;
        progress(count);
        match page.next {
            Some(position) => next = Some(position),
            None => return Ok(count),
        }
    }
}

/// Brings the index to the state of a wiki, and reads nothing else of the table.
///
/// # Errors
/// As [`index_table`].
pub async fn index_wiki(app: &App, scope: &Scope, options: FromTable<'_>) -> Result<()> {
    let mut records = app.store.wiki().list_records(scope, None, RECORDS_PER_PAGE).await?;
    if records.is_empty() {
        return Ok(());
    }
    let analyzer = Arc::new(Analyzer::new(app.store.settings().get(scope).await?.language));
    while let Some(last) = records.last().map(|record| record.path().clone()) {
        let work = records.into_iter().map(|record| (scope.clone(), Arc::clone(&analyzer), record)).collect();
        index_records(app, options, work).await?;
        records = app.store.wiki().list_records(scope, Some(&last), RECORDS_PER_PAGE).await?;
    }
    Ok(())
}

/// A record with its wiki and the analyzer of that.
type Work = (Scope, Arc<Analyzer>, WikiRecord);

async fn index_records(app: &App, options: FromTable<'_>, work: Vec<Work>) -> Result<()> {
    let puts = work.into_iter().map(|work| index_record(app, options.space, work));
    futures::stream::iter(puts).buffer_unordered(options.concurrency).try_collect::<()>().await
}

async fn index_record(app: &App, space: Option<&EmbeddingSpace>, (scope, analyzer, record): Work) -> Result<()> {
    for delay in RETRY_DELAYS {
        match put_with_vectors(app, space, &scope, &analyzer, &record).await {
            Ok(()) => return Ok(()),
            Err(error) => {
                tracing::warn!(error = %error, entry.path = %record.path(), "failed to index an entry; retrying");
                tokio::time::sleep(delay).await;
            }
        }
    }
    put_with_vectors(app, space, &scope, &analyzer, &record).await
}

async fn put_with_vectors(
    app: &App,
    space: Option<&EmbeddingSpace>,
    scope: &Scope,
    analyzer: &Analyzer,
    record: &WikiRecord,
) -> Result<()> {
    let (WikiRecord::Entry(entry), Some(space)) = (record, space) else {
        return put(app, scope, analyzer, record).await;
    };
    let mut indexed = IndexedEntry::new(analyzer, entry);
    indexed.vectors = stored_vectors(&app.store, scope, entry, space).await?;
    app.index()?.put(scope, &indexed).await
}

/// Records that are read at a time.
const BATCH_SIZE: i32 = 64;
/// Records that are put at a time.
const CONCURRENCY: usize = 8;
/// How long a call continues, in milliseconds: the consumer delays a batch of the stream, the sweeper nothing.
const INLINE_BUDGET_MS: i64 = 1_000;
const SWEEP_BUDGET_MS: i64 = 10_000;
/// When the second time through begins, in milliseconds.
const SECOND_PASS_AFTER_MS: i64 = 60_000;

/// Starts a reindex because of the change of settings named `trigger`. If the index is down, the sweeper continues.
///
/// The entries of a wiki whose language changed have other terms, so each is indexed again under its version. One due
/// item per wiki stores the progress. The consumer of the settings change reindexes for about a second, which suffices
/// for a small wiki, and the sweeper continues in steps. A minute after the end everything is done once more, because a
/// writer that read the old settings may have indexed an entry in the old language.
pub async fn begin(app: &App, scope: &Scope, trigger: &str) -> Result<()> {
    let first = Reindexing { began_with: trigger.to_owned(), second: false, after: None };
    app.store.wiki().begin_reindexing(scope, &first, app.runtime.now()).await?;
    if let Err(error) = continue_reindex(app, scope, INLINE_BUDGET_MS).await {
        tracing::warn!(error = %error, "failed to reindex a wiki in its new language; the sweeper continues");
    }
    Ok(())
}

/// Starts a reindex that the operator named `because`; the sweeper does it.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn order(store: &Store, runtime: &Runtime, scope: &Scope, because: &str) -> Result<()> {
    let first = Reindexing { began_with: because.to_owned(), second: false, after: None };
    store.wiki().begin_reindexing(scope, &first, runtime.now()).await
}

/// Goes on where it was left, for at most ten seconds.
pub(crate) async fn reindex_due(app: &App, scope: &Scope) -> Result<()> {
    continue_reindex(app, scope, SWEEP_BUDGET_MS).await
}

async fn continue_reindex(app: &App, scope: &Scope, budget_ms: i64) -> Result<()> {
    let wiki = app.store.wiki();
    let until = app.runtime.now().plus_millis(budget_ms);
    while let Some(seen) = wiki.get_reindexing(scope).await? {
        let records = wiki.list_records(scope, seen.after.as_ref(), BATCH_SIZE).await?;
        let now = app.runtime.now();
        let Some(last) = records.last().map(|record| record.path().clone()) else {
            // Gaps are asked again with the terms that the index has now.
            app.store.gaps().schedule_review(scope).await?;
            if seen.second {
                return wiki.end_reindexing(scope, &seen).await;
            }
            let again = Reindexing { second: true, after: None, ..seen.clone() };
            return wiki.save_reindexing(scope, &seen, &again, now.plus_millis(SECOND_PASS_AFTER_MS)).await;
        };
        reindex_batch(app, scope, records).await?;
        let further = Reindexing { after: Some(last), ..seen.clone() };
        wiki.save_reindexing(scope, &seen, &further, now).await?;
        if app.runtime.now() >= until {
            return Ok(());
        }
    }
    Ok(())
}

async fn reindex_batch(app: &App, scope: &Scope, records: Vec<WikiRecord>) -> Result<()> {
    let language = app.store.settings().get(scope).await?.language;
    let analyzer = &Analyzer::new(language);
    let replaced = records.into_iter().map(|record| reindex_entry(app, scope, analyzer, record));
    futures::stream::iter(replaced).buffer_unordered(CONCURRENCY).try_collect().await
}

async fn reindex_entry(app: &App, scope: &Scope, analyzer: &Analyzer, record: WikiRecord) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => app.index()?.replace(scope, &IndexedEntry::new(analyzer, &entry)).await,
        // A tombstone has no words.
        WikiRecord::Deleted(..) => Ok(()),
    }
}

/// Concurrent writes of a rebuild: few enough for the smallest search domain.
const REBUILD_CONCURRENCY: usize = 16;

/// After this time no request of before the switch is running: more than the timeouts of two attempts.
pub const REQUESTS_END_AFTER: Duration = Duration::from_secs(10);

/// Rebuilds the index; `progress` is told the number of entries so far. Returns how many records the new index got, or
/// none for an index that needs no rebuild. `requests_end_after` is the time from the switch until the old index is
/// deleted.
///
/// The next index, under the mapping of this version, gets every record of the table, and each write meanwhile. Then
/// searches and writes switch to it in one step. Functions of an older release may have written to the old index only,
/// so the table is indexed once more. At last the old index is deleted.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when table or index do not answer: the index is as it was, and a repetition starts again. 409 if
/// another rebuild began meanwhile.
pub async fn rebuild(
    clients: &impl ClientProvider,
    requests_end_after: Duration,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Option<u64>> {
    let app = App::with_index(clients).await?;
    let Some(index) = app.index()?.as_rebuild() else { return Ok(None) };
    let space = match &app.embedder {
        Some(embedder) => Some(embedding::known(&app.store, embedder).await?),
        None => None,
    };
    let options = FromTable { concurrency: REBUILD_CONCURRENCY, space: space.as_ref() };
    let next = index.begin_rebuild().await?;
    let records = index_table(&app, options, progress).await?;
    index.switch_to(&next).await?;
    tokio::time::sleep(requests_end_after).await;
    index_table(&app, options, progress).await?;
    index.delete_replaced().await?;
    Ok(Some(records))
}
