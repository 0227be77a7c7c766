//! The functions in processes of their own, as `cargo lambda watch` serves them. Changes, messages and the schedule reach
//! them as the events that Lambda would send.
//!
//! A function that is not built yet answers late or not at all: its work waits and is delivered again.

use std::sync::Arc;
use std::time::Duration;

use aws::queue::{Message, Queue};
use aws::stream::Record;
use domain::{Error, Result};
use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::queues::HandleMessages;
use crate::stream::HandleRecords;

/// How long one invocation may take: the first one builds the function.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// The delay before an address is tried again that nothing listens on yet.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Invokes functions. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RemoteFunctions {
    http: reqwest::Client,
    url: Arc<str>,
}

impl RemoteFunctions {
    /// The functions behind `url`, such as `http://127.0.0.1:9100`.
    ///
    /// # Errors
    /// An internal error when there can be no HTTP client.
    pub(crate) fn at(url: &str) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build();
        let http = http.map_err(|e| Error::internal(format!("no client for the functions: {e}")))?;
        Ok(Self { http, url: url.trim_end_matches('/').into() })
    }

    /// Delivers changes of the table to `changes`.
    pub(crate) fn records_handler(&self) -> HandleRecords {
        let functions = self.clone();
        Arc::new(move |records| {
            let functions = functions.clone();
            Box::pin(async move {
                let first = records.first().map(|record| record.sequence.clone());
                let event = json!({"Records": records.iter().map(stream_record).collect::<Vec<_>>()});
                match functions.invoke("changes", &event).await {
                    Ok(response) => failed_ids(&response).into_iter().next(),
                    Err(error) => {
                        tracing::warn!(error = %error, "changes did not handle a batch; it is delivered again");
                        first
                    }
                }
            })
        })
    }

    /// Delivers the messages of `queue` to its worker.
    pub(crate) fn messages_handler(&self, queue: Queue) -> HandleMessages {
        let functions = self.clone();
        Arc::new(move |messages| {
            let functions = functions.clone();
            Box::pin(async move {
                let event = json!({"Records": messages.iter().map(queue_record).collect::<Vec<_>>()});
                match functions.invoke(worker(queue), &event).await {
                    Ok(response) => failed_ids(&response),
                    Err(error) => {
                        tracing::warn!(error = %error, %queue, "a worker did not handle a batch; it is delivered again");
                        messages.into_iter().map(|message| message.id).collect()
                    }
                }
            })
        })
    }

    /// Runs the sweeper.
    pub(crate) fn sweep(&self) -> BoxFuture<'static, Result<()>> {
        let functions = self.clone();
        Box::pin(async move { functions.invoke("sweeper", &json!({"version": "0"})).await.map(drop) })
    }

    async fn invoke(&self, function: &str, event: &Value) -> Result<Value> {
        let url = format!("{}/2015-03-31/functions/{function}/invocations", self.url);
        loop {
            match self.http.post(&url).json(event).send().await {
                Err(error) if error.is_connect() => tokio::time::sleep(RETRY_DELAY).await,
                Err(error) => return Err(Error::unavailable(format!("{function}: {error}"))),
                Ok(response) => {
                    let status = response.status();
                    let body = response.json::<Value>().await;
                    let body = body.map_err(|e| Error::unavailable(format!("{function}: {status}: {e}")))?;
                    return match status.is_success() && body.get("errorType").is_none() {
                        true => Ok(body),
                        false => Err(Error::unavailable(format!("{function}: the invocation failed with {status}"))),
                    };
                }
            }
        }
    }
}

const fn worker(queue: Queue) -> &'static str {
    match queue {
        Queue::Webhooks => "webhook-worker",
        Queue::Ingest => "ingest-worker",
        Queue::Embeddings => "embedding-worker",
    }
}

/// A record as Lambda's event of a DynamoDB stream has it.
fn stream_record(record: &Record) -> Value {
    let name = match (&record.old, &record.new) {
        (None, _) => "INSERT",
        (_, None) => "REMOVE",
        (Some(_), Some(_)) => "MODIFY",
    };
    #[allow(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit")]
    let seconds = record.at.as_millis() as f64 / 1_000.0;
    json!({
        "eventID": record.event_id, "eventName": name, "eventVersion": "1.1", "eventSource": "aws:dynamodb",
        "dynamodb": {
            "ApproximateCreationDateTime": seconds, "Keys": record.keys, "OldImage": record.old, "NewImage": record.new,
            "SequenceNumber": record.sequence, "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    })
}

fn queue_record(message: &Message) -> Value {
    json!({
        "messageId": message.id, "body": message.body, "eventSource": "aws:sqs",
        "attributes": {"ApproximateReceiveCount": message.receive_count.to_string()},
    })
}

/// The ids of what a worker reports as failed.
fn failed_ids(response: &Value) -> Vec<String> {
    let failures = response.get("batchItemFailures").and_then(Value::as_array).into_iter().flatten();
    failures.filter_map(|failure| failure.get("itemIdentifier")?.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_and_a_message_read_as_the_functions_read_lambdas_events() {
        let item = |version: &str| {
            serde_json::from_value(json!({"pk": {"S": "t"}, "kind": {"S": "entry"}, "version": {"N": version}}))
                .unwrap()
        };
        let record = Record {
            event_id: "e1".into(),
            sequence: "111".into(),
            at: domain::models::Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap(),
            keys: item("1"),
            old: Some(item("1")),
            new: Some(item("2")),
        };
        assert_eq!(Record::of_lambda(stream_record(&record)).unwrap(), record);
        let inserted = Record { old: None, ..record };
        assert_eq!(Record::of_lambda(stream_record(&inserted)).unwrap(), inserted);
        let failed = json!({"batchItemFailures": [{"itemIdentifier": "m2"}]});
        assert_eq!((failed_ids(&failed), failed_ids(&Value::Null)), (vec!["m2".to_owned()], Vec::new()));
    }
}
