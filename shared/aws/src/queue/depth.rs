//! The depth of a queue.

use std::collections::HashMap;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::QueueAttributeName;

use super::{TaskQueue, unavailable};
use domain::{Error, Result};

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
