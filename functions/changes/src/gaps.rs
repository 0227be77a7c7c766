//! What a change means to knowledge gaps: a question without an answer is noted, a changed wiki calls for a review.

use shared::store::stream::Change;
use shared::{Ctx, Result};

/// Notes what is to be noted, once.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    shared::gaps::follow(ctx, change).await
}
