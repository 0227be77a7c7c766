//! Indexes every record of the table, or of some wikis, deletions included: after a start of the local service, and for a
//! rebuild.
//!
//! The index ignores versions that it has, so a pass over a current index writes nothing. A lost index is rebuilt, and
//! updates that a crash prevented arrive.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt};

use super::IndexingService;
use crate::jobs::embedding::stored_vectors;
use answer::search::IndexedEntry;
use aws::store::WikiRecord;
use domain::Result;
use domain::models::{EmbeddingSpace, Scope};
use text::Analyzer;

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
/// # Errors
/// `SERVICE_UNAVAILABLE` when table or index do not answer, after several attempts at the index.
pub async fn index_table(
    service: &IndexingService,
    options: FromTable<'_>,
    progress: &(impl Fn(u64) + Sync),
) -> Result<u64> {
    let mut analyzers: HashMap<Scope, Arc<Analyzer>> = HashMap::new();
    let (mut next, mut count) = (None, 0);
    loop {
        let page = service.store.wiki().scan(next).await?;
        let mut work = Vec::with_capacity(page.records.len());
        for (scope, record) in page.records {
            let analyzer = match analyzers.get(&scope) {
                Some(known) => Arc::clone(known),
                None => {
                    let settings = service.store.settings().get(&scope).await?;
                    let analyzer = Arc::new(Analyzer::new(settings.language));
                    analyzers.insert(scope.clone(), Arc::clone(&analyzer));
                    analyzer
                }
            };
            work.push((scope, analyzer, record));
        }
        count += work.len() as u64;
        index_records(service, options, work).await?;
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
pub async fn index_wiki(service: &IndexingService, scope: &Scope, options: FromTable<'_>) -> Result<()> {
    let mut records = service.store.wiki().list_records(scope, None, RECORDS_PER_PAGE).await?;
    if records.is_empty() {
        return Ok(());
    }
    let analyzer = Arc::new(Analyzer::new(service.store.settings().get(scope).await?.language));
    while let Some(last) = records.last().map(|record| record.path().clone()) {
        let work = records.into_iter().map(|record| (scope.clone(), Arc::clone(&analyzer), record)).collect();
        index_records(service, options, work).await?;
        records = service.store.wiki().list_records(scope, Some(&last), RECORDS_PER_PAGE).await?;
    }
    Ok(())
}

/// A record with its wiki and the analyzer of that.
type Work = (Scope, Arc<Analyzer>, WikiRecord);

async fn index_records(service: &IndexingService, options: FromTable<'_>, work: Vec<Work>) -> Result<()> {
    let puts = work.into_iter().map(|work| index_record(service, options.space, work));
    futures::stream::iter(puts).buffer_unordered(options.concurrency).try_collect::<()>().await
}

async fn index_record(
    service: &IndexingService,
    space: Option<&EmbeddingSpace>,
    (scope, analyzer, record): Work,
) -> Result<()> {
    for delay in RETRY_DELAYS {
        match put_with_vectors(service, space, &scope, &analyzer, &record).await {
            Ok(()) => return Ok(()),
            Err(error) => {
                tracing::warn!(error = %error, entry.path = %record.path(), "failed to index an entry; retrying");
                tokio::time::sleep(delay).await;
            }
        }
    }
    put_with_vectors(service, space, &scope, &analyzer, &record).await
}

async fn put_with_vectors(
    service: &IndexingService,
    space: Option<&EmbeddingSpace>,
    scope: &Scope,
    analyzer: &Analyzer,
    record: &WikiRecord,
) -> Result<()> {
    let (WikiRecord::Entry(entry), Some(space)) = (record, space) else {
        return super::put(service, scope, analyzer, record).await;
    };
    let mut indexed = IndexedEntry::new(analyzer, entry);
    indexed.vectors = stored_vectors(&service.store, scope, entry, space).await?;
    service.index.put(scope, &indexed).await
}
