//! The stream by its API: shards, and the records of a shard in order.

use aws::sdk_error;
use aws::stream::{Item, Record};
use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodbstreams::types::{Record as SdkRecord, ShardIteratorType};
use domain::models::Timestamp;
use domain::{Error, Result};

#[derive(Debug, Clone)]
pub(crate) struct TableStream {
    client: Client,
    arn: String,
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
        let answer = client.list_streams().table_name(table).send().await.map_err(failed("list streams"))?;
        // The newest is last: a table whose stream was disabled and enabled again has several for a day.
        let arn = answer.streams.unwrap_or_default().pop().and_then(|stream| stream.stream_arn);
        let arn = arn.ok_or_else(|| Error::unavailable(format!("the table {table} has no stream")))?;
        Ok(Self { client, arn, time_offset_ms })
    }

    /// The stream's ARN; a recreated table has another one.
    pub(super) fn arn(&self) -> &str {
        &self.arn
    }

    /// All shards within the retention period.
    pub(super) async fn shards(&self) -> Result<Vec<Shard>> {
        let (mut shards, mut last) = (Vec::new(), None);
        loop {
            let request = self.client.describe_stream().stream_arn(&self.arn).set_exclusive_start_shard_id(last);
            let answer = request.send().await.map_err(failed("describe stream"))?.stream_description;
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
            return Ok(oldest().send().await.map_err(failed("shard iterator"))?.shard_iterator);
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
                Ok(oldest().send().await.map_err(failed("shard iterator"))?.shard_iterator)
            }
            Err(error) => Err(failed("shard iterator")(error)),
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
                _ => Err(failed("get records")(error)),
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

fn failed<E, R>(call: &'static str) -> impl FnOnce(SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    move |error| Error::unavailable(format!("DynamoDB Streams {call}: {}", sdk_error::describe(&error)))
}
