//! What entries were: the version that a change replaced or deleted is kept beside them.

use shared::store::stream::{Change, Subject};
use shared::{Ctx, Result};

/// Keeps the version that is gone; those of a deleted entry are erased in the end.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Entry { path, old, new } => shared::revisions::follow(ctx, &change.scope, path, old, new).await,
        _ => Ok(()),
    }
}
