//! Answers that were made from an entry: pointers under its path, for who was told and for dry runs.

use crate::state::Changes;
use domain::Result;
use domain::change::{Change, Subject};

/// Writes the pointers to a new answer; idempotent.
pub(crate) async fn apply(state: &Changes, change: &Change) -> Result<()> {
    let Subject::Turn { session_id, old: None, new: Some(turn) } = &change.subject else { return Ok(()) };
    if !turn.sources().iter().any(|source| source.used) {
        return Ok(());
    }
    let (wiki, scope) = (state.store.wiki(), &change.scope);
    wiki.put_answer_pointers(scope, session_id, turn).await?;
    // A session that was erased meanwhile took its pointers with it before these were there.
    if state.store.sessions().get(scope, session_id).await?.is_none() {
        wiki.delete_answer_pointers(scope, session_id, turn).await?;
    }
    Ok(())
}
