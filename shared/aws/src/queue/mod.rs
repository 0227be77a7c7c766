//! Queued work: SQS behind the shipped SDK, on AWS and locally.
//!
//! A message carries ids only; the worker reads the thing itself. [`TaskQueue`] sends, [`Task`] is what is sent,
//! [`Message`] is what a worker gets, [`Depth`] is the length of a queue. A message may come late and more than once.
//! It may also never come, if a send failed after the thing was stored: then the sweeper finds the thing due and sends
//! it again.

mod dead_letters;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::QueueAttributeName;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::sdk;
use domain::models::{EventId, IngestId, Scope, WebhookId, WikiPath};
use domain::{Error, Result};

pub use self::dead_letters::{DeadMessage, SentAgain};

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
#[derive(Debug, Clone)]
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
    Error::unavailable(format!("SQS {call}: {}", sdk::describe(&error)))
}

/// One message of a batch, as the queue gave it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The queue's name for it, by which a worker says what failed.
    pub id: String,
    /// The body as it was sent; [`Message::task`] reads it.
    pub body: String,
    /// How often it was delivered, including this time.
    pub receive_count: u32,
}

impl Message {
    /// The task in the body.
    ///
    /// # Errors
    /// The body is not a task. A redelivery does not change that: the worker reports this message as failed,
    /// and finally it goes to the dead-letter queue.
    pub fn task(&self) -> Result<Task> {
        Task::parse(&self.body).map_err(|e| e.context(format!("message {}", self.id)))
    }
}

/// The version of the format below.
const VERSION: u32 = 1;

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Task {
    /// Deliver an event to a webhook.
    Deliver {
        /// The tenant and mode.
        #[serde(flatten)]
        scope: Scope,
        /// To whom.
        webhook_id: WebhookId,
        /// The event.
        event_id: EventId,
    },
    /// Make wiki entries of a page or a text.
    Ingest {
        /// The tenant and mode.
        #[serde(flatten)]
        scope: Scope,
        /// The job.
        ingest_id: IngestId,
    },
    /// Make vectors of an entry's passages.
    Embed {
        /// The tenant and mode.
        #[serde(flatten)]
        scope: Scope,
        /// The entry.
        path: WikiPath,
    },
}

/// The body of a message.
#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    v: u32,
    #[serde(flatten)]
    task: T,
}

impl Task {
    /// The tenant and mode.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        match self {
            Self::Deliver { scope, .. } | Self::Ingest { scope, .. } | Self::Embed { scope, .. } => scope,
        }
    }

    /// The body of a message with this task.
    #[must_use]
    pub fn to_body(&self) -> String {
        // Texts and a number: there is nothing in it that JSON cannot hold.
        serde_json::to_string(&Envelope { v: VERSION, task: self }).unwrap_or_default()
    }

    /// Parses a body; unknown fields are ignored.
    ///
    /// # Errors
    /// It is not JSON of this format, of another version, or contains an invalid id. The error does not repeat
    /// it.
    pub fn parse(body: &str) -> Result<Self> {
        let version: Version = serde_json::from_str(body).map_err(|_| invalid_task("not our JSON"))?;
        if version.v != VERSION {
            return Err(invalid_task(&format!("of version {}", version.v)));
        }
        let envelope: Envelope<Self> = serde_json::from_str(body).map_err(|_| invalid_task("no task of ours"))?;
        Ok(envelope.task)
    }
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

fn invalid_task(how: &str) -> Error {
    Error::internal(format!("a queued task is {how}"))
}

/// The depth of a queue; SQS counts approximately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// Messages that may be taken now.
    pub ready: u64,
    /// Messages that a worker has, or that failed and wait for redelivery.
    pub given_out: u64,
    /// Messages that were sent with a delay and wait for its end.
    pub delayed: u64,
    /// Messages in the dead-letter queue.
    pub dead: u64,
}

impl Depth {
    /// Whether nothing waits or is being worked on; dead letters do neither.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ready == 0 && self.given_out == 0 && self.delayed == 0
    }
}

impl TaskQueue {
    /// How much lies on the queue and among its dead letters.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it cannot be asked; nothing is guessed.
    pub async fn depth(&self) -> Result<Depth> {
        let (client, url) = (&self.client, &*self.url);
        let names = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
            QueueAttributeName::ApproximateNumberOfMessagesDelayed,
            QueueAttributeName::RedrivePolicy,
        ];
        let found = attributes(client, url, names.to_vec()).await?;
        let [ready, given_out, delayed, redrive] = names;
        let dead = match found.get(&redrive) {
            Some(policy) => dead(client, policy).await?,
            None => 0,
        };
        Ok(Depth {
            ready: count(&found, &ready)?,
            given_out: count(&found, &given_out)?,
            delayed: count(&found, &delayed)?,
            dead,
        })
    }
}

