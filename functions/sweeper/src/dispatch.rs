//! Dispatches each due item to the use case of its kind. Each use case decides itself, from the table and on
//! condition, whether the item is due: the index may lag, and another sweep may handle it at the same moment.

use crate::state::Sweeper;
use app::conversation::give_back_claims;
use app::gaps;
use app::jobs::{delivery, indexing, ingest, revisions};
use aws::store::{DueItem, DueSubject};
use domain::Result;

/// How long a sweep replays the missed deliveries of one receiver, in milliseconds; the rest stays due.
const REPLAY_BUDGET_MS: i64 = 15_000;

/// Handles one due item; does nothing if it is no longer due.
///
/// # Errors
/// The failure that prevented it: the item stays due.
pub async fn dispatch(state: &Sweeper, item: &DueItem) -> Result<()> {
    let scope = &item.scope;
    match &item.subject {
        DueSubject::Session(id) => state.conversation.handle_due_session(&state.letters_of_sessions, scope, id).await,
        DueSubject::Escalation(id) => state.conversation.handle_due_lease(scope, id).await,
        DueSubject::Claims(member) => give_back_claims(&state.store, &state.runtime, scope, member).await,
        DueSubject::Entry(path) => indexing::due(&state.indexing, scope, path).await,
        DueSubject::Reindexing => indexing::reindex::due(&state.indexing, scope).await,
        DueSubject::GapReview => gaps::review(&state.gap_review, scope).await,
        DueSubject::Delivery(webhook, event) => delivery::due(&state.deliveries, scope, webhook, event).await,
        DueSubject::Replay(webhook, kind) => {
            let deadline = state.runtime.now().plus_millis(REPLAY_BUDGET_MS);
            delivery::run_replay(&state.deliveries, scope, webhook, *kind, deadline).await.map(drop)
        }
        DueSubject::IngestJob(id) => ingest::due(&state.jobs, scope, id).await,
        DueSubject::Revisions(path, version) => {
            revisions::due(&state.store, state.runtime.now(), scope, path, *version).await
        }
    }
}

/// The kind's name, for logs.
pub(crate) const fn kind_name(subject: &DueSubject) -> &'static str {
    match subject {
        DueSubject::Session(_) => "session",
        DueSubject::Escalation(_) => "escalation",
        DueSubject::Claims(_) => "claims",
        DueSubject::Entry(_) => "entry",
        DueSubject::Reindexing => "reindexing",
        DueSubject::GapReview => "gap_review",
        DueSubject::Delivery(..) => "delivery",
        DueSubject::Replay(..) => "replay",
        DueSubject::IngestJob(_) => "ingest_job",
        DueSubject::Revisions(..) => "revisions",
    }
}
