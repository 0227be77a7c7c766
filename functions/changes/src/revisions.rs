//! What entries were: the version that a change replaced or deleted is kept beside them.

use shared::store::stream::{Change, Subject};
use shared::{Ctx, Result};

/// Keeps the version that is gone.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Entry { old, new, .. } if new.version > old.version => match &old.entry {
            Some(entry) => ctx.store.wiki().keep_revision(&change.scope, entry).await,
            None => Ok(()),
        },
        _ => Ok(()),
    }
}
