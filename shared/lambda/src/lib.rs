//! Startup of every function on AWS Lambda: configuration, secrets, clients, one warm connection each, then events.
//!
//! A function takes the parts that it names from [`LambdaProvider`]. No other client is made or linked, so its role
//! needs no more. [`run`] serves HTTP. Workers start with [`run_queue`], [`run_stream`] and [`run_schedule`]: the same
//! startup, other events. These are parsed record by record, so that an unreadable one does not fail the others. [`gateway`]
//! restores what the gateway and `lambda_http` change.

mod gateway;
mod provider;

use std::process::ExitCode;

use lambda_runtime::{LambdaEvent, service_fn};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower::util::MapRequest;

use aws::config::{Config, sdk_config};
use aws::queue::Message;
use domain::Result;
use support::edge::telemetry;
use support::edge::telemetry::LogFormat;
use support::edge::{App, Router, service};
use support::table::stream::Record;

pub use provider::LambdaProvider;

/// Serves the `routes` of a function until Lambda ends the process; a start that fails is logged and ends
/// it at once.
#[must_use]
pub fn run(make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>, routes: fn(App) -> Router) -> ExitCode {
    start_function(make, async |app| {
        let router = service(app.clone(), [routes(app)]);
        lambda_http::run(MapRequest::new(router, gateway::as_sent)).await
    })
}

/// Handles batches of a queue until Lambda ends the process. `handler` returns the ids of the messages that failed:
/// only these are delivered again, and finally go to the dead-letter queue. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_queue(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>,
    handler: impl AsyncFn(&App, Vec<Message>) -> Vec<String>,
) -> ExitCode {
    run_events(make, async |app, event| {
        let (messages, mut failed) = queue_batch(event);
        if !messages.is_empty() {
            failed.extend(handler(app, messages).await);
        }
        Ok(BatchResponse::from_failed(failed))
    })
}

/// Handles batches of the table's stream until Lambda ends the process. `handler` returns the sequence number of the
/// first record that failed: it and later ones are delivered again. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_stream(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>,
    handler: impl AsyncFn(&App, Vec<Record>) -> Option<String>,
) -> ExitCode {
    run_events(make, async |app, event| {
        let (records, unreadable) = stream_batch(event);
        let failed = if records.is_empty() { None } else { handler(app, records).await };
        Ok(BatchResponse::from_failed(failed.or(unreadable)))
    })
}

/// Runs `handler` at each run of a schedule until Lambda ends the process. Its result is logged; an error fails the
/// invocation, which Lambda counts.
#[must_use]
pub fn run_schedule<T: std::fmt::Debug>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>,
    handler: impl AsyncFn(&App) -> Result<T>,
) -> ExitCode {
    run_events(make, async |app, _| match handler(app).await {
        Ok(done) => {
            tracing::info!(metric.ScheduledRuns = 1, ?done, "completed a scheduled run");
            Ok(Value::Null)
        }
        Err(error) => {
            tracing::error!(error = %error, "the scheduled run failed");
            Err("the scheduled run failed".into())
        }
    })
}

fn run_events<R: Serialize>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>,
    handle: impl AsyncFn(&App, Value) -> Result<R, lambda_runtime::Error>,
) -> ExitCode {
    start_function(make, async |app| {
        let (app, handle) = (&app, &handle);
        // Boxed, as below.
        let answer = |event: LambdaEvent<Value>| async move { Box::pin(handle(app, event.payload)).await };
        lambda_runtime::run(service_fn(answer)).await
    })
}

/// Reads the configuration, creates the function with the clients that it names, and runs `serve` until Lambda ends the
/// process.
fn start_function(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<App>,
    serve: impl AsyncFnOnce(App) -> Result<(), lambda_runtime::Error>,
) -> ExitCode {
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(error) => {
            telemetry::init(LogFormat::Json, "info");
            return fail_start(&error.to_string());
        }
    };
    telemetry::init_on_lambda(&config.log_level, config.metrics.clone());
    // Boxed: the compiler limits how deep the types of nested futures may be.
    let serving = async {
        let start = LambdaProvider::new(config, sdk_config());
        let app = Box::pin(make(&start)).await?;
        start.warm_up().await;
        Box::pin(serve(app)).await
    };
    // Lambda sends one request at a time: one thread starts faster and is as fast.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(serving)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail_start(&error.to_string()),
    }
}

fn fail_start(reason: &str) -> ExitCode {
    tracing::error!(reason, "the function failed to start");
    ExitCode::FAILURE
}

/// The response of a worker: an empty list says that the whole batch succeeded.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchResponse {
    batch_item_failures: Vec<BatchItemFailure>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchItemFailure {
    item_identifier: String,
}

