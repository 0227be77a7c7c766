//! The steps of handling a change.

use domain::Result;
use domain::change::Change;

use crate::batch::Batch;
use crate::{answers, embeddings, fan_out, inbox, index, statistics, tags};

/// A step of handling a change: reading it, or one consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Reading the record.
    Reading,
    /// The search index.
    Index,
    /// Events, delivered to their subscribers.
    FanOut,
    /// Old versions of entries.
    Revisions,
    /// The revision of the inbox.
    Inbox,
    Statistics,
    /// Knowledge gaps.
    Gaps,
    /// Vectors of entries' passages.
    Embeddings,
    /// Tags of a session, on its requests for a human.
    Tags,
    /// The answers that were made from an entry.
    Answers,
}

impl Step {
    /// Every step; the most urgent consumers first.
    pub(crate) const ALL: [Self; 10] = [
        Self::Reading,
        Self::Inbox,
        Self::FanOut,
        Self::Index,
        Self::Statistics,
        Self::Tags,
        Self::Answers,
        Self::Revisions,
        Self::Gaps,
        Self::Embeddings,
    ];

    /// Its name, in logs and dead letters.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Index => "index",
            Self::FanOut => "fan_out",
            Self::Revisions => "revisions",
            Self::Inbox => "inbox",
            Self::Statistics => "statistics",
            Self::Gaps => "gaps",
            Self::Embeddings => "embeddings",
            Self::Tags => "tags",
            Self::Answers => "answers",
        }
    }
}

/// Runs the consumer of a step on a change.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change, step: Step) -> Result<()> {
    match step {
        Step::Reading => Ok(()),
        Step::Index => index::apply(batch, change).await,
        Step::FanOut => fan_out::apply(batch, change).await,
        Step::Revisions => app::jobs::revisions::follow(&batch.state.store, change).await,
        Step::Inbox => inbox::apply(batch, change).await,
        Step::Statistics => statistics::apply(batch.state, change).await,
        Step::Gaps => app::gaps::follow(&batch.state.store, change).await,
        Step::Embeddings => embeddings::apply(batch.state, change).await,
        Step::Tags => tags::apply(batch.state, change).await,
        Step::Answers => answers::apply(batch.state, change).await,
    }
}
