//! The analytics function: the figures of a tenant. It serves knowledge gaps as well, which are in `knowledge::gaps`.
//!
//! - [`figures`]: the figures of the daily counters, their formulas, and what a plan shows.
//! - [`dislikes`]: the answers that customers disliked.
//! - [`recount`]: the counters, computed from the table again.
//! - [`table`]: the daily counters, as they are stored.

pub mod dislikes;
pub mod figures;
pub mod recount;
pub mod table;

use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;

use crate::edge::ClientProvider;
use crate::edge::auth::Authenticator;
use crate::table::Store;

/// The state of the handlers.
pub(crate) type FunctionState = Analytics;

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
