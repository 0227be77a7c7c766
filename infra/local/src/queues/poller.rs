//! Passes a queue's messages to a worker, as Lambda's event source mapping does.
//!
//! Batches have up to ten messages. Several run at once, so a slow batch does not hold up the others. Messages that the
//! worker does not report as failed are deleted. A failed one stays hidden until its visibility timeout ends and is
//! delivered again, and finally goes to the dead-letter queue. If a worker panics or times out, its whole batch has
//! failed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aws::queue::Message;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message as SqsMessage, MessageSystemAttributeName, QueueAttributeName,
};
use domain::Result;
use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};

use super::CreatedQueue;
use crate::config::failed;

/// The maximum number of messages in a batch; the limit of SQS, as in the template.
const BATCH_SIZE: i32 = 10;

/// How long a receive waits for a message; the maximum of SQS.
const LONG_POLL_SECONDS: i32 = 20;

/// The same for a remote server. A stop waits for the receive to end, because a server hides messages that it gives to a
/// receive whose client is gone.
const REMOTE_LONG_POLL_SECONDS: i32 = 1;

/// The delay after a failed receive.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// The delay between two checks whether the queue is idle.
const IDLE_CHECK_PERIOD: Duration = Duration::from_millis(5);

/// A worker. It gets a batch and returns the ids of the messages that failed.
pub type HandleMessages = Arc<dyn Fn(Vec<Message>) -> BoxFuture<'static, Vec<String>> + Send + Sync>;

/// The limits of one worker.
#[derive(Debug, Clone, Copy)]
pub struct WorkerLimits {
    /// How many batches run at once.
    pub concurrency: usize,
    /// The timeout of a batch; that of its function.
    pub timeout: Duration,
}

impl WorkerLimits {
    /// The visibility timeout: six times the worker's timeout, as AWS recommends.
    #[must_use]
    pub const fn visibility(&self) -> Duration {
        Duration::from_secs(self.timeout.as_secs() * 6)
    }
}

/// Polls one queue until it is stopped.
#[allow(missing_debug_implementations, reason = "it holds a closure")]
pub struct Poller {
    context: Arc<Context>,
    stop: watch::Sender<bool>,
    task: JoinHandle<JoinSet<()>>,
}

impl Poller {
    /// Starts to deliver the messages of `queue` to `handle`.
    #[must_use]
    pub fn start(client: Client, queue: CreatedQueue, limits: WorkerLimits, handle: HandleMessages) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (activity, running, hidden) = Default::default();
        let context = Arc::new(Context { client, queue, limits, handle, activity, running, hidden });
        let task = tokio::spawn(poll(Arc::clone(&context), stopped));
        Self { context, stop, task }
    }

    /// A counter of received and finished batches: two equal values mean that nothing happened in between.
    #[must_use]
    pub fn activity(&self) -> u64 {
        self.context.activity.load(Ordering::SeqCst)
    }

    /// Waits until no message is visible and none is in flight. Messages that are delayed, or hidden after a failure,
    /// are left out.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the server does not answer.
    pub async fn wait_until_idle(&self) -> Result<()> {
        while !self.context.is_idle().await? {
            tokio::time::sleep(IDLE_CHECK_PERIOD).await;
        }
        Ok(())
    }

    /// Stops receiving, and gives running batches `grace` to finish. A server that outlives this process delivers
    /// aborted ones again.
    pub async fn stop(self, grace: Duration) {
        self.stop.send_replace(true);
        let Ok(mut running) = self.task.await else { return };
        let ended = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, ended).await.is_err() {
            tracing::warn!(queue = %self.context.queue.queue, "aborted a worker at shutdown; its messages are delivered again");
        }
        running.shutdown().await;
    }
}

/// The state that all batches share.
struct Context {
    client: Client,
    queue: CreatedQueue,
    limits: WorkerLimits,
    handle: HandleMessages,
    activity: AtomicU64,
    running: AtomicUsize,
    /// Failed messages by id, each with the end of its visibility timeout.
    hidden: Mutex<HashMap<String, Instant>>,
}

async fn poll(context: Arc<Context>, mut stopped: watch::Receiver<bool>) -> JoinSet<()> {
    let mut running = JoinSet::new();
    let permits = Arc::new(Semaphore::new(context.limits.concurrency));
    loop {
        let permit = tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => return running,
            permit = Arc::clone(&permits).acquire_owned() => permit,
        };
        let Ok(permit) = permit else { return running };
        let received = tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop), if !context.queue.remote => return running,
            received = context.receive() => received,
        };
        while running.try_join_next().is_some() {}
        match received {
            Ok(batch) if batch.is_empty() => {}
            Ok(batch) => {
                context.running.fetch_add(batch.len(), Ordering::SeqCst);
                context.activity.fetch_add(1, Ordering::SeqCst);
                running.spawn(handle_batch(Arc::clone(&context), batch, permit));
            }
            Err(error) => {
                tracing::warn!(error = %error, queue = %context.queue.queue, "failed to receive messages; retrying");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }
}

