//! Handles changes of the table, read from its stream. A request commits one transaction and answers. Every effect is
//! derived here, so nothing is lost between the database and a queue, and nothing is emitted that did not commit.
//!
//! A record may come late and more than once: each consumer is idempotent. If the table or a queue fails, the batch is
//! retried from the failed record. If the index fails, the path is marked as pending and nothing waits.
//!
//! - [`batch`]: the records of a batch by item, data that is read once for all of them, and the list of consumers.
//! - [`consumers`]: runs the consumers of a record, and has those that are no other folder's.
//! - [`table`]: reads the change that a record of the stream describes.

pub mod batch;
pub mod consumers;
pub mod table;

use aws::config::ModelChoice;
use aws::dead_letters::DeadLetters;
use aws::queue::{Queue, TaskQueue};
use domain::Result;
use domain::clock::Runtime;
use futures::StreamExt;

use crate::changes::batch::Batch;
use crate::edge::ClientProvider;
use crate::table::Store;
use crate::table::stream::Record;
use crate::webhooks::queue::Deliveries;
use crate::wiki::indexing::IndexingService;

/// The number of items whose changes are handled concurrently.
const CONCURRENT_ITEMS: usize = 16;

/// Handles a batch, oldest record first. Returns the sequence number from which it must be delivered again, or none if
/// all of it is done. Changes of one item are handled in order, those of different items concurrently.
pub async fn handle(state: &Changes, records: Vec<Record>) -> Option<String> {
    let batch = &Batch::new(state);
    let items = batch::group_by_item(records);
    let handled = futures::stream::iter(items.into_iter().map(|records| handle_item(batch, records)));
    let failures: Vec<(usize, String)> =
        handled.buffer_unordered(CONCURRENT_ITEMS).filter_map(std::future::ready).collect().await;
    batch.record_run(failures.is_empty()).await;
    failures.into_iter().min().map(|(_, sequence)| sequence)
}

/// Handles one item's changes until one fails. Returns its position in the batch and its sequence number. Records after
/// a failure of the batch come again anyway and are not started.
async fn handle_item(batch: &Batch<'_>, records: Vec<(usize, Record)>) -> Option<(usize, String)> {
    for (position, record) in records {
        if batch.is_after_failure(position) {
            return None;
        }
        if let Err(error) = consumers::handle_record(batch, &record).await {
            let kind = record.kind();
            tracing::warn!(record.id = record.event_id, record.kind = kind, error = %error, "failed to handle a change; it is retried");
            batch.record_failure(position);
            return Some((position, record.sequence));
        }
    }
    None
}

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
