//! The clients and settings that the function needs.

use app::ClientProvider;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;

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
