//! The analytics function.
//!
//! [`report`] answers requests for figures from the tenant's daily counters, [`figures`] has the formulas and what a
//! plan shows, [`gaps`] lists knowledge gaps and changes their status.

mod figures;
mod gaps;
mod report;
mod state;

pub use state::Analytics;

edge::function!("analytics", Analytics: [
    report::GetAnalytics,
    gaps::ListGaps,
    gaps::UpdateGap,
]);
