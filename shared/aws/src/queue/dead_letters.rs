//! The dead-letter queue of a queue: listed, sent again, discarded.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_sqs::types::{Message, MessageSystemAttributeName, QueueAttributeName};
use futures::future::join_all;

use super::{TaskQueue, attributes, dead_letter_url, unavailable};
use domain::{Error, Result};

/// How long messages are hidden while they are listed, in seconds.
const LISTING_SECONDS: i32 = 20;
/// How long messages are hidden while all are sent again, in seconds: none that failed comes back meanwhile.
const REPLAY_SECONDS: i32 = 15 * 60;
/// The most messages that are listed.
const MAX_LISTED: usize = 1_000;

/// A message that its worker could not handle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadMessage {
    /// The queue's name for it.
    pub id: String,
    /// The body as it was sent: ids only.
    pub body: String,
    /// When it was sent, in milliseconds since 1970; none if the queue does not say.
    pub sent_at_ms: Option<i64>,
    handle: String,
}

/// The outcome for the messages of a dead-letter queue.
#[derive(Debug)]
pub struct SentAgain {
    /// The id of each message, and whether it was sent again.
    pub messages: Vec<(String, Result<()>)>,
    /// Whether all messages were received.
    pub received: Result<()>,
}

impl TaskQueue {
    /// The messages of the dead-letter queue, at most a thousand.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the queue does not answer.
    pub async fn dead_messages(&self) -> Result<Vec<DeadMessage>> {
        let Some(url) = self.dead_letter_url().await? else { return Ok(Vec::new()) };
        let found = self.receive_all(&url).await?;
        self.show(&url, &found).await?;
        Ok(found)
    }

    /// Sends a dead message to its queue again, and deletes it from the dead-letter queue.
    ///
    /// # Errors
    /// 404 if it is not there any more; `SERVICE_UNAVAILABLE` when a queue does not answer: then the message may be in
    /// both.
    pub async fn send_again(&self, id: &str) -> Result<()> {
        self.take(id, true).await
    }

    /// Sends every dead message to its queue again, as [`TaskQueue::send_again`] does, in the order of their receipt. One
    /// that fails stays, and does not stop the others. `counted` is told how many were tried so far.
    pub async fn send_all_again(&self, counted: impl Fn(usize)) -> SentAgain {
        let mut messages = Vec::new();
        let received = self.send_each_again(&mut messages, counted).await;
        SentAgain { messages, received }
    }

    /// Receives each message once: one that was sent again is gone, and one that failed is hidden meanwhile.
    async fn send_each_again(&self, sent: &mut Vec<(String, Result<()>)>, counted: impl Fn(usize)) -> Result<()> {
        let Some(url) = self.dead_letter_url().await? else { return Ok(()) };
        let (mut seen, mut failed) = (BTreeSet::new(), Vec::new());
        loop {
            let mut received = self.receive(&url, REPLAY_SECONDS).await?;
            received.retain(|message| seen.insert(message.id.clone()));
            if received.is_empty() {
                return self.show(&url, &failed).await;
            }
            let outcomes = join_all(received.iter().map(|message| self.resend(&url, message))).await;
            for (message, outcome) in received.into_iter().zip(outcomes) {
                sent.push((message.id.clone(), outcome));
                if matches!(sent.last(), Some((_, Err(_)))) {
                    failed.push(message);
                }
            }
            counted(sent.len());
        }
    }

    /// Deletes a dead message.
    ///
    /// # Errors
    /// 404 if it is not there any more; `SERVICE_UNAVAILABLE` when the queue does not answer.
    pub async fn discard(&self, id: &str) -> Result<()> {
        self.take(id, false).await
    }

