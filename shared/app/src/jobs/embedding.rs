//! Queues entries for the embedding worker: each changed entry, and in batches all entries without vectors, because a
//! message was lost, the model failed, or another model is configured.

pub mod space;

use std::sync::Arc;
use std::time::Duration;

use crate::ClientProvider;
use answer::embedding::Embedder;
use answer::search::{EntryAddress, SearchIndex};
use aws::queue::{Queue, Task, TaskQueue};
use aws::store::Store;
use domain::Result;
use domain::models::{EmbeddingSpace, Scope, WikiPath};

/// Entries that one step sends.
const ENTRIES_PER_STEP: usize = 200;
/// How long the model may take to say how many dimensions its vectors have.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// What finds entries that lack vectors, and the queue of those that are to be embedded.
#[derive(Debug, Clone)]
pub struct EmbeddingBacklog {
    store: Store,
    index: Arc<dyn SearchIndex>,
    embedder: Option<Embedder>,
    queue: TaskQueue,
}

impl EmbeddingBacklog {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let (index, embedder) = (provider.index()?, provider.embedder().await?);
        Ok(Self { store: provider.store(), index, embedder, queue: provider.queue(Queue::Embeddings)? })
    }
}

/// Puts an entry on the worker's queue.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the queue did not take it.
pub async fn enqueue(queue: &TaskQueue, scope: &Scope, path: &WikiPath) -> Result<()> {
    let task = Task::Embed { scope: scope.clone(), path: path.clone() };
    queue.send(&task, Duration::ZERO).await
}

/// Queues the next entries that lack vectors, if the queue is empty: what is on it is in progress. Cycles through all
/// of them, so that entries that always fail do not hold up others. If the dimensions are not configured, the model is
/// asked for them first: if they changed, all entries lack vectors.
///
/// # Errors `SERVICE_UNAVAILABLE` when index, queue or table do not answer.
pub async fn enqueue_some(service: &EmbeddingBacklog) -> Result<()> {
    let Some(embedder) = &service.embedder else { return Ok(()) };
    if !service.queue.depth().await?.is_empty() {
        return Ok(());
    }
    let vectors = service.store.vectors();
    let after = vectors.get_cursor().await?;
    let address = after.as_deref().and_then(EntryAddress::parse);
    let space = current_space(service, embedder).await?;
    let found = service.index.without_vectors(&space, address.as_ref(), ENTRIES_PER_STEP).await?;
    for EntryAddress { scope, path } in &found {
        enqueue(&service.queue, scope, path).await?;
    }
    let next = found.last().filter(|_| found.len() == ENTRIES_PER_STEP).map(EntryAddress::text);
    if next != after { vectors.put_cursor(next.as_deref()).await } else { Ok(()) }
}

/// The space of the vectors that the model gives now; that of the last one where it gives none.
async fn current_space(service: &EmbeddingBacklog, embedder: &Embedder) -> Result<EmbeddingSpace> {
    if embedder.dimensions().is_none()
        && let Ok(dimensions) = embedder.probe(PROBE_TIMEOUT).await
    {
        return space::seen(&service.store, embedder, dimensions).await;
    }
    space::known(&service.store, embedder).await
}
