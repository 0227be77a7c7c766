//! What a change means to knowledge gaps: a question without an answer is noted, a changed wiki calls for a review.

use app::Ctx;
use domain::Result;
use domain::change::Change;

/// Notes what is to be noted, once.
pub(crate) async fn apply(ctx: &Ctx, change: &Change) -> Result<()> {
    app::gaps::follow(ctx, change).await
}
