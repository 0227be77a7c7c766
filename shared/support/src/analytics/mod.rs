//! The analytics function.
//!
//! [`report`] answers requests for figures from the tenant's daily counters, [`figures`] has the formulas and what a
//! plan shows, [`confidence`] has the answers by their confidence, [`gaps`] lists knowledge gaps and changes their status,
//! [`dislikes`] lists the answers that customers disliked.
//!
//! The clients and settings that the function needs.

pub mod dislikes;
pub mod figures;
pub mod recount;

use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::ClientProvider;
use edge::auth::Authenticator;

use crate::knowledge::gaps::api;

edge::function!("analytics", Analytics: [
    figures::GetAnalytics,
    figures::GetConfidence,
    dislikes::ListDislikedAnswers,
    api::ListGaps,
    api::UpdateGap,
    api::GetGap,
]);

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Analytics {
    pub(crate) authenticator: Authenticator,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
}

impl Analytics {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
        })
    }
}
