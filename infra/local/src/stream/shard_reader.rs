//! Reads every open shard in turn, at once after a write and otherwise from time to time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::Result;
use tokio::sync::watch;

use super::checkpoint::ShardPosition;
use super::partitions::PartitionSenders;
use super::progress::Progress;
use super::table_stream::{Page, Shard, TableStream};
use super::write_notifier::WriteNotifier;

/// Records per read; the API's limit.
const PAGE_SIZE: i32 = 1_000;

/// Reading pauses while so many records are read and not handled.
const MAX_OUTSTANDING: usize = 2_000;

/// The minimum time between two reads: many writes are read in few large batches.
const MIN_READ_INTERVAL: Duration = Duration::from_millis(4);

/// How often the list of shards is read again; on AWS a shard lives for hours.
const SHARDS_PERIOD: Duration = Duration::from_secs(30);

/// The delay after a failed read.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// Reads the shards of a stream.
pub(super) struct ShardReader {
    source: TableStream,
    progress: Arc<Progress>,
    senders: PartitionSenders,
    notifier: WriteNotifier,
    period: Duration,
    /// How many rounds found no new record.
    empty_rounds: watch::Sender<u64>,
    shards: Vec<Shard>,
    listed: Option<Instant>,
    /// The next iterator of each open shard.
    open: HashMap<Arc<str>, String>,
}

impl ShardReader {
    pub(super) fn new(
        source: TableStream,
        progress: Arc<Progress>,
        senders: PartitionSenders,
        notifier: WriteNotifier,
        period: Duration,
        empty_rounds: watch::Sender<u64>,
    ) -> Self {
        let (shards, open) = (Vec::new(), HashMap::new());
        Self { source, progress, senders, notifier, period, empty_rounds, shards, listed: None, open }
    }

    /// Reads until it is stopped.
    pub(super) async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        loop {
            let step = async {
                self.progress.wait_below(MAX_OUTSTANDING).await;
                match self.round().await {
                    Ok(0) => {
                        self.empty_rounds.send_modify(|rounds| *rounds += 1);
                        tokio::time::timeout(self.period, self.notifier.notified()).await.ok();
                    }
                    Ok(_) => tokio::time::sleep(MIN_READ_INTERVAL).await,
                    Err(error) => {
                        tracing::warn!(error = %error, "failed to read the stream; retrying");
                        self.listed = None;
                        tokio::time::sleep(RETRY_DELAY).await;
                    }
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stop| *stop) => return,
                () = step => {}
            }
        }
    }

    /// Reads each open shard once; the number of records read.
    async fn round(&mut self) -> Result<usize> {
        if self.listed.is_none_or(|at| at.elapsed() >= SHARDS_PERIOD) {
            self.shards = self.source.shards().await?;
            self.progress.retain(|shard| self.shards.iter().any(|known| known.id == shard));
            self.listed = Some(Instant::now());
        }
        self.open_shards().await?;
        let mut read = 0;
        for (shard, iterator) in self.open.clone() {
            read += self.read(&shard, &iterator).await?;
        }
        Ok(read)
    }

    /// Opens each shard that is not fully handled and whose parent is: an item's changes stay in order across shards.
    async fn open_shards(&mut self) -> Result<()> {
        for shard in &self.shards {
            let ended = |id: &str| self.progress.position(id) == Some(ShardPosition::Ended);
            let backoff = |parent: &str| self.shards.iter().any(|known| known.id == parent) && !ended(parent);
            let id: Arc<str> = shard.id.as_str().into();
            let closed_here = self.progress.is_closed(&id);
            if self.open.contains_key(&id) || closed_here || ended(&id) || shard.parent.as_deref().is_some_and(backoff)
            {
                continue;
            }
            let after = self.progress.last_read(&id);
            if let Some(iterator) = self.source.iterator(&id, after.as_deref()).await? {
                self.open.insert(id, iterator);
            }
        }
        Ok(())
    }

    async fn read(&mut self, shard: &Arc<str>, iterator: &str) -> Result<usize> {
        let (records, next) = match self.source.read(iterator, PAGE_SIZE).await? {
            Page::Read { records, next } => (records, next),
            Page::Expired => {
                // The next round requests a new iterator, after the last record that was read.
                self.open.remove(shard);
                return Ok(0);
            }
        };
        let count = records.len();
        for (position, record) in self.progress.read(shard, records) {
            self.senders.send(position, record);
        }
        match next {
            Some(next) => {
                self.open.insert(Arc::clone(shard), next);
            }
            None => {
                self.open.remove(shard);
                self.progress.close(shard);
                self.listed = None;
            }
        }
        Ok(count)
    }
}
