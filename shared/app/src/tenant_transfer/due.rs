//! When what is imported is due. An export does not say it: it is computed, as when it was stored.

use aws::store::ItemCopy;
use domain::models::{Settings, Timestamp};

use crate::conversation::next_due_at;
use crate::jobs::revisions;

/// When something is due under the settings of its mode; none if it never is.
pub(super) fn due_at(copy: &ItemCopy, settings: &Settings) -> Option<Timestamp> {
    match copy {
        ItemCopy::Session(session) => next_due_at(session, settings),
        ItemCopy::Escalation(escalation) => escalation.due_at(),
        ItemCopy::IngestJob(job) => job.due_at(),
        ItemCopy::RevisionsEnd(end) => Some(revisions::erase_at(end.deleted_at, settings)),
        ItemCopy::Entry(_)
        | ItemCopy::DeletedEntry(..)
        | ItemCopy::Revision(_)
        | ItemCopy::SavedReply(_)
        | ItemCopy::Draft(_)
        | ItemCopy::Pin(_)
        | ItemCopy::Webhook(_)
        | ItemCopy::IngestText(_)
        | ItemCopy::Statistics(_)
        | ItemCopy::Turn(_)
        | ItemCopy::GapQuestion(_)
        | ItemCopy::Gap(_) => None,
    }
}
