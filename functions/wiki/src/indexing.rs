//! Indexes a write before the response, so that its writer can search at once.
//!
//! The write itself has committed: if the index or the read of the language fails, that is logged, the path is marked
//! as pending, and the response does not change.

use answer::search::IndexedEntry;
use std::time::Duration;

use crate::state::Wiki;
use aws::store::DeletedEntry;
use domain::models::{Scope, Settings, WikiEntry, WikiPath};
use domain::{Error, Result};
use text::Analyzer;

/// How long a write waits for the index.
const INDEX_TIMEOUT: Duration = Duration::from_secs(3);

/// Indexes an entry that was just written. `settings` say in which language; they are read while the write runs.
pub(crate) async fn entry_written(state: &Wiki, scope: &Scope, entry: &WikiEntry, settings: Result<Settings>) {
    let attempt = async {
        let analyzer = Analyzer::new(settings?.language);
        state.index.put(scope, &IndexedEntry::new(&analyzer, entry)).await
    };
    schedule_if_failed(state, scope, &entry.path, entry.version, with_timeout(attempt).await).await;
}

/// Takes an entry that was just deleted out of the index.
pub(crate) async fn entry_deleted(state: &Wiki, scope: &Scope, path: &WikiPath, deleted: &DeletedEntry) {
    let attempt = state.index.delete(scope, path, deleted.version, deleted.at);
    schedule_if_failed(state, scope, path, deleted.version, with_timeout(attempt).await).await;
}

async fn with_timeout(attempt: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::time::timeout(INDEX_TIMEOUT, attempt)
        .await
        .unwrap_or_else(|_| Err(Error::unavailable("the index timed out")))
}

/// Marks a path as pending if indexing failed, so that it is retried.
async fn schedule_if_failed(state: &Wiki, scope: &Scope, path: &WikiPath, version: u64, outcome: Result<()>) {
    let Err(error) = outcome else { return };
    tracing::warn!(entry.path = %path, entry.version = version, error = %error, "stored an entry but failed to index it; the sweeper retries");
    if let Err(error) = app::jobs::indexing::schedule_indexing(&state.indexing, scope, path, version).await {
        tracing::error!(entry.path = %path, entry.version = version, error = %error, "failed to schedule the indexing of an entry; the change stream schedules it again");
    }
}
