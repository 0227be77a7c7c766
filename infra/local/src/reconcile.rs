//! Brings the index up to date after a start: every record of the table is indexed again, deletions included.
//!
//! The index ignores versions that it has, so a pass over a current index writes nothing. A lost index is rebuilt, and
//! updates that a crash prevented arrive.

use std::collections::HashMap;
use std::sync::Arc;

use app::jobs::indexing::{self, IndexingService};
use aws::store::WikiRecord;
use domain::Result;
use domain::models::Scope;
use futures::{StreamExt, TryStreamExt};
use text::Analyzer;

use crate::resources::Resources;

/// The number of concurrent index calls; the index commits them together.
const CONCURRENCY: usize = 64;

/// Brings the index to the state of the table.
pub(crate) async fn reconcile(resources: &Resources) -> Result<()> {
    let indexing = &IndexingService::new(resources)?;
    let mut analyzers: HashMap<Scope, Arc<Analyzer>> = HashMap::new();
    let mut next = None;
    loop {
        let page = resources.store.wiki().scan(next).await?;
        let mut work = Vec::with_capacity(page.records.len());
        for (scope, record) in page.records {
            let analyzer = match analyzers.get(&scope) {
                Some(known) => Arc::clone(known),
                None => {
                    let settings = resources.store.settings().get(&scope).await?;
                    let analyzer = Arc::new(Analyzer::new(settings.language));
                    analyzers.insert(scope.clone(), Arc::clone(&analyzer));
                    analyzer
                }
            };
            work.push((scope, analyzer, record));
        }
        let puts = work.into_iter().map(|(scope, analyzer, record)| put(indexing, scope, analyzer, record));
        futures::stream::iter(puts).buffer_unordered(CONCURRENCY).try_collect::<()>().await?;
        match page.next {
            Some(position) => next = Some(position),
            None => return Ok(()),
        }
    }
}

async fn put(indexing: &IndexingService, scope: Scope, analyzer: Arc<Analyzer>, record: WikiRecord) -> Result<()> {
    indexing::put(indexing, &scope, &analyzer, &record).await
}
