//! The acts on deliveries that several functions share: queueing them, and sending them again.
//!
//! The item in the table is what counts. A queue message only names it. A lost message is made up for by the due index
//! ([`mod@due`]), and a repeated one finds nothing to do.

mod due;
mod replay;

use std::time::Duration;

pub use due::due;
pub use replay::{run_replay, run_replays};

use crate::ClientProvider;
use aws::queue::{MAX_DELAY, Queue, Task, TaskQueue};
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use domain::models::{Delivery, EventId, Scope, WebhookId};

/// The store of deliveries, and the queue of those that are to be sent.
#[derive(Debug, Clone)]
pub struct Deliveries {
    store: Store,
    runtime: Runtime,
    queue: TaskQueue,
}

impl Deliveries {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub fn new(provider: &impl ClientProvider) -> Result<Self> {
        let queue = provider.queue(Queue::Webhooks)?;
        Ok(Self { store: provider.store(), runtime: provider.runtime(), queue })
    }
}

/// Whether a message of the queue can wait until a delivery is to be tried in `delay_ms` milliseconds; what is later
/// is left to the due index.
#[must_use]
pub fn fits_queue_delay(delay_ms: i64) -> bool {
    u64::try_from(delay_ms).is_ok_and(|delay| Duration::from_millis(delay) <= MAX_DELAY)
}

/// Asks the workers to look at a delivery in `delay_ms` milliseconds.
///
/// # Errors
/// 503 while the queue cannot be reached; then the due index brings the delivery up a little later.
pub async fn enqueue(
    service: &Deliveries,
    scope: &Scope,
    webhook: &WebhookId,
    event: &EventId,
    delay_ms: i64,
) -> Result<()> {
    let task = Task::Deliver { scope: scope.clone(), webhook_id: webhook.clone(), event_id: event.clone() };
    let delay = Duration::from_millis(u64::try_from(delay_ms).unwrap_or(0));
    service.queue.send(&task, delay).await
}

/// The same for a delivery that is stored and due by itself: a queue that cannot be reached only makes it later.
pub async fn enqueue_stored(service: &Deliveries, scope: &Scope, delivery: &Delivery, delay_ms: i64) {
    let (webhook, event) = (&delivery.webhook_id, &delivery.event.event_id);
    if let Err(error) = enqueue(service, scope, webhook, event, delay_ms).await {
        tracing::warn!(webhook.id = %webhook, event.id = %event, error = %error, "failed to queue a delivery; the sweeper queues it again");
    }
}
