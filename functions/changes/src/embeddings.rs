//! The vectors of an entry's passages: queues a changed entry for the embedding worker, and deletes the vectors of a
//! deleted one.

use crate::state::Changes;
use app::jobs::embedding;
use domain::Result;
use domain::change::{Change, Subject};

/// Queues a changed entry for the embedding worker, and deletes the vectors of a deleted one.
pub(crate) async fn apply(state: &Changes, change: &Change) -> Result<()> {
    let Subject::Entry { path, old, new } = &change.subject else { return Ok(()) };
    if new.version <= old.version {
        return Ok(());
    }
    if new.entry.is_none() {
        return state.store.vectors().delete(&change.scope, path).await;
    }
    if state.embeds
        && let Err(error) = embedding::enqueue(&state.embedding_queue, &change.scope, path).await
    {
        // Not retried here: the index shows that the entry has no vectors, and the sweeper queues it.
        tracing::warn!(entry.path = %path, error = %error, "failed to queue an entry for embedding; the sweeper queues it again");
    }
    Ok(())
}
