//! The clients and settings that the function needs.

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::Provider;
use aws::queue::{Queue, TaskQueue};
use aws::store::Store;
use domain::Result;
use domain::clock::Ambient;
use std::sync::Arc;

/// What embeds entries.
#[derive(Debug, Clone)]
pub struct EmbeddingWorker {
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) embedder: Option<Embedder>,
    pub(crate) queue: TaskQueue,
}

impl EmbeddingWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            index: provider.index()?,
            embedder: provider.embedder().await?,
            queue: provider.queue(Queue::Embeddings)?,
        })
    }
}