/// How many dead letters the queue of a redrive policy has.
async fn dead(client: &Client, policy: &str) -> Result<u64> {
    let url = dead_letter_url(client, policy).await?;
    let ready = QueueAttributeName::ApproximateNumberOfMessages;
    count(&attributes(client, &url, vec![ready.clone()]).await?, &ready)
}

/// The URL of the queue of a redrive policy.
pub(super) async fn dead_letter_url(client: &Client, policy: &str) -> Result<String> {
    let policy: serde_json::Value =
        serde_json::from_str(policy).map_err(|_| Error::internal("a redrive policy is not JSON"))?;
    let arn = policy.get("deadLetterTargetArn").and_then(serde_json::Value::as_str).unwrap_or_default();
    let name = arn.rsplit(':').next().unwrap_or_default();
    let answer = client.get_queue_url().queue_name(name).send().await.map_err(|e| unavailable("queue url", e))?;
    Ok(answer.queue_url.unwrap_or_default())
}

type Attributes = HashMap<QueueAttributeName, String>;

pub(super) async fn attributes(client: &Client, url: &str, names: Vec<QueueAttributeName>) -> Result<Attributes> {
    let request = client.get_queue_attributes().queue_url(url).set_attribute_names(Some(names));
    let answer = request.send().await.map_err(|e| unavailable("queue attributes", e))?;
    Ok(answer.attributes.unwrap_or_default())
}

fn count(found: &Attributes, name: &QueueAttributeName) -> Result<u64> {
    let count = found.get(name).and_then(|count| count.parse().ok());
    count.ok_or_else(|| Error::unavailable(format!("a queue did not say its {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::{Mode, TenantId, Timestamp};

    #[test]
    fn a_delay_is_never_shortened() {
        assert_eq!(whole_seconds(Duration::ZERO), 0);
        assert_eq!(whole_seconds(Duration::from_millis(4_001)), 5);
        assert_eq!(whole_seconds(Duration::from_secs(900)), 900);
    }

    fn scope() -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 2), mode: Mode::Test }
    }

    fn ingest() -> Task {
        Task::Ingest { scope: scope(), ingest_id: IngestId::from_parts(Timestamp::from_millis(3), 4) }
    }

    fn deliver() -> Task {
        let at = Timestamp::from_millis(5);
        Task::Deliver { scope: scope(), webhook_id: WebhookId::from_parts(at, 6), event_id: EventId::from_parts(at, 7) }
    }

    fn embed() -> Task {
        Task::Embed { scope: scope(), path: WikiPath::parse("faq/refunds").unwrap() }
    }

    #[test]
    fn a_task_is_read_as_it_was_sent_and_is_small() {
        for task in [ingest(), deliver(), embed()] {
            let body = task.to_body();
            assert_eq!(Task::parse(&body).unwrap(), task);
            assert!(body.len() < 300, "{body}");
        }
    }

    #[test]
    fn the_format_is_written_down() {
        let body = r#"{"v":1,"task":"deliver","tenantId":"ten_00000000010000000000000002","mode":"test","#.to_owned()
            + r#""webhookId":"whk_00000000050000000000000006","eventId":"evt_00000000050000000000000007"}"#;
        assert_eq!(deliver().to_body(), body);
    }

    #[test]
    fn a_field_of_a_later_release_is_ignored() {
        let body = ingest().to_body().replace("}", r#","more":[1]}"#);
        assert_eq!(Task::parse(&body).unwrap(), ingest());
    }

    #[test]
    fn a_body_that_is_not_ours_is_refused_and_not_repeated() {
        let other_version = ingest().to_body().replace("\"v\":1", "\"v\":2");
        let other_id = ingest().to_body().replace("ing_", "ses_");
        let other_mode = ingest().to_body().replace("test", "prod");
        for body in ["", "hunter2", "[]", "{}", r#"{"v":1,"task":"hunter2"}"#, &other_version, &other_id, &other_mode] {
            let refusal = Task::parse(body).unwrap_err().to_string();
            assert!(!refusal.contains("hunter2") && !refusal.contains("ses_"), "{refusal}");
        }
    }
}
