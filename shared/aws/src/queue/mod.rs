//! Queued work: SQS behind the shipped SDK, on AWS and locally.
//!
//! A message carries ids only; the worker reads the thing itself. [`Queues`] sends, [`Task`] is what is sent,
//! [`Message`] is what a worker gets, [`Depth`] is the length of a queue. A message may come late and more than once.
//! It may also never come, if a send failed after the thing was stored: then the sweeper finds the thing due and sends
//! it again.

mod depth;
mod message;
mod task;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};

pub use depth::Depth;
pub use message::Message;
pub use task::Task;

use crate::config::Config;
use domain::{Error, Result};
use text::wire_enum;

/// The longest delay of a message that SQS takes; what is due later is left to the sweeper.
pub const MAX_DELAY: Duration = Duration::from_secs(900);

wire_enum! {
    /// A queue of ours.
    pub enum Queue {
        /// Deliveries of events to webhooks.
        Webhooks => "webhooks",
        /// Pages and texts that become wiki entries.
        Ingest => "ingest",
        /// Wiki entries whose passages are to be embedded.
        Embeddings => "embeddings",
    }
}

/// The sending side of the queues that a function was given, cheap to clone.
#[derive(Clone, Default)]
pub struct Queues {
    client: Option<Client>,
    webhooks: Option<Arc<str>>,
    ingest: Option<Arc<str>>,
    embeddings: Option<Arc<str>>,
}

impl Queues {
    /// The queues that `config` names, behind `client`.
    #[must_use]
    pub fn new(client: Client, config: &Config) -> Self {
        let url = |url: &Option<String>| url.as_deref().map(Arc::from);
        Self {
            client: Some(client),
            webhooks: url(&config.webhook_queue_url),
            ingest: url(&config.ingest_queue_url),
            embeddings: url(&config.embedding_queue_url),
        }
    }

    /// For a function that has no business with queues: every send is an error.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Puts `task` on `queue`, to be taken after `delay`, in whole seconds, at most [`MAX_DELAY`].
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the queue did not take it or the reply was lost: it may be on it all the same.
    pub async fn send(&self, queue: Queue, task: &Task, delay: Duration) -> Result<()> {
        let (client, url) = self.door(queue)?;
        let seconds = i32::try_from(whole_seconds(delay.min(MAX_DELAY))).unwrap_or(0);
        let request = client.send_message().queue_url(url).message_body(task.to_body()).delay_seconds(seconds);
        request.send().await.map(drop).map_err(|e| unavailable("send", e).context(format!("queue {queue}")))
    }

    /// Whether this function was given `queue`.
    #[must_use]
    pub fn has(&self, queue: Queue) -> bool {
        self.door(queue).is_ok()
    }

    fn door(&self, queue: Queue) -> Result<(&Client, &str)> {
        let url = match queue {
            Queue::Webhooks => self.webhooks.as_deref(),
            Queue::Ingest => self.ingest.as_deref(),
            Queue::Embeddings => self.embeddings.as_deref(),
        };
        let absent = || Error::internal(format!("this function was not given the queue {queue}"));
        self.client.as_ref().zip(url).ok_or_else(absent)
    }
}

impl fmt::Debug for Queues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queues").field("webhooks", &self.webhooks).field("ingest", &self.ingest).finish_non_exhaustive()
    }
}

/// Rounded up: a task taken before its time would have to be sent once more.
const fn whole_seconds(delay: Duration) -> u64 {
    delay.as_secs() + if delay.subsec_nanos() > 0 { 1 } else { 0 }
}

/// What an SQS call that failed means to the service: try again shortly.
fn unavailable<E, R>(call: &'static str, error: SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: fmt::Debug,
{
    let code = error.code().unwrap_or("none").to_owned();
    Error::unavailable(format!("SQS {call}: {code}: {}", DisplayErrorContext(error)))
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

    #[tokio::test]
    async fn a_function_without_a_queue_cannot_send() {
        let task = task::tests::ingest();
        let refusal = Queues::none().send(Queue::Ingest, &task, Duration::ZERO).await.unwrap_err();
        assert_eq!(refusal.code(), domain::error::Code::InternalError);
    }
}
