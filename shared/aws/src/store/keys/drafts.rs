//! The keys of drafts.

use super::{Key, key, scope, session};
use domain::models::{DraftId, Scope, SessionId};

/// Every draft of a tenant and mode.
pub(crate) fn drafts(s: &Scope) -> String {
    format!("{}#DRAFTS", scope(s))
}

pub(crate) fn draft(s: &Scope, id: &DraftId) -> Key {
    key(drafts(s), id.as_str())
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
