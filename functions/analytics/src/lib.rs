//! The analytics function.
//!
//! [`report`] answers requests for figures from the tenant's daily counters, [`figures`] has the formulas and what a
//! plan shows, [`gaps`] lists knowledge gaps and changes their status.

mod figures;
mod gaps;
mod report;

use app::Provider;
use aws::store::Store;
use axum::extract::FromRef;
use axum::routing::{get, patch};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::Authenticator;

/// The function's name.
pub const NAME: &str = "analytics";

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Analytics {
    pub(crate) authenticator: Authenticator,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
}

impl Analytics {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
        })
    }
}

/// What the function serves.
#[must_use]
pub fn routes(state: Analytics) -> Routes {
    Routes::new(NAME)
        .route("GET", "/api/v1/analytics", get(report::read_analytics))
        .route("GET", "/api/v1/analytics/kb-gaps", get(gaps::list_gaps))
        .route("PATCH", "/api/v1/analytics/kb-gaps/{id}", patch(gaps::change_gap))
        .with_state(state)
}
