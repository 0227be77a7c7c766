//! Reindexes a wiki whose language changed: its entries have other terms, so each is indexed again under its version.
//!
//! One due item per wiki stores the progress. The consumer of the settings change reindexes for about a second, which
//! suffices for a small wiki, and the sweeper continues in steps. A minute after the end everything is done once more,
//! because a writer that read the old settings may have indexed an entry in the old language.

use answer::search::IndexedEntry;
use futures::{StreamExt, TryStreamExt};

use super::IndexingService;
use aws::store::{Reindexing, Store, WikiRecord};
use domain::Result;
use domain::clock::Runtime;
use domain::models::Scope;
use text::Analyzer;

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
pub async fn begin(service: &IndexingService, scope: &Scope, trigger: &str) -> Result<()> {
    let first = Reindexing { began_with: trigger.to_owned(), second: false, after: None };
    service.store.wiki().begin_reindexing(scope, &first, service.runtime.now()).await?;
    if let Err(error) = continue_reindex(service, scope, INLINE_BUDGET_MS).await {
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
pub async fn due(service: &IndexingService, scope: &Scope) -> Result<()> {
    continue_reindex(service, scope, SWEEP_BUDGET_MS).await
}

async fn continue_reindex(service: &IndexingService, scope: &Scope, budget_ms: i64) -> Result<()> {
    let wiki = service.store.wiki();
    let until = service.runtime.now().plus_millis(budget_ms);
    while let Some(seen) = wiki.get_reindexing(scope).await? {
        let records = wiki.list_records(scope, seen.after.as_ref(), BATCH_SIZE).await?;
        let now = service.runtime.now();
        let Some(last) = records.last().map(|record| record.path().clone()) else {
            // Gaps are asked again with the terms that the index has now.
            service.store.gaps().schedule_review(scope).await?;
            if seen.second {
                return wiki.end_reindexing(scope, &seen).await;
            }
            let again = Reindexing { second: true, after: None, ..seen.clone() };
            return wiki.save_reindexing(scope, &seen, &again, now.plus_millis(SECOND_PASS_AFTER_MS)).await;
        };
        reindex_batch(service, scope, records).await?;
        let further = Reindexing { after: Some(last), ..seen.clone() };
        wiki.save_reindexing(scope, &seen, &further, now).await?;
        if service.runtime.now() >= until {
            return Ok(());
        }
    }
    Ok(())
}

async fn reindex_batch(service: &IndexingService, scope: &Scope, records: Vec<WikiRecord>) -> Result<()> {
    let language = service.store.settings().get(scope).await?.language;
    let analyzer = &Analyzer::new(language);
    let replaced = records.into_iter().map(|record| reindex_entry(service, scope, analyzer, record));
    futures::stream::iter(replaced).buffer_unordered(CONCURRENCY).try_collect().await
}

async fn reindex_entry(
    service: &IndexingService,
    scope: &Scope,
    analyzer: &Analyzer,
    record: WikiRecord,
) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => service.index.replace(scope, &IndexedEntry::new(analyzer, &entry)).await,
        // A tombstone has no words.
        WikiRecord::Deleted(..) => Ok(()),
    }
}
