//! The clients and settings that the function needs.

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::ClientProvider;
use aws::queue::{Queue, TaskQueue};
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use std::sync::Arc;

/// The clients of the worker that embeds entries.
#[derive(Debug, Clone)]
pub struct EmbeddingWorker {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) embedder: Option<Embedder>,
    pub(crate) queue: TaskQueue,
}

impl EmbeddingWorker {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            runtime: provider.runtime(),
            index: provider.index()?,
            embedder: provider.embedder().await?,
            queue: provider.queue(Queue::Embeddings)?,
        })
    }
}
