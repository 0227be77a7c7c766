//! Reads the stream by its API: every open shard in turn, its records in order, at once after a write of this process and
//! otherwise from time to time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::types::{Record as SdkRecord, ShardIteratorType};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use domain::models::Timestamp;
use domain::{Error, Result};
use support::table::stream::{Item, Record};
use tokio::sync::{Notify, watch};

use super::partitions::PartitionSenders;
use super::progress::{Progress, ShardPosition};
use crate::config::failed;

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

#[derive(Debug, Clone)]
pub(crate) struct TableStream {
    client: Client,
    /// A recreated table has another one.
    pub(super) arn: String,
    /// Added to the time of each change, in milliseconds.
    time_offset_ms: i64,
}

/// A shard of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shard {
    pub(super) id: String,
    /// The shard whose records come before this one's.
    pub(super) parent: Option<String>,
}

/// The result of reading a shard.
pub(super) enum Page {
    /// Records, possibly none, and the position to continue from; none if the shard is closed and read.
    Read { records: Vec<Record>, next: Option<String> },
    /// The iterator has expired and must be created again.
    Expired,
}

impl TableStream {
    /// Finds the stream of `table`; `time_offset_ms` is added to the time of each change.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the server does not answer, or the table has no stream.
    pub(crate) async fn find(client: Client, table: &str, time_offset_ms: i64) -> Result<Self> {
        let answer =
            client.list_streams().table_name(table).send().await.map_err(failed("DynamoDB Streams list streams"))?;
        // The newest is last: a table whose stream was disabled and enabled again has several for a day.
        let arn = answer.streams.unwrap_or_default().pop().and_then(|stream| stream.stream_arn);
        let arn = arn.ok_or_else(|| Error::unavailable(format!("the table {table} has no stream")))?;
        Ok(Self { client, arn, time_offset_ms })
    }

    /// All shards within the retention period.
    pub(super) async fn shards(&self) -> Result<Vec<Shard>> {
        let (mut shards, mut last) = (Vec::new(), None);
        loop {
            let request = self.client.describe_stream().stream_arn(&self.arn).set_exclusive_start_shard_id(last);
            let answer = request.send().await.map_err(failed("DynamoDB Streams describe stream"))?.stream_description;
            let Some(stream) = answer else { return Ok(shards) };
            for shard in stream.shards.unwrap_or_default() {
                let Some(id) = shard.shard_id else { continue };
                shards.push(Shard { id, parent: shard.parent_shard_id });
            }
            last = stream.last_evaluated_shard_id;
            if last.is_none() {
                return Ok(shards);
            }
        }
    }

    /// An iterator after the record `after`, or at the oldest record.
    pub(super) async fn iterator(&self, shard: &str, after: Option<&str>) -> Result<Option<String>> {
        let request = self.client.get_shard_iterator().stream_arn(&self.arn).shard_id(shard);
        let oldest = || request.clone().shard_iterator_type(ShardIteratorType::TrimHorizon);
        let Some(after) = after else {
            return Ok(oldest().send().await.map_err(failed("DynamoDB Streams shard iterator"))?.shard_iterator);
        };
        let at_sequence =
            request.clone().shard_iterator_type(ShardIteratorType::AfterSequenceNumber).sequence_number(after);
        match at_sequence.send().await {
            Ok(answer) => Ok(answer.shard_iterator),
            Err(error) if error.as_service_error().is_some_and(|e| e.is_trimmed_data_access_exception()) => {
                tracing::error!(
                    shard,
                    "the stream dropped records before they were handled; reindex and recount to repair"
                );
                Ok(oldest().send().await.map_err(failed("DynamoDB Streams shard iterator"))?.shard_iterator)
            }
            Err(error) => Err(failed("DynamoDB Streams shard iterator")(error)),
        }
    }

    /// The next records of a shard.
    pub(super) async fn read(&self, iterator: &str, limit: i32) -> Result<Page> {
        match self.client.get_records().shard_iterator(iterator).limit(limit).send().await {
            Ok(answer) => {
                let records = answer.records.unwrap_or_default().into_iter();
                let records = records.filter_map(|change| record(change, self.time_offset_ms)).collect();
                Ok(Page::Read { records, next: answer.next_shard_iterator })
            }
            Err(error) => match error.as_service_error() {
                Some(e) if e.is_expired_iterator_exception() || e.is_trimmed_data_access_exception() => {
                    Ok(Page::Expired)
                }
                _ => Err(failed("DynamoDB Streams get records")(error)),
            },
        }
    }
}

impl TableStream {
    /// All records within the retention period, each shard in order, up to the first empty read of the shard.
    pub(crate) async fn read_all(&self) -> Result<Vec<Record>> {
        let mut all = Vec::new();
        for shard in self.shards().await? {
            let mut iterator_left = self.iterator(&shard.id, None).await?;
            while let Some(iterator) = iterator_left.take() {
                let Page::Read { records, next } = self.read(&iterator, 1_000).await? else { break };
                iterator_left = next.filter(|_| !records.is_empty());
                all.extend(records);
            }
        }
        Ok(all)
    }
}

/// Converts the SDK's record; none when a required field is missing.
fn record(record: SdkRecord, time_offset_ms: i64) -> Option<Record> {
    let change = record.dynamodb?;
    let at = change.approximate_creation_date_time.and_then(|at| at.to_millis().ok()).unwrap_or_default();
    Some(Record {
        event_id: record.event_id?,
        sequence: change.sequence_number?,
        at: Timestamp::from_millis(at).plus_millis(time_offset_ms),
        keys: Item::from(change.keys?),
        old: change.old_image.map(Item::from),
        new: change.new_image.map(Item::from),
    })
}

/// The operations after which the stream may have a new record.
const WRITES: [&str; 5] = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"];

/// Wakes the reader; a notification while it runs is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteNotifier(Arc<Notify>);

impl WriteNotifier {
    /// Notifies the reader.
    pub(crate) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a notification.
    pub(super) async fn notified(&self) {
        self.0.notified().await;
    }

    /// Wraps an HTTP client so that a completed write notifies the reader.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        let notifier = self.clone();
        http_client_fn(move |settings, parts| {
            let inner = inner.http_connector(settings, parts);
            SharedHttpConnector::new(NotifyingConnector { inner, notifier: notifier.clone() })
        })
    }
}

#[derive(Debug)]
struct NotifyingConnector {
    inner: SharedHttpConnector,
    notifier: WriteNotifier,
}

impl HttpConnector for NotifyingConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").and_then(|target| target.rsplit('.').next());
        let writes = operation.is_some_and(|operation| WRITES.contains(&operation));
        let call = self.inner.call(request);
        if !writes {
            return call;
        }
        let notifier = self.notifier.clone();
        HttpConnectorFuture::new(async move {
            let answer = call.await;
            notifier.notify();
            answer
        })
    }
}
