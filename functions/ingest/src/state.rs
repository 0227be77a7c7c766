//! The clients and settings that the function needs.

use app::ClientProvider;
use app::jobs::ingest::IngestJobService;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Ingest {
    pub(crate) authenticator: Authenticator,
    pub(crate) jobs: IngestJobService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) outbound: OutboundPolicy,
}

impl Ingest {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            jobs: IngestJobService::new(provider)?,
            store: provider.store(),
            runtime: provider.runtime(),
            outbound: provider.config().outbound,
        })
    }
}
