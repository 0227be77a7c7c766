//! The clients and settings that the function needs.

use app::Provider;
use app::jobs::ingest::IngestJobs;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Ambient;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Ingest {
    pub(crate) authenticator: Authenticator,
    pub(crate) jobs: IngestJobs,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) outbound: OutboundPolicy,
}

impl Ingest {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            jobs: IngestJobs::new(provider)?,
            store: provider.store(),
            ambient: provider.ambient(),
            outbound: provider.config().outbound,
        })
    }
}