impl BatchResponse {
    /// The items with these ids, or from this sequence number on, failed.
    fn from_failed(ids: impl IntoIterator<Item = String>) -> Self {
        let failure = |item_identifier| BatchItemFailure { item_identifier };
        Self { batch_item_failures: ids.into_iter().map(failure).collect() }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QueueRecord {
    message_id: String,
    #[serde(default)]
    body: String,
    #[serde(default)]
    attributes: QueueAttributes,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct QueueAttributes {
    approximate_receive_count: String,
}

/// The messages of an SQS event, and the ids of those that cannot be read.
fn queue_batch(event: Value) -> (Vec<Message>, Vec<String>) {
    let (mut messages, mut failed) = (Vec::new(), Vec::new());
    for record in records(event) {
        let id = record.pointer("/messageId").and_then(Value::as_str).map(str::to_owned);
        match serde_json::from_value(record) {
            Ok(QueueRecord { message_id, body, attributes }) => messages.push(Message {
                id: message_id,
                body,
                receive_count: attributes.approximate_receive_count.parse().unwrap_or(1),
            }),
            Err(error) => {
                // Logs only the kind of error: the record may contain customers' text.
                tracing::error!(error.kind = ?error.classify(), "failed to parse a queue record; the queue delivers it again");
                failed.extend(id);
            }
        }
    }
    (messages, failed)
}

/// The records of a stream event up to the first that cannot be read, and that one's sequence number.
fn stream_batch(event: Value) -> (Vec<Record>, Option<String>) {
    let mut readable = Vec::new();
    for record in records(event) {
        let sequence = record.pointer("/dynamodb/SequenceNumber").and_then(Value::as_str).map(str::to_owned);
        match Record::of_lambda(record) {
            Ok(record) => readable.push(record),
            Err(error) => {
                tracing::error!(
                    error = %error,
                    "failed to parse a stream record; Lambda delivers the batch again from it"
                );
                // Without a number of its own, an empty one says that the whole batch failed.
                return (readable, Some(sequence.unwrap_or_default()));
            }
        }
    }
    (readable, None)
}

fn records(mut event: Value) -> Vec<Value> {
    match event.get_mut("Records").map(Value::take) {
        Some(Value::Array(records)) => records,
        _ => {
            tracing::error!("ignored an event without records");
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn image(path: &str) -> Value {
        json!({"pk": {"S": "t#live#WIKI"}, "sk": {"S": path}, "kind": {"S": "entry"}, "version": {"N": "3"}})
    }

    fn stream_record(sequence: &str) -> Value {
        json!({
            "eventID": "e1", "eventName": "MODIFY", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
            "dynamodb": {
                "ApproximateCreationDateTime": 1_700_000_001.0, "SequenceNumber": sequence, "SizeBytes": 9,
                "Keys": {"pk": {"S": "t#live#WIKI"}, "sk": {"S": "a/b"}},
                "OldImage": image("a/b"), "NewImage": image("a/b"), "StreamViewType": "NEW_AND_OLD_IMAGES"
            }
        })
    }

    #[test]
    fn a_queue_event_is_read_message_by_message() {
        let good = json!({"messageId": "m1", "body": "{}", "attributes": {"ApproximateReceiveCount": "3"}});
        let poisoned = json!({"messageId": "m2", "body": 7});
        let bare = json!({"messageId": "m3", "body": "x"});
        let (messages, failed) = queue_batch(json!({"Records": [good, poisoned, bare, {"body": "lost"}]}));
        let message = |id: &str, body: &str, receive_count| Message { id: id.into(), body: body.into(), receive_count };
        assert_eq!(messages, [message("m1", "{}", 3), message("m3", "x", 1)]);
        assert_eq!(failed, ["m2"]);
    }

    #[test]
    fn a_stream_event_is_read_with_both_images() {
        let (records, failed) = stream_batch(json!({"Records": [stream_record("111"), stream_record("112")]}));
        assert_eq!((records.len(), failed), (2, None));
        assert_eq!(records[1].sequence, "112");
        assert_eq!(records[0].kind(), "entry");
        assert!(records[0].old.is_some());
    }

    #[test]
    fn a_record_that_cannot_be_read_ends_the_batch_before_it() {
        let mut broken = stream_record("112");
        broken["dynamodb"]["NewImage"]["sk"] = json!({"Q": 1});
        let (records, failed) = stream_batch(json!({"Records": [stream_record("111"), broken, stream_record("113")]}));
        assert_eq!((records.len(), failed.as_deref()), (1, Some("112")));
    }

    #[test]
    fn the_answer_has_the_shape_that_lambda_reads() {
        let answer = serde_json::to_value(BatchResponse::from_failed(["m2".to_owned()])).unwrap();
        assert_eq!(answer, json!({"batchItemFailures": [{"itemIdentifier": "m2"}]}));
        assert_eq!(serde_json::to_value(BatchResponse::from_failed(None)).unwrap(), json!({"batchItemFailures": []}));
    }
}
