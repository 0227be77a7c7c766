//! Updates the wiki index with the current state of a path, under its own version.
//!
//! Usually the writer has indexed it already, and the index accepts a version once. A change without a new version is
//! bookkeeping, such as a pending mark, and is ignored.

use app::jobs::indexing;
use app::jobs::indexing::reindex;
use aws::store::{DeletedEntry, WikiRecord};
use domain::Result;
use domain::change::{Change, EntryState, Subject};
use domain::models::WikiPath;

use crate::batch::Batch;

/// Indexes an entry that changed, and a wiki whose language changed.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Entry { path, old, new } if new.version > old.version => entry(batch, change, path, new).await,
        Subject::Settings { old, new } if new.language != old.language => {
            reindex::begin(&batch.state.indexing, &change.scope, &change.record_id).await
        }
        _ => Ok(()),
    }
}

async fn entry(batch: &Batch<'_>, change: &Change, path: &WikiPath, new: &EntryState) -> Result<()> {
    let scope = &change.scope;
    if !batch.is_index_down() {
        let analyzer = batch.analyzer(scope).await?;
        let deleted = || DeletedEntry {
            version: new.version,
            at: new.deleted_at.unwrap_or(change.at),
            by: new.deleted_by.clone(),
        };
        let record = new.entry.clone().map_or_else(|| WikiRecord::Deleted(path.clone(), deleted()), WikiRecord::Entry);
        match indexing::put(&batch.state.indexing, scope, &analyzer, &record).await {
            Ok(()) => return Ok(()),
            Err(error) => {
                tracing::warn!(entry.path = %path, entry.version = new.version, error = %error, "failed to index an entry; the sweeper retries");
                batch.mark_index_down();
            }
        }
    }
    indexing::schedule_indexing(&batch.state.indexing, scope, path, new.version).await
}
