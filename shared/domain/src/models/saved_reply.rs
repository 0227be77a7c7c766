//! Saved replies: texts that people insert into what they write.

use serde::{Deserialize, Serialize};

use super::{SavedReplyId, Timestamp, wire_enum};

wire_enum! {
    /// Whose a saved reply is.
    pub enum SavedReplyScope {
        /// The tenant's: its people see it.
        Team => "team",
        /// Its owner's alone: of one key, or of one member.
        Own => "own",
    }
}

/// A text that people insert into what they write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedReply {
    /// Its id.
    pub reply_id: SavedReplyId,
    /// The key or the member whose own it is; the tenant's if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The shortcut that people type to find it; unique among those of its scope, and of its owner.
    pub shortcut: String,
    /// Its title.
    pub title: String,
    /// The text. What stands in it for a name is replaced by whoever inserts it.
    pub content: String,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl SavedReply {
    /// The people who have it: the tenant's, or its owner alone.
    #[must_use]
    pub const fn scope(&self) -> SavedReplyScope {
        if self.owner.is_some() { SavedReplyScope::Own } else { SavedReplyScope::Team }
    }
}
