//! What entries were: the version that a change replaced or deleted is kept beside them.

use app::Ctx;
use domain::Result;
use domain::change::{Change, Subject};

/// Keeps the version that is gone; those of a deleted entry are erased in the end.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Entry { path, old, new } => app::revisions::follow(ctx, &change.scope, path, old, new).await,
        _ => Ok(()),
    }
}
