//! The clients and settings that the function needs.

use answer::model::LanguageModel;
use app::ClientProvider;
use app::jobs::indexing::IndexingService;
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use outbound::Outbound;
use std::sync::Arc;

/// The clients of the worker that creates entries from pages and texts.
#[derive(Debug, Clone)]
pub struct IngestWorker {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) indexing: IndexingService,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
    pub(crate) model_timeout_ms: u64,
    pub(crate) outbound: Outbound,
}

impl IngestWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            runtime: provider.runtime(),
            indexing: IndexingService::new(provider)?,
            model: provider.model().await?,
            model_timeout_ms: provider.config().model_timeout_ms,
            outbound: provider.outbound(),
        })
    }
}
