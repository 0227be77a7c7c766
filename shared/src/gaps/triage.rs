//! What people decide about a gap: that the wiki need not answer it, and that it should after all.

use super::fold;
use crate::models::{Gap, GapId, GapStatus, Scope};
use crate::{Ctx, Error, Result};

/// What is decided about a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Triage {
    /// The wiki need not answer it: it counts on, and is no longer listed as open.
    Dismiss,
    /// It is an open gap again.
    Open,
}

/// Dismisses a gap or opens it again; the gap after that. What is so already changes nothing.
///
/// A gap that was dismissed was not asked again when the wiki changed, so opening it makes a review due.
///
/// # Errors
/// 404 for one that does not exist, 409 `INVALID_STATE` for opening what was not dismissed, 503 where the table does not
/// answer.
pub async fn triage(ctx: &Ctx, scope: &Scope, id: &GapId, triage: Triage) -> Result<Gap> {
    let gaps = ctx.store.gaps();
    let missing = || Error::not_found("knowledge gap");
    let seen = gaps.get(scope, id).await?.ok_or_else(missing)?;
    // Due before it is open: a request that dies in between leaves a review too many, never one too few.
    if triage == Triage::Open && seen.status == GapStatus::Dismissed {
        gaps.wiki_changed(scope).await?;
    }
    gaps.change(scope, id, |gap| fold::triaged(gap, triage)).await?.ok_or_else(missing)
}
