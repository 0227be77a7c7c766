//! Reindexes a wiki whose language changed: its entries have other terms, so each is indexed again under its version.
//!
//! One due item per wiki stores the progress. The consumer of the settings change reindexes for about a second, which
//! suffices for a small wiki, and the sweeper continues in steps. A minute after the end everything is done once more,
//! because a writer that read the old settings may have indexed an entry in the old language.

use answer::search::IndexedEntry;
use futures::{StreamExt, TryStreamExt};

use super::IndexingService;
use aws::store::{Reindexing, WikiRecord};
use domain::Result;
use domain::models::Scope;
use text::Analyzer;

/// Records that are read at a time.
const PAGE: i32 = 64;
/// Records that are put at a time.
const AT_ONCE: usize = 8;
/// How long a call continues, in milliseconds: the consumer delays a batch of the stream, the sweeper nothing.
const FIRST_MS: i64 = 1_000;
const SWEEP_BUDGET_MS: i64 = 10_000;
/// When the second time through begins, in milliseconds.
const SECOND_PASS_AFTER_MS: i64 = 60_000;

/// Starts a reindex because of the change of settings named `because`. If the index is down, the sweeper continues.
pub async fn begin(ctx: &IndexingService, scope: &Scope, because: &str) -> Result<()> {
    let first = Reindexing { began_with: because.to_owned(), second: false, after: None };
    ctx.store.wiki().begin_reindexing(scope, &first, ctx.runtime.now()).await?;
    if let Err(error) = continue_reindex(ctx, scope, FIRST_MS).await {
        tracing::warn!(%error, "failed to reindex a wiki in its new language; the sweeper continues");
    }
    Ok(())
}

/// Goes on where it was left, for at most ten seconds.
pub async fn due(ctx: &IndexingService, scope: &Scope) -> Result<()> {
    continue_reindex(ctx, scope, SWEEP_BUDGET_MS).await
}

async fn continue_reindex(ctx: &IndexingService, scope: &Scope, patience_ms: i64) -> Result<()> {
    let wiki = ctx.store.wiki();
    let until = ctx.runtime.now().plus_millis(patience_ms);
    while let Some(seen) = wiki.reindexing(scope).await? {
        let records = wiki.records(scope, seen.after.as_ref(), PAGE).await?;
        let now = ctx.runtime.now();
        let Some(last) = records.last().map(|record| record.path().clone()) else {
            // Gaps are asked again with the terms that the index has now.
            ctx.store.gaps().schedule_review(scope).await?;
            if seen.second {
                return wiki.end_reindexing(scope, &seen).await;
            }
            let again = Reindexing { second: true, after: None, ..seen.clone() };
            return wiki.save_reindexing(scope, &seen, &again, now.plus_millis(SECOND_PASS_AFTER_MS)).await;
        };
        replace_all(ctx, scope, records).await?;
        let further = Reindexing { after: Some(last), ..seen.clone() };
        wiki.save_reindexing(scope, &seen, &further, now).await?;
        if ctx.runtime.now() >= until {
            return Ok(());
        }
    }
    Ok(())
}

async fn replace_all(ctx: &IndexingService, scope: &Scope, records: Vec<WikiRecord>) -> Result<()> {
    let language = ctx.store.settings().get(scope).await?.language;
    let analyzer = &Analyzer::new(language);
    let replaced = records.into_iter().map(|record| replace(ctx, scope, analyzer, record));
    futures::stream::iter(replaced).buffer_unordered(AT_ONCE).try_collect().await
}

async fn replace(ctx: &IndexingService, scope: &Scope, analyzer: &Analyzer, record: WikiRecord) -> Result<()> {
    match record {
        WikiRecord::Entry(entry) => ctx.index.replace(scope, &IndexedEntry::new(analyzer, &entry)).await,
        // A tombstone has no words.
        WikiRecord::Deleted(..) => Ok(()),
    }
}
