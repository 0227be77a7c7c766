//! The keys of saved replies. An owner is the id of a key or of a member.

use super::{Key, key, scope};
use domain::models::{SavedReplyId, Scope};

/// Every saved reply of a tenant and mode.
pub(crate) fn saved_replies(s: &Scope) -> String {
    format!("{}#REPLIES", scope(s))
}

/// The beginning of the sort keys of an owner's replies; of the tenant's, if there is none.
pub(crate) fn saved_replies_of(owner: Option<&str>) -> String {
    owner.map_or_else(|| "TEAM#".to_owned(), |owner| format!("OWN#{owner}#"))
}

pub(crate) fn saved_reply(s: &Scope, owner: Option<&str>, id: &SavedReplyId) -> Key {
    key(saved_replies(s), format!("{}{id}", saved_replies_of(owner)))
}

/// Reads back which of the tenant's replies an item is.
pub(crate) fn team_reply(sk: &str) -> Option<SavedReplyId> {
    SavedReplyId::parse(sk.strip_prefix(&saved_replies_of(None))?)
}

/// The shortcuts of an owner's replies; of the tenant's, if there is none.
pub(crate) fn reply_shortcuts(s: &Scope, owner: Option<&str>) -> Key {
    key(format!("{}#SHORTCUTS", scope(s)), saved_replies_of(owner))
}
