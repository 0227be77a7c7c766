//! Startup of a worker: it gets a batch or a scheduled event and returns what failed.

use std::process::ExitCode;

use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;

use super::worker_events::{BatchResponse, queue_batch, stream_batch};
use super::{LambdaProvider, start_function};
use aws::queue::Message;
use aws::stream::Record;
use domain::Result;

/// Handles batches of a queue until Lambda ends the process. `handler` returns the ids of the messages that failed:
/// only these are delivered again, and finally go to the dead-letter queue. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_queue<S>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<S>,
    handler: impl AsyncFn(&S, Vec<Message>) -> Vec<String>,
) -> ExitCode {
    start_function(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let batch = |event: LambdaEvent<Value>| async move {
            let (messages, mut failed) = queue_batch(event.payload);
            if !messages.is_empty() {
                failed.extend(handler(function, messages).await);
            }
            Ok::<_, lambda_runtime::Error>(BatchResponse::from_failed(failed))
        };
        lambda_runtime::run(service_fn(batch)).await
    })
}

/// Handles batches of the table's stream until Lambda ends the process. `handler` returns the sequence number of the
/// first record that failed: it and later ones are delivered again. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_stream<S>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<S>,
    handler: impl AsyncFn(&S, Vec<Record>) -> Option<String>,
) -> ExitCode {
    start_function(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let batch = |event: LambdaEvent<Value>| async move {
            let (records, unreadable) = stream_batch(event.payload);
            let failed = if records.is_empty() { None } else { handler(function, records).await };
            Ok::<_, lambda_runtime::Error>(BatchResponse::from_failed(failed.or(unreadable)))
        };
        lambda_runtime::run(service_fn(batch)).await
    })
}

/// Runs `handler` at each run of a schedule until Lambda ends the process. Its result is logged; an error fails the
/// invocation, which Lambda counts.
#[must_use]
pub fn run_schedule<S, T: std::fmt::Debug>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<S>,
    handler: impl AsyncFn(&S) -> Result<T>,
) -> ExitCode {
    start_function(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let run = |_: LambdaEvent<Value>| async move {
            match handler(function).await {
                Ok(done) => tracing::info!(metric.ScheduledRuns = 1, ?done, "completed a scheduled run"),
                Err(error) => {
                    tracing::error!(error = %error, "the scheduled run failed");
                    return Err(lambda_runtime::Error::from("the scheduled run failed"));
                }
            }
            Ok(Value::Null)
        };
        lambda_runtime::run(service_fn(run)).await
    })
}
