//! Startup of a worker: it gets a batch or a tick and returns what failed.

use std::process::ExitCode;

use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;

use super::worker_events::{Failures, queue_batch, stream_batch};
use super::{Start, started};
use aws::queue::Message;
use aws::stream::Record;
use domain::Result;

/// Handles batches of a queue until Lambda ends the process. `handler` returns the ids of the messages that failed:
/// only these are delivered again, and finally go to the dead-letter queue. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_queue<S>(
    make: impl AsyncFnOnce(&Start) -> Result<S>,
    handler: impl AsyncFn(&S, Vec<Message>) -> Vec<String>,
) -> ExitCode {
    started(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let batch = |event: LambdaEvent<Value>| async move {
            let (messages, mut failed) = queue_batch(event.payload);
            if !messages.is_empty() {
                failed.extend(handler(function, messages).await);
            }
            Ok::<_, lambda_runtime::Error>(Failures::of(failed))
        };
        lambda_runtime::run(service_fn(batch)).await
    })
}

/// Handles batches of the table's stream until Lambda ends the process. `handler` returns the sequence number of the
/// first record that failed: it and later ones are delivered again. The event source mapping must set
/// `ReportBatchItemFailures`.
#[must_use]
pub fn run_stream<S>(
    make: impl AsyncFnOnce(&Start) -> Result<S>,
    handler: impl AsyncFn(&S, Vec<Record>) -> Option<String>,
) -> ExitCode {
    started(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let batch = |event: LambdaEvent<Value>| async move {
            let (records, unreadable) = stream_batch(event.payload);
            let failed = if records.is_empty() { None } else { handler(function, records).await };
            Ok::<_, lambda_runtime::Error>(Failures::of(failed.or(unreadable)))
        };
        lambda_runtime::run(service_fn(batch)).await
    })
}

/// Runs `handler` at each tick of a schedule until Lambda ends the process. What it answers is logged; an error makes
/// the tick a failed one, which Lambda counts.
#[must_use]
pub fn run_schedule<S, T: std::fmt::Debug>(
    make: impl AsyncFnOnce(&Start) -> Result<S>,
    handler: impl AsyncFn(&S) -> Result<T>,
) -> ExitCode {
    started(make, async |_, function| {
        let (function, handler) = (&function, &handler);
        let tick = |_: LambdaEvent<Value>| async move {
            match handler(function).await {
                Ok(done) => tracing::info!(?done, "completed a scheduled run"),
                Err(error) => {
                    tracing::error!(error.story = error.to_string(), "the scheduled run failed");
                    return Err(lambda_runtime::Error::from("the scheduled run failed"));
                }
            }
            Ok(Value::Null)
        };
        lambda_runtime::run(service_fn(tick)).await
    })
}
