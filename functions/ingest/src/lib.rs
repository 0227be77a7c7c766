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
use axum::routing::{get, post};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

/// The function's name.
pub const NAME: &str = "ingest";

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

/// What the function serves.
#[must_use]
pub fn routes(state: Ingest) -> Routes {
    Routes::new(NAME)
        .route("POST", "/api/v1/ingest", post(accept::accept_ingest))
        .route("GET", "/api/v1/ingest", get(read::list_jobs))
        .route("GET", "/api/v1/ingest/{id}", get(read::get_job))
        .route("POST", "/api/v1/ingest/{id}/retry", post(accept::retry_job))
        .with_state(state)
}
