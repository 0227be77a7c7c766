//! The analytics function.
//!
//! [`report`] answers requests for figures from the tenant's daily counters, [`figures`] has the formulas and what a
//! plan shows, [`gaps`] lists knowledge gaps and changes their status.

mod figures;
mod gaps;
mod report;

use app::Ctx;
use axum::routing::{get, patch};
use edge::Routes;

/// The function's name.
pub const NAME: &str = "analytics";

/// What the function serves.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new(NAME, ctx)
        .route("GET", "/api/v1/analytics", get(report::read_analytics))
        .route("GET", "/api/v1/analytics/kb-gaps", get(gaps::list_gaps))
        .route("PATCH", "/api/v1/analytics/kb-gaps/{id}", patch(gaps::change_gap))
}
