//! The ingest function: accepts pages and texts, and shows the progress of jobs.
//!
//! [`input`] parses requests, [`prefix`] derives the path prefix of a page if the caller gives none, [`accept`] creates
//! and retries jobs, [`read`] shows them. The work itself is done by `ingest-worker`.

mod accept;
mod input;
mod prefix;
mod read;

use app::Provider;
use app::ingest::IngestJobs;
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

edge::function!("ingest", Ingest: [
    accept::CreateIngestJob,
    read::ListIngestJobs,
    read::GetIngestJob,
    accept::RetryIngestJob,
]);
