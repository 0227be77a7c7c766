//! Handles changes of the table, read from its stream.
//!
//! A request commits one transaction and answers. Every effect is derived here, so nothing is lost between the database
//! and a queue, and nothing is emitted that did not commit. A record may come late and more than once: each consumer is
//! idempotent.
//!
//! [`handle`] takes a batch and keeps the order of each item's changes. [`consumers`] runs the consumers: [`index`]
//! updates the wiki index, [`fan_out`] creates deliveries of events ([`question`] adds the question),
//! [`app::revisions`] stores old versions of entries, [`embeddings`] has passages embedded, [`statistics`] counts,
//! [`app::gaps`] merges unanswered questions into gaps. [`dead_letters`] turns a record that cannot be handled into a
//! dead letter. If the table or a queue fails, the batch is retried from there. If the index fails, the path is marked
//! as pending and nothing waits.

mod batch;
mod consumers;
mod dead_letters;
mod embeddings;
mod fan_out;
mod index;
mod question;
mod statistics;
mod step;

use app::Provider;
use app::delivery::Deliveries;
use app::indexing::Indexing;
use aws::config::ModelChoice;
use aws::queue::{Queue, TaskQueue};
use aws::set_aside::SetAside;
use aws::store::Store;
use aws::stream::Record;
use domain::Result;
use domain::clock::Ambient;
use futures::StreamExt;

use batch::Batch;
pub use dead_letters::set_aside;
pub use step::{Step, handle_step};

/// The number of items whose changes are handled concurrently.
const CONCURRENT_ITEMS: usize = 16;

/// What the consumers of changes need.
#[derive(Debug, Clone)]
pub struct Changes {
    store: Store,
    ambient: Ambient,
    indexing: Indexing,
    deliveries: Deliveries,
    embedding_queue: TaskQueue,
    /// Whether an embedding model is configured.
    embeds: bool,
    set_aside: SetAside,
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

/// Handles a batch, oldest record first. Returns the sequence number from which it must be delivered again, or none if
/// all of it is done. Changes of one item are handled in order, those of different items concurrently.
pub async fn handle(ctx: &Changes, records: Vec<Record>) -> Option<String> {
    let batch = &Batch::new(ctx);
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
            tracing::warn!(record.id = record.event_id, record.kind = kind, %error, "failed to handle a change; it is retried");
            batch.record_failure(position);
            return Some((position, record.sequence));
        }
    }
    None
}
