//! Runs the consumers of one record.

use app::panics::caught;
use aws::store::stream::read_change;
use aws::stream::Record;
use domain::change::Change;
use domain::{Error, Result};
use futures::future::join_all;

use crate::batch::Batch;
use crate::dead_letters::settle;
use crate::state::Changes;
use crate::step::{Step, apply};

/// Passes the record to every consumer. A consumer that fails or panics does not stop another.
///
/// # Errors
/// The table or the queue failed: the record must be delivered again. A fault of the record itself makes it a
/// dead letter, which is not an error.
pub(crate) async fn handle_record(batch: &Batch<'_>, record: &Record) -> Result<()> {
    let failures = match read_change(record) {
        Ok(None) => return Ok(()),
        Ok(Some(change)) => run_consumers(batch, &change).await,
        Err(error) => vec![(Step::Reading.as_str(), error)],
    };
    settle(batch.state, record, failures).await
}

/// Runs every consumer on the record of a dead letter again. Returns the failures, each with its consumer's name; stores
/// nothing about them.
pub async fn replay(state: &Changes, record: &Record) -> Vec<(&'static str, Error)> {
    match read_change(record) {
        Ok(None) => Vec::new(),
        Ok(Some(change)) => run_consumers(&Batch::new(state), &change).await,
        Err(error) => vec![(Step::Reading.as_str(), error)],
    }
}

/// Runs every consumer on a change. Returns the failures, each with its consumer's name. Gaps run after the others:
/// they parse most of the customers' text, so if they end the process, the other consumers are done.
async fn run_consumers(batch: &Batch<'_>, change: &Change) -> Vec<(&'static str, Error)> {
    let (gaps, others): (Vec<Step>, Vec<Step>) = Step::ALL.into_iter().partition(|step| *step == Step::Gaps);
    let mut failures = Vec::new();
    for steps in [others, gaps] {
        let outcomes = join_all(steps.iter().map(|step| caught(apply(batch, change, *step)))).await;
        let outcomes = steps.iter().zip(outcomes);
        failures.extend(outcomes.filter_map(|(step, outcome)| Some((step.as_str(), outcome.err()?))));
    }
    failures
}
