//! The keys of drafts.

use super::{Key, key, scope, session};
use domain::models::{DraftId, DraftStatus, Scope, SessionId};

/// Every draft of a tenant and mode with a status.
pub(crate) fn drafts(s: &Scope, status: DraftStatus) -> String {
    match status {
        DraftStatus::Open => format!("{}#DRAFTS", scope(s)),
        DraftStatus::Published | DraftStatus::Discarded => format!("{}#DRAFTS#{status}", scope(s)),
    }
}

pub(crate) fn draft(s: &Scope, status: DraftStatus, id: &DraftId) -> Key {
    key(drafts(s, status), id.as_str())
}

/// The drafts with a status that are kept after their end.
pub(crate) fn ended_drafts(s: &Scope, status: DraftStatus) -> Key {
    key(format!("{}#DRAFTSENDED", scope(s)), status.as_str())
}

/// Reads back which draft an item is.
pub(crate) fn draft_id(sk: &str) -> Option<DraftId> {
    DraftId::parse(sk)
}

/// How many drafts are open.
pub(crate) fn draft_count(s: &Scope) -> Key {
    key(format!("{}#DRAFTCOUNT", scope(s)), "OPEN")
}

/// The prefix of the sort key of every pointer from a session to a draft that quotes it.
pub(crate) const DRAFT_POINTERS: &str = "DRAFT#";

/// The pointer from a session to a draft that quotes it.
pub(crate) fn draft_of_session(s: &Scope, id: &SessionId, draft: &DraftId) -> Key {
    key(session(s, id).pk, format!("{DRAFT_POINTERS}{draft}"))
}