/// Gives a batch to the worker and deletes the handled messages.
async fn handle_batch(context: Arc<Context>, batch: Vec<SqsMessage>, _permit: OwnedSemaphorePermit) {
    let count = batch.len();
    let (messages, receipts): (Vec<Message>, Vec<(String, String)>) =
        batch.into_iter().filter_map(parse_message).unzip();
    let all_ids = messages.iter().map(|message| message.id.clone()).collect::<Vec<_>>();
    // A separate task, so that a panic fails this batch only.
    let mut worker = tokio::spawn((context.handle)(messages));
    let failed = match tokio::time::timeout(context.limits.timeout, &mut worker).await {
        Ok(Ok(failed)) => failed,
        Ok(Err(error)) => {
            tracing::error!(error = %error, queue = %context.queue.queue, "a worker panicked or was aborted; its messages are delivered again");
            all_ids
        }
        Err(_) => {
            worker.abort();
            tracing::error!(queue = %context.queue.queue, "a worker timed out; its messages are delivered again");
            all_ids
        }
    };
    context.hide(&failed);
    let done = receipts.into_iter().filter(|(id, _)| !failed.contains(id)).collect();
    if let Err(error) = context.delete(done).await {
        tracing::warn!(error = %error, queue = %context.queue.queue, "failed to delete handled messages; the queue delivers them again");
    }
    context.activity.fetch_add(1, Ordering::SeqCst);
    context.running.fetch_sub(count, Ordering::SeqCst);
}

/// Converts a message; also returns its id with the receipt handle that deletes it.
fn parse_message(message: SqsMessage) -> Option<(Message, (String, String))> {
    let count =
        message.attributes.as_ref().and_then(|all| all.get(&MessageSystemAttributeName::ApproximateReceiveCount));
    let receive_count = count.and_then(|count| count.parse().ok()).unwrap_or(1);
    let id = message.message_id?;
    let parsed = Message { id: id.clone(), body: message.body.unwrap_or_default(), receive_count };
    Some((parsed, (id, message.receipt_handle?)))
}

impl Context {
    async fn receive(&self) -> Result<Vec<SqsMessage>> {
        let request = self.client.receive_message().queue_url(&self.queue.url).max_number_of_messages(BATCH_SIZE);
        let seconds = if self.queue.remote { REMOTE_LONG_POLL_SECONDS } else { LONG_POLL_SECONDS };
        let request = request.wait_time_seconds(seconds);
        let request = request.message_system_attribute_names(MessageSystemAttributeName::ApproximateReceiveCount);
        Ok(request.send().await.map_err(failed("SQS receive"))?.messages.unwrap_or_default())
    }

    async fn delete(&self, done: Vec<(String, String)>) -> Result<()> {
        if done.is_empty() {
            return Ok(());
        }
        let mut request = self.client.delete_message_batch().queue_url(&self.queue.url);
        for (number, (_, receipt)) in done.into_iter().enumerate() {
            let entry =
                DeleteMessageBatchRequestEntry::builder().id(number.to_string()).receipt_handle(receipt).build();
            request = request.entries(entry.map_err(|e| domain::Error::internal(e.to_string()))?);
        }
        // A refused receipt handle means that the message was received again meanwhile.
        request.send().await.map(drop).map_err(failed("SQS delete"))
    }

    fn hide(&self, failed: &[String]) {
        let until = Instant::now() + self.limits.visibility();
        let mut hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.retain(|_, end| *end > Instant::now());
        hidden.extend(failed.iter().map(|id| (id.clone(), until)));
    }

    async fn is_idle(&self) -> Result<bool> {
        let names = [
            QueueAttributeName::ApproximateNumberOfMessages,
            QueueAttributeName::ApproximateNumberOfMessagesNotVisible,
        ];
        let request = self.client.get_queue_attributes().queue_url(&self.queue.url);
        let answer =
            request.set_attribute_names(Some(names.to_vec())).send().await.map_err(failed("SQS attributes"))?;
        let counts = answer.attributes.unwrap_or_default();
        let [ready, given_out] = names.map(|name| counts.get(&name).and_then(|n| n.parse::<usize>().ok()).unwrap_or(0));
        let now = Instant::now();
        let hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        let hidden = hidden.values().filter(|end| **end > now).count();
        // A message that was received and is not in flight here yet is on its way.
        Ok(ready == 0 && given_out <= hidden && self.running.load(Ordering::SeqCst) == 0)
    }
}
