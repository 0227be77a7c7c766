//! The clients and settings that the function needs.

use answer::search::SearchIndex;
use app::ClientProvider;
use app::conversation::DryRuns;
use app::jobs::indexing::IndexingService;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;
use std::sync::Arc;

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Wiki {
    pub(crate) authenticator: Authenticator,
    pub(crate) indexing: IndexingService,
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) dry_runs: DryRuns,
}

impl Wiki {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            indexing: IndexingService::new(provider)?,
            authenticator: Authenticator::new(provider).await?,
            runtime: provider.runtime(),
            store: provider.store(),
            index: provider.index()?,
            dry_runs: DryRuns::new(provider).await?,
        })
    }
}
