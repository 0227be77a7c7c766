//! Handles one change one consumer at a time, for a change that may have ended a process.

use crate::Changes;
use aws::store::stream::read_change;
use aws::stream::Record;
use domain::Result;
use domain::change::Change;

use crate::aside::settle;
use crate::batch::Batch;
use crate::{embeddings, fan_out, index, statistics};

/// What is done with a change: it is read, then each consumer has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Reading the record.
    Reading,
    /// The search index.
    Index,
    /// Events, delivered to their subscribers.
    FanOut,
    /// Former versions of entries.
    Revisions,
    /// Figures.
    Statistics,
    /// Knowledge gaps.
    Gaps,
    /// Vectors of entries' passages.
    Embeddings,
}

impl Step {
    /// Every step; the consumers from what matters soonest on.
    pub const ALL: [Self; 7] =
        [Self::Reading, Self::FanOut, Self::Index, Self::Statistics, Self::Revisions, Self::Gaps, Self::Embeddings];

    /// Its name, in logs and dead letters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Index => "index",
            Self::FanOut => "fan_out",
            Self::Revisions => "revisions",
            Self::Statistics => "statistics",
            Self::Gaps => "gaps",
            Self::Embeddings => "embeddings",
        }
    }
}

/// Runs one step of handling a record; [`crate::handle`] runs all of them. A record that cannot be handled becomes a
/// dead letter, which is not an error.
///
/// # Errors The table or the queue failed, or the dead letter could not be stored: the step must be repeated.
pub async fn handle_step(ctx: &Changes, record: &Record, step: Step) -> Result<()> {
    let outcome = match read_change(record) {
        Ok(None) => return Ok(()),
        Ok(Some(change)) => apply(&Batch::new(ctx), &change, step).await,
        // The step of reading sets it aside, and there is nothing for the others to do.
        Err(_) if step != Step::Reading => return Ok(()),
        Err(error) => Err(error),
    };
    let failures = outcome.err().map(|error| (step.as_str(), error));
    settle(ctx, record, failures.into_iter().collect()).await
}

/// Lets the consumer of a step have a change.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change, step: Step) -> Result<()> {
    match step {
        Step::Reading => Ok(()),
        Step::Index => index::apply(batch, change).await,
        Step::FanOut => fan_out::apply(batch, change).await,
        Step::Revisions => app::revisions::follow(&batch.ctx.store, change).await,
        Step::Statistics => statistics::apply(batch.ctx, change).await,
        Step::Gaps => app::gaps::follow(&batch.ctx.store, change).await,
        Step::Embeddings => embeddings::apply(batch.ctx, change).await,
    }
}
