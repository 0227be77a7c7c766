//! The clients and settings that the function needs.

use app::Provider;
use app::jobs::delivery::Deliveries;
use app::jobs::indexing::Indexing;
use aws::config::ModelChoice;
use aws::queue::{Queue, TaskQueue};
use aws::set_aside::SetAside;
use aws::store::Store;
use domain::Result;
use domain::clock::Ambient;

/// What the consumers of changes need.
#[derive(Debug, Clone)]
pub struct Changes {
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) indexing: Indexing,
    pub(crate) deliveries: Deliveries,
    pub(crate) embedding_queue: TaskQueue,
    /// Whether an embedding model is configured.
    pub(crate) embeds: bool,
    pub(crate) set_aside: SetAside,
}

impl Changes {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            indexing: Indexing::new(provider)?,
            deliveries: Deliveries::new(provider)?,
            embedding_queue: provider.queue(Queue::Embeddings)?,
            embeds: provider.config().embedding != ModelChoice::None,
            set_aside: provider.set_aside()?,
        })
    }
}
