//! The clients that the checks call, and what is known of the configuration.

use std::sync::Arc;

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::ClientProvider;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;

/// The clients of the checks.
#[derive(Debug, Clone)]
pub(crate) struct Clients {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) search_domain: Option<SearchDomain>,
    pub(crate) embedder: Option<Embedder>,
    pub(crate) queues: Queues,
    pub(crate) has_model: bool,
    pub(crate) version: String,
}

impl Clients {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub(crate) async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            index: provider.index()?,
            store: provider.store(),
            runtime: provider.runtime(),
            search_domain: provider.search_domain()?,
            embedder: provider.embedder().await?,
            queues: Queues::new(provider)?,
            has_model: provider.has_model(),
            version: provider.config().version.clone(),
        })
    }
}

/// The depth of each queue.
#[derive(Debug, Clone)]
pub(crate) struct Queues {
    pub(crate) webhooks: TaskQueue,
    pub(crate) ingest: TaskQueue,
    pub(crate) embeddings: TaskQueue,
}

impl Queues {
    fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            webhooks: provider.queue(Queue::Webhooks)?,
            ingest: provider.queue(Queue::Ingest)?,
            embeddings: provider.queue(Queue::Embeddings)?,
        })
    }
}
