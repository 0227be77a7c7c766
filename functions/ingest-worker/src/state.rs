//! The clients and settings that the function needs.

use answer::model::LanguageModel;
use app::Provider;
use app::jobs::indexing::Indexing;
use aws::store::Store;
use domain::Result;
use domain::clock::Ambient;
use outbound::Outbound;
use std::sync::Arc;

/// What makes entries of pages and texts.
#[derive(Debug, Clone)]
pub struct IngestWorker {
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) indexing: Indexing,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
    pub(crate) model_timeout_ms: u64,
    pub(crate) outbound: Outbound,
}

impl IngestWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            indexing: Indexing::new(provider)?,
            model: provider.model().await?,
            model_timeout_ms: provider.config().model_timeout_ms,
            outbound: provider.outbound(),
        })
    }
}
