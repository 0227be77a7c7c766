//! Queued work: SQS behind the shipped SDK, on AWS and locally.
//!
//! A message carries ids only; the worker reads the thing itself. [`TaskQueue`] sends, [`Task`] is what is sent,
//! [`Message`] is what a worker gets, [`Depth`] is the length of a queue. A message may come late and more than once.
//! It may also never come, if a send failed after the thing was stored: then the sweeper finds the thing due and sends
//! it again.

mod dead_letters;
mod depth;
mod message;
mod task;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};

pub use dead_letters::{DeadMessage, SentAgain};
pub use depth::Depth;
pub use message::Message;
pub use task::Task;

use crate::sdk_error;
use domain::{Error, Result};
use text::wire_enum;

/// The longest delay of a message that SQS takes; what is due later is left to the sweeper.
pub const MAX_DELAY: Duration = Duration::from_secs(900);

wire_enum! {
    /// A queue of this service.
    pub enum Queue {
        /// Deliveries of events to webhooks.
        Webhooks => "webhooks",
        /// Pages and texts that become wiki entries.
        Ingest => "ingest",
        /// Wiki entries whose passages are to be embedded.
        Embeddings => "embeddings",
    }
}

/// The sending side of one queue, cheap to clone.
#[derive(Clone)]
pub struct TaskQueue {
    client: Client,
    queue: Queue,
    url: Arc<str>,
}

impl TaskQueue {
    /// `queue` at `url`, behind `client`.
    #[must_use]
    pub fn new(client: Client, queue: Queue, url: &str) -> Self {
        Self { client, queue, url: url.into() }
    }

    /// The name of the queue in logs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.queue.as_str()
    }

    /// Queues `task`, to be delivered after `delay`, in whole seconds, at most [`MAX_DELAY`].
    ///
    /// # Errors `SERVICE_UNAVAILABLE` if the queue did not accept it or the reply was lost; then it may be queued all
    /// the same.
    pub async fn send(&self, task: &Task, delay: Duration) -> Result<()> {
        let seconds = i32::try_from(whole_seconds(delay.min(MAX_DELAY))).unwrap_or(0);
        let request = self.client.send_message().queue_url(&*self.url).message_body(task.to_body());
        let sent = request.delay_seconds(seconds).send().await;
        sent.map(drop).map_err(|e| unavailable("send", e).context(format!("queue {}", self.queue)))
    }
}

impl fmt::Debug for TaskQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskQueue").field("queue", &self.queue).field("url", &self.url).finish_non_exhaustive()
    }
}

/// Rounded up: a task taken before its time would have to be sent once more.
const fn whole_seconds(delay: Duration) -> u64 {
    delay.as_secs() + if delay.subsec_nanos() > 0 { 1 } else { 0 }
}

/// A failed SQS call as an error of the service: try again shortly.
fn unavailable<E, R>(call: &'static str, error: SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: fmt::Debug,
{
    Error::unavailable(format!("SQS {call}: {}", sdk_error::describe(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_never_shortened() {
        assert_eq!(whole_seconds(Duration::ZERO), 0);
        assert_eq!(whole_seconds(Duration::from_millis(4_001)), 5);
        assert_eq!(whole_seconds(Duration::from_secs(900)), 900);
    }
}
