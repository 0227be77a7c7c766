//! What a change means to a tenant's figures: counted once, by a marker beside the counters.

use shared::statistics::increments_of;
use shared::store::stream::Change;
use shared::{Ctx, Result};

/// Counts what happened.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    let increments = increments_of(change);
    if increments.is_empty() {
        return Ok(());
    }
    ctx.store.statistics().add(&change.scope, &change.record_id, &increments).await.map(drop)
}
