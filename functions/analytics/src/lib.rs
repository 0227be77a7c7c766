//! The analytics function.
//!
//! [`report`] answers requests for figures from the tenant's daily counters, [`figures`] has the formulas and what a
//! plan shows, [`confidence`] has the answers by their confidence, [`gaps`] lists knowledge gaps and changes their status,
//! [`dislikes`] lists the answers that customers disliked.

mod confidence;
mod dislikes;
mod figures;
mod gaps;
mod report;
mod state;

pub use state::Analytics;

edge::function!("analytics", Analytics: [
    report::GetAnalytics,
    confidence::GetConfidence,
    dislikes::ListDislikedAnswers,
    gaps::ListGaps,
    gaps::UpdateGap,
    gaps::GetGap,
]);
