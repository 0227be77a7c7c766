//! Counts a change for a tenant's figures once, with a marker next to the counters.

use crate::state::Changes;
use domain::Result;
use domain::change::Change;
use domain::statistics::increments_from_change;

/// Adds the change's increments to the counters.
pub(crate) async fn apply(state: &Changes, change: &Change) -> Result<()> {
    let increments = increments_from_change(change);
    if increments.is_empty() {
        return Ok(());
    }
    state.store.statistics().add(&change.scope, &change.record_id, &increments).await.map(drop)
}
