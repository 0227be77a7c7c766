//! The clients and settings that the function needs.

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::ClientProvider;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;
use std::sync::Arc;

use crate::cache::Cached;
use crate::report::Report;

/// What the checks need.
#[derive(Debug, Clone, FromRef)]
pub struct Health {
    pub(crate) authenticator: Authenticator,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) search_domain: Option<SearchDomain>,
    pub(crate) embedder: Option<Embedder>,
    pub(crate) queues: Queues,
    pub(crate) has_model: bool,
    pub(crate) version: String,
    /// The latest report of this process.
    pub(crate) report: Cached<Arc<Report>>,
}

impl Health {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            index: provider.index()?,
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
            search_domain: provider.search_domain()?,
            embedder: provider.embedder().await?,
            queues: Queues::new(provider)?,
            has_model: provider.has_model(),
            version: provider.config().version.clone(),
            report: Cached::default(),
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
