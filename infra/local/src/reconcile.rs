//! The index after a start: whatever the table has is put again, deletions included.
//!
//! The index refuses what it has already, so a pass over an index that is up to date writes nothing; an index that was
//! lost is made anew, and what a crash kept from it arrives.

use std::collections::HashMap;

use shared::models::Scope;
use shared::store::WikiRecord;
use shared::text::Analyzer;
use shared::{Ctx, Result};

/// Brings the index to the table's state.
pub(crate) async fn reconcile(ctx: &Ctx) -> Result<()> {
    let wiki = ctx.store.wiki();
    let mut analyzers: HashMap<Scope, Analyzer> = HashMap::new();
    let mut next = None;
    loop {
        let page = wiki.every(next).await?;
        for (scope, record) in page.records {
            if !analyzers.contains_key(&scope) {
                let settings = ctx.store.settings().get(&scope).await?;
                analyzers.insert(scope.clone(), Analyzer::new(settings.language));
            }
            match (record, analyzers.get(&scope)) {
                (WikiRecord::Entry(entry), Some(analyzer)) => {
                    ctx.index.put(&scope, &analyzer.index_entry(&entry)).await?;
                }
                (WikiRecord::Deleted(path, deleted), _) => {
                    ctx.index.delete(&scope, &path, deleted.version, deleted.at).await?;
                }
                (WikiRecord::Entry(_), None) => {}
            }
        }
        match page.next {
            Some(position) => next = Some(position),
            None => return Ok(()),
        }
    }
}
