//! The clients and settings that the function needs.

use app::ClientProvider;
use app::jobs::delivery::Deliveries;
use aws::cipher::Cipher;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Webhooks {
    pub(crate) authenticator: Authenticator,
    pub(crate) deliveries: Deliveries,
    pub(crate) cipher: Cipher,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) outbound: OutboundPolicy,
}

impl Webhooks {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            cipher: provider.cipher()?,
            store: provider.store(),
            runtime: provider.runtime(),
            outbound: provider.config().outbound,
        })
    }
}
