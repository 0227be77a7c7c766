//! The clients and settings that the function needs.

use app::Provider;
use app::jobs::delivery::Deliveries;
use aws::cipher::Cipher;
use aws::store::Store;
use domain::Result;
use domain::clock::Ambient;
use outbound::Outbound;

/// What sends deliveries.
#[derive(Debug, Clone)]
pub struct WebhookWorker {
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) deliveries: Deliveries,
    pub(crate) cipher: Cipher,
    pub(crate) outbound: Outbound,
}

impl WebhookWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            deliveries: Deliveries::new(provider)?,
            cipher: provider.cipher()?,
            outbound: provider.outbound(),
        })
    }
}
