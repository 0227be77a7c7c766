//! The clients and settings that the function needs.

use app::ClientProvider;
use app::jobs::delivery::Deliveries;
use app::jobs::indexing::IndexingService;
use aws::config::ModelChoice;
use aws::dead_letters::DeadLetters;
use aws::queue::{Queue, TaskQueue};
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;

/// The clients of the consumers of changes.
#[derive(Debug, Clone)]
pub struct Changes {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) indexing: IndexingService,
    pub(crate) deliveries: Deliveries,
    pub(crate) embedding_queue: TaskQueue,
    /// Whether an embedding model is configured.
    pub(crate) embeds: bool,
    pub(crate) dead_letters: DeadLetters,
    /// The desk's address, for links into it.
    pub(crate) desk_url: Option<String>,
}

impl Changes {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            runtime: provider.runtime(),
            indexing: IndexingService::new(provider)?,
            deliveries: Deliveries::new(provider)?,
            embedding_queue: provider.queue(Queue::Embeddings)?,
            embeds: provider.config().embedding != ModelChoice::None,
            dead_letters: provider.dead_letters()?,
            desk_url: provider.config().desk_url.clone(),
        })
    }
}
