//! Handles a change that may have ended a process, alone and one consumer at a time, so that the consumer that ends the
//! process is known and only that one is left out.

use std::sync::Arc;
use std::time::Duration;

use aws::stream::Record;
use changes::Step;
use domain::{Error, Result};

use super::in_flight::{self, MAX_CRASHES};
use super::worker::Worker;

/// The name of a change in the in-flight log.
pub(super) fn name(record: &Record) -> String {
    format!("stream/{}", record.event_id)
}

/// Handles a change, which the caller has isolated. Steps that crashed [`MAX_CRASHES`] processes become dead letters; a
/// failed step does not prevent the others. A change with a skipped step stays in quarantine, because it comes again when
/// the process crashes before the checkpoint is past it.
///
/// # Errors
/// A step failed, or could not be written to the dead letters: the change must be handled again.
pub(super) async fn handle(worker: &Arc<Worker>, record: &Record, time: Duration) -> Result<()> {
    let in_flight = &worker.in_flight;
    let name = name(record);
    let (mut no_step_skipped, mut failure) = (true, None);
    for step in steps(worker, &name) {
        let skip = crashes(worker, &name, step) >= MAX_CRASHES;
        let outcome = if skip {
            write_dead_letter(worker, record, step).await
        } else {
            run_step(worker, record, step, in_flight::part(&name, step.as_str()), time).await
        };
        no_step_skipped &= !skip;
        failure = failure.or(outcome.err().map(|error| error.context(step.as_str())));
        if skip && step == Step::Reading {
            break;
        }
    }
    if let Some(error) = failure {
        return Err(error);
    }
    if no_step_skipped {
        in_flight.release(&name);
    }
    Ok(())
}

/// All steps; those that crashed a process come last, so that the others are done first.
fn steps(worker: &Worker, name: &str) -> Vec<Step> {
    let mut steps = Step::ALL.to_vec();
    steps.sort_by_key(|step| (*step != Step::Reading, worker.in_flight.crashes(&in_flight::part(name, step.as_str()))));
    steps
}

/// How many processes crashed in a step, or while the whole change was handled.
fn crashes(worker: &Worker, name: &str, step: Step) -> u32 {
    worker.in_flight.crashes(name) + worker.in_flight.crashes(&in_flight::part(name, step.as_str()))
}

async fn run_step(worker: &Arc<Worker>, record: &Record, step: Step, part: String, time: Duration) -> Result<()> {
    let guard = worker.in_flight.begin(vec![part]);
    let work = (worker.handle_step)(record.clone(), step);
    // A separate task, so that a panic fails this step only.
    let mut task = tokio::spawn(async move {
        let _guard = guard;
        work.await
    });
    match tokio::time::timeout(time, &mut task).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => Err(Error::internal(format!("the step {} broke off: {error}", step.as_str()))),
        Err(_) => {
            task.abort();
            Err(Error::unavailable(format!("the step {} took too long", step.as_str())))
        }
    }
}

/// Keeps a change with the name of the step that is skipped.
async fn write_dead_letter(worker: &Worker, record: &Record, step: Step) -> Result<()> {
    let why = Error::internal(format!("handling it ended the process {MAX_CRASHES} times"));
    (worker.write_dead_letter)(record.clone(), step.as_str(), why).await?;
    tracing::error!(
        record.id = record.event_id,
        record.kind = record.kind(),
        consumer = step.as_str(),
        "a change was moved to the dead letters for this consumer, because handling it ended the process {MAX_CRASHES} times; correct the cause"
    );
    Ok(())
}
