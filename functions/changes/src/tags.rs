//! The tags of a session, on its requests for a human: the inbox lists those by tag.

use crate::state::Changes;
use domain::Result;
use domain::change::{Change, Subject};

/// Shows the tags that a session has now, if they changed.
pub(crate) async fn apply(state: &Changes, change: &Change) -> Result<()> {
    let Subject::Session { old: Some(old), new: Some(new) } = &change.subject else { return Ok(()) };
    if old.tags == new.tags {
        return Ok(());
    }
    // The newest, and not those of this change: the change may be delivered again, after a later one.
    let Some(now) = state.store.sessions().get(&change.scope, &new.session_id).await? else { return Ok(()) };
    state.store.escalations().set_tags(&change.scope, &now.session_id, &now.tags).await
}
