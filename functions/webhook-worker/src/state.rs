//! The clients and settings that the function needs.

use app::ClientProvider;
use app::jobs::delivery::Deliveries;
use aws::cipher::Cipher;
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use outbound::Outbound;

/// The clients of the worker that sends deliveries.
#[derive(Debug, Clone)]
pub struct WebhookWorker {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) deliveries: Deliveries,
    pub(crate) cipher: Cipher,
    pub(crate) outbound: Outbound,
}

impl WebhookWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            runtime: provider.runtime(),
            deliveries: Deliveries::new(provider)?,
            cipher: provider.cipher()?,
            outbound: provider.outbound(),
        })
    }
}
