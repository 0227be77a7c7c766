//! Decisions of trainers about a gap: dismiss it, or open it again.

use aws::store::Store;
use domain::gaps::{GapTriage, triaged};
use domain::models::{Gap, GapId, GapStatus, Scope};
use domain::{Error, Result};

/// Dismisses a gap or opens it again; the gap after that. What is so already changes nothing.
///
/// A gap that was dismissed was not asked again when the wiki changed, so opening it makes a review due.
///
/// # Errors
/// 404 for one that does not exist, 409 `INVALID_STATE` for opening what was not dismissed, 503 if the table does
/// not answer.
pub async fn triage(store: &Store, scope: &Scope, id: &GapId, triage: GapTriage) -> Result<Gap> {
    let gaps = store.gaps();
    let missing = || Error::not_found("knowledge gap");
    let seen = gaps.get(scope, id).await?.ok_or_else(missing)?;
    // Due before it is open: a request that dies in between leaves a review too many, never one too few.
    if triage == GapTriage::Open && seen.status == GapStatus::Dismissed {
        gaps.schedule_review(scope).await?;
    }
    gaps.update(scope, id, |gap| triaged(gap, triage)).await?.ok_or_else(missing)
}
