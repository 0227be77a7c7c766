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
use domain::Result;
use domain::clock::Ambient;
use edge::auth::Authenticator;

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

edge::function!("analytics", Analytics: [
    report::GetAnalytics,
    gaps::ListGaps,
    gaps::UpdateGap,
]);
