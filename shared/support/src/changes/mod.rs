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

use aws::queue::Queue;
use domain::Result;
use futures::StreamExt;

use crate::changes::batch::{Batch, ReadRecord};
use crate::changes::table::read_change;
use crate::edge::{App, ClientProvider, Parts};
use crate::table::stream::Record;

/// The number of items whose changes are handled concurrently.
const CONCURRENT_ITEMS: usize = 16;

/// Handles a batch, oldest record first. Returns the sequence number from which it must be delivered again, or none if
/// all of it is done. Changes of one item are handled in order, those of different items concurrently.
pub async fn handle(app: &App, records: Vec<Record>) -> Option<String> {
    let read = |(position, record): (usize, Record)| {
        let change = read_change(&record).transpose()?;
        Some(ReadRecord { position, record, change })
    };
    let records: Vec<ReadRecord> = records.into_iter().enumerate().filter_map(read).collect();
    let batch = &Batch::new(app, records.iter().filter_map(|read| read.change.as_ref().ok()));
    let items = batch::group_by_item(records);
    let handled = futures::stream::iter(items.into_iter().map(|records| handle_item(batch, records)));
    let failures: Vec<(usize, String)> =
        handled.buffer_unordered(CONCURRENT_ITEMS).filter_map(std::future::ready).collect().await;
    batch.record_run(failures.is_empty()).await;
    failures.into_iter().min().map(|(_, sequence)| sequence)
}

/// Handles one item's changes until one fails. Returns its position in the batch and its sequence number. Records after
/// a failure of the batch come again anyway and are not started.
async fn handle_item(batch: &Batch<'_>, records: Vec<ReadRecord>) -> Option<(usize, String)> {
    for ReadRecord { position, record, change } in records {
        if batch.is_after_failure(position) {
            return None;
        }
        if let Err(error) = consumers::handle_record(batch, &record, change).await {
            let kind = record.kind();
            tracing::warn!(record.id = record.event_id, record.kind = kind, error = %error, "failed to handle a change; it is retried");
            batch.record_failure(position);
            return Some((position, record.sequence));
        }
    }
    None
}

/// The worker with its parts.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn app(provider: &impl ClientProvider) -> Result<App> {
    let parts = Parts {
        index: Some(provider.index()?),
        queues: vec![provider.queue(Queue::Webhooks)?, provider.queue(Queue::Embeddings)?],
        dead_letters: Some(provider.dead_letters()?),
        ..Parts::new(provider)
    };
    Ok(parts.into())
}
