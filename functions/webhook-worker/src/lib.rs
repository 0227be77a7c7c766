//! The webhook worker: takes queue messages, each of which names one delivery, and sends what is due.
//!
//! [`handle`] is the entry point. A message is not trusted: [`attempt`] reads the delivery and its receiver.
//! [`dispatch`] leases the delivery on condition, so that a repeated message sends nothing twice. [`sending`] signs and
//! posts, [`outcome`] is the delivery afterwards, [`record`] stores it, and [`waiting`] holds or defers a delivery. The
//! messages of a batch are handled concurrently, and [`limiter`] limits those of one receiver.

mod attempt;
mod dispatch;
mod limiter;
mod outcome;
mod record;
mod sending;
mod state;
mod waiting;

use aws::queue::{Message, Task};
use domain::models::AgentName;
use domain::{Error, Result};
use futures::future::join_all;

pub use state::WebhookWorker;

/// The function's name.
pub const NAME: &str = "webhook-worker";

/// Handles a batch. Returns the ids of the messages that must be delivered again. A message with an unknown task is
/// returned until it goes to the dead-letter queue, and does not delay others.
pub async fn handle(state: &WebhookWorker, messages: Vec<Message>) -> Vec<String> {
    let one = |message: Message| async move {
        let error = handle_message(state, &message).await.err()?;
        let (id, times) = (&message.id, message.receive_count);
        tracing::error!(message.id = %id, message.receive_count = times, error = %error, "failed to handle a delivery message; the queue delivers it again");
        Some(message.id)
    };
    let (started, count) = (state.runtime.now(), messages.len());
    let failed: Vec<String> = join_all(messages.into_iter().map(one)).await.into_iter().flatten().collect();
    let last_error =
        (!failed.is_empty()).then(|| format!("{} of {count} messages failed and are delivered again", failed.len()));
    state.store.agent_runs().record(AgentName::Webhooks, started, state.runtime.now(), last_error.as_deref()).await;
    failed
}

async fn handle_message(state: &WebhookWorker, message: &Message) -> Result<()> {
    match message.task()? {
        Task::Deliver { scope, webhook_id, event_id } => {
            attempt::attempt_delivery(state, &scope, &webhook_id, &event_id).await
        }
        Task::Ingest { .. } | Task::Embed { .. } => {
            Err(Error::internal("a task of another queue is in the queue of deliveries"))
        }
    }
}
