//! Runs the consumers of one record.

use app::panics::caught;
use aws::store::stream::read_change;
use aws::stream::Record;
use domain::change::Change;
use domain::{Error, Result};
use futures::future::join_all;

use crate::aside::settle;
use crate::batch::Batch;
use crate::step::{Step, apply};

/// Passes the record to every consumer. One that fails or panics does not stop another.
///
/// # Errors The table or the queue failed: the record must be delivered again. A fault of the record itself makes it a
/// dead letter, which is not an error.
pub(crate) async fn follow(batch: &Batch<'_>, record: &Record) -> Result<()> {
    let failures = match read_change(record) {
        Ok(None) => return Ok(()),
        Ok(Some(change)) => consume(batch, &change).await,
        Err(error) => vec![(Step::Reading.as_str(), error)],
    };
    settle(batch.ctx, record, failures).await
}

/// Lets every consumer have a change; what failed, by the consumer's name. Gaps come after the others: they read most of
/// what people wrote, and what ends the process there finds everything else done.
async fn consume(batch: &Batch<'_>, change: &Change) -> Vec<(&'static str, Error)> {
    let (gaps, others): (Vec<Step>, Vec<Step>) = Step::ALL.into_iter().partition(|step| *step == Step::Gaps);
    let mut failures = Vec::new();
    for steps in [others, gaps] {
        let outcomes = join_all(steps.iter().map(|step| caught(apply(batch, change, *step)))).await;
        let outcomes = steps.iter().zip(outcomes);
        failures.extend(outcomes.filter_map(|(step, outcome)| Some((step.as_str(), outcome.err()?))));
    }
    failures
}