    /// Deletes every dead message whose body `is_theirs`; the number of them.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the queue does not answer: then the others are hidden for a while.
    pub async fn discard_all(&self, is_theirs: impl Fn(&str) -> bool) -> Result<u64> {
        let Some(url) = self.dead_letter_url().await? else { return Ok(0) };
        let (mut seen, mut others, mut discarded) = (BTreeSet::new(), Vec::new(), 0);
        loop {
            let mut received = self.receive(&url, REPLAY_SECONDS).await?;
            received.retain(|message| seen.insert(message.id.clone()));
            if received.is_empty() {
                return self.show(&url, &others).await.map(|()| discarded);
            }
            for message in received {
                match is_theirs(&message.body) {
                    true => {
                        self.remove(&url, &message).await?;
                        discarded += 1;
                    }
                    false => others.push(message),
                }
            }
        }
    }

    /// A message can only be deleted by the handle of its latest receive, before it is shown again.
    async fn take(&self, id: &str, send: bool) -> Result<()> {
        let url = self.dead_letter_url().await?.ok_or_else(|| Error::not_found("dead letter"))?;
        let (wanted, others): (Vec<_>, Vec<_>) =
            self.receive_all(&url).await?.into_iter().partition(|message| message.id == id);
        self.show(&url, &others).await?;
        let message = wanted.into_iter().next().ok_or_else(|| Error::not_found("dead letter"))?;
        if send { self.resend(&url, &message).await } else { self.remove(&url, &message).await }
    }

    /// Sends a received message to its queue, and then deletes it.
    async fn resend(&self, url: &str, message: &DeadMessage) -> Result<()> {
        let request = self.client.send_message().queue_url(&*self.url).message_body(&message.body);
        request.send().await.map_err(|e| unavailable("send", e))?;
        self.remove(url, message).await
    }

    async fn remove(&self, url: &str, message: &DeadMessage) -> Result<()> {
        let request = self.client.delete_message().queue_url(url).receipt_handle(&message.handle);
        request.send().await.map(drop).map_err(|e| unavailable("delete", e))
    }

    /// Receives all messages, which hides them for a while.
    async fn receive_all(&self, url: &str) -> Result<Vec<DeadMessage>> {
        let mut found: BTreeMap<String, DeadMessage> = BTreeMap::new();
        while found.len() < MAX_LISTED {
            let before = found.len();
            found.extend(
                self.receive(url, LISTING_SECONDS).await?.into_iter().map(|message| (message.id.clone(), message)),
            );
            if found.len() == before {
                break;
            }
        }
        Ok(found.into_values().collect())
    }

    /// Receives at most ten messages, which hides them for that time.
    async fn receive(&self, url: &str, hidden_seconds: i32) -> Result<Vec<DeadMessage>> {
        let request = self.client.receive_message().queue_url(url).max_number_of_messages(10);
        // A receive that does not wait asks only some of a queue's servers.
        let request = request.visibility_timeout(hidden_seconds).wait_time_seconds(1);
        let request = request.message_system_attribute_names(MessageSystemAttributeName::SentTimestamp);
        let answer = request.send().await.map_err(|e| unavailable("receive dead letters", e))?;
        let dead_message = |message: Message| {
            let sent = message.attributes.as_ref();
            let sent = sent.and_then(|all| all.get(&MessageSystemAttributeName::SentTimestamp));
            let sent_at_ms = sent.and_then(|at| at.parse().ok());
            let body = message.body.unwrap_or_default();
            Some(DeadMessage { id: message.message_id?, body, sent_at_ms, handle: message.receipt_handle? })
        };
        Ok(answer.messages.unwrap_or_default().into_iter().filter_map(dead_message).collect())
    }

    /// Makes received messages visible again.
    async fn show(&self, url: &str, messages: &[DeadMessage]) -> Result<()> {
        for message in messages {
            let request = self.client.change_message_visibility().queue_url(url).receipt_handle(&message.handle);
            request.visibility_timeout(0).send().await.map_err(|e| unavailable("show a dead letter", e))?;
        }
        Ok(())
    }

    async fn dead_letter_url(&self) -> Result<Option<String>> {
        let names = vec![QueueAttributeName::RedrivePolicy];
        let found = attributes(&self.client, &self.url, names).await?;
        match found.get(&QueueAttributeName::RedrivePolicy) {
            Some(policy) => dead_letter_url(&self.client, policy).await.map(Some),
            None => Ok(None),
        }
    }
}
