//! Partitions: changes of one item are always in the same one, in order; partitions run concurrently.
//!
//! A partition passes a batch to the worker and waits. A failure is retried after a growing delay, with half the batch
//! size each time, so that a record that always fails is soon alone. After [`MAX_ATTEMPTS`] it becomes a dead letter
//! and the partition continues. This is Lambda's event source mapping with `BisectBatchOnFunctionError` and
//! `ParallelizationFactor`.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use domain::{Error, Result};
use futures::future::BoxFuture;
use support::table::stream::Record;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::progress::{Progress, RecordPosition};

/// The number of partitions; the maximum of Lambda's `ParallelizationFactor`.
const PARALLELIZATION_FACTOR: usize = 10;

/// The maximum number of records in a batch; as in the template.
const BATCH_SIZE: usize = 100;

/// How often a record is attempted before it becomes a dead letter: once plus the retries of the template.
const MAX_ATTEMPTS: u32 = 11;

/// The timeout of a batch; that of the function.
const BATCH_TIMEOUT: Duration = Duration::from_secs(60);

/// A worker. It gets records in order and returns the sequence number of the first one that failed.
pub type HandleRecords = Arc<dyn Fn(Vec<Record>) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// Writes a record to the dead letters that the named consumer cannot handle, with the reason.
pub(crate) type WriteDeadLetter =
    Arc<dyn Fn(Record, &'static str, Error) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// The handlers of the records of a stream.
pub(crate) struct Worker {
    /// Handles a batch.
    pub(crate) handle: HandleRecords,
    /// Writes a record to the dead letters that failed every attempt.
    pub(crate) write_dead_letter: WriteDeadLetter,
}

type Work = (RecordPosition, Record);

/// The partitions of a stream.
#[derive(Debug)]
pub(super) struct Partitions {
    pub(super) senders: PartitionSenders,
    running: JoinSet<()>,
}

/// The sending side of the partitions.
#[derive(Debug, Clone)]
pub(super) struct PartitionSenders(Vec<mpsc::UnboundedSender<Work>>);

impl PartitionSenders {
    /// Sends a record to its item's partition.
    pub(super) fn send(&self, position: RecordPosition, record: Record) {
        let mut hasher = DefaultHasher::new();
        record.item_key().hash(&mut hasher);
        let partition = usize::try_from(hasher.finish() % PARALLELIZATION_FACTOR as u64).unwrap_or(0);
        if let Some(sender) = self.0.get(partition) {
            // A stopped partition takes nothing: the record stays after the checkpoint and comes again.
            sender.send((position, record)).ok();
        }
    }
}

impl Partitions {
    pub(super) fn start(
        worker: &Arc<Worker>,
        progress: &Arc<Progress>,
        stopped: &watch::Receiver<bool>,
        backoff: (Duration, Duration),
    ) -> Self {
        let (mut senders, mut running) = (Vec::new(), JoinSet::new());
        for _ in 0..PARALLELIZATION_FACTOR {
            let (sender, queue) = mpsc::unbounded_channel();
            senders.push(sender);
            let partition = Partition {
                queue,
                worker: Arc::clone(worker),
                progress: Arc::clone(progress),
                waiting: VecDeque::new(),
                batch: BATCH_SIZE,
                failures: 0,
                backoff,
            };
            running.spawn(partition.run(stopped.clone()));
        }
        Self { senders: PartitionSenders(senders), running }
    }

    /// Gives running batches `grace` to finish, after the stop was signalled.
    pub(super) async fn stop(mut self, grace: Duration) {
        let ended = async { while self.running.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, ended).await.is_err() {
            tracing::warn!("aborted the handling of changes at shutdown; they are handled again at the next start");
        }
        self.running.shutdown().await;
    }
}

struct Partition {
    queue: mpsc::UnboundedReceiver<Work>,
    worker: Arc<Worker>,
    progress: Arc<Progress>,
    waiting: VecDeque<Work>,
    /// The maximum size of the next batch.
    batch: usize,
    /// How often the first pending record has failed.
    failures: u32,
    backoff: (Duration, Duration),
}

impl Partition {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        loop {
            let more = async {
                if self.waiting.is_empty()
                    && let Some(work) = self.queue.recv().await
                {
                    self.waiting.push_back(work);
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stop| *stop) => return,
                () = more => {}
            }
            while let Ok(work) = self.queue.try_recv() {
                self.waiting.push_back(work);
            }
            if self.waiting.is_empty() {
                return;
            }
            if let Some(wait) = self.handle_next_batch().await {
                tokio::select! {
                    _ = stopped.wait_for(|stop| *stop) => return,
                    () = tokio::time::sleep(wait) => {}
                }
            }
        }
    }

    /// Handles one batch; returns the delay before the next one after a failure.
    async fn handle_next_batch(&mut self) -> Option<Duration> {
        let batch: Vec<Record> = self.waiting.iter().take(self.batch).map(|(_, record)| record.clone()).collect();
        let size = batch.len();
        let (done, named) = self.handle(batch).await;
        for (position, _) in self.waiting.drain(..done.min(self.waiting.len())) {
            self.progress.mark_handled(&position);
        }
        if done >= size {
            (self.batch, self.failures) = (BATCH_SIZE, 0);
            return None;
        }
        if done > 0 {
            self.failures = 0;
        }
        // Without a name, another record of a larger batch may have failed.
        if named || size == 1 {
            self.failures += 1;
        }
        self.batch = (size / 2).max(1);
        self.record_failure().await
    }

    /// Writes the first record to the dead letters after too many failures; otherwise returns the delay before the next
    /// attempt.
    async fn record_failure(&mut self) -> Option<Duration> {
        if self.failures >= MAX_ATTEMPTS && self.dead_letter_first().await {
            (self.batch, self.failures) = (BATCH_SIZE, 0);
            return None;
        }
        let (first, longest) = self.backoff;
        Some(first.saturating_mul(1 << self.failures.min(10)).min(longest))
    }

    /// The number of handled records at the start of a batch, and whether the worker named the next one as failed.
    async fn handle(&self, batch: Vec<Record>) -> (usize, bool) {
        let sequences: Vec<String> = batch.iter().map(|record| record.sequence.clone()).collect();
        // A separate task, so that a panic fails this batch only.
        let mut worker = tokio::spawn((self.worker.handle)(batch));
        match tokio::time::timeout(BATCH_TIMEOUT, &mut worker).await {
            Ok(Ok(None)) => (sequences.len(), false),
            Ok(Ok(Some(failed))) => match sequences.iter().position(|sequence| *sequence == failed) {
                Some(index) => (index, true),
                None => (0, false),
            },
            Ok(Err(error)) => {
                tracing::error!(error = %error, "the handling of changes panicked or was aborted; it is retried");
                (0, false)
            }
            Err(_) => {
                worker.abort();
                tracing::error!("the handling of changes timed out; it is retried");
                (0, false)
            }
        }
    }

    /// Writes the first record to the dead letters; false when that failed.
    async fn dead_letter_first(&mut self) -> bool {
        let Some((position, record)) = self.waiting.front() else { return true };
        let why = Error::internal(format!("handling it failed {MAX_ATTEMPTS} times"));
        if let Err(error) = (self.worker.write_dead_letter)(record.clone(), "changes", why).await {
            tracing::error!(record.id = record.event_id, error = %error, "failed to move a change to the dead letters; it is retried");
            return false;
        }
        self.progress.mark_handled(position);
        self.waiting.pop_front();
        true
    }
}
