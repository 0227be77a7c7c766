//! A saved reply as callers read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{SavedReply, SavedReplyId, SavedReplyScope, Timestamp};

/// A text that people insert into what they write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SavedReply")]
pub struct SavedReplyOut {
    /// Its id.
    pub reply_id: SavedReplyId,
    /// Whose it is.
    scope: SavedReplyScope,
    /// The text that is typed to find it.
    shortcut: String,
    /// Its subject.
    title: String,
    /// The text. Whoever inserts it replaces `{{customer.name}}`, `{{customer.firstName}}` and `{{agent.name}}`, as text;
    /// `{{customer.name|there}}` says what stands there without a name.
    content: String,
    /// When it last changed.
    updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl From<SavedReply> for SavedReplyOut {
    fn from(reply: SavedReply) -> Self {
        Self {
            scope: reply.scope(),
            reply_id: reply.reply_id,
            shortcut: reply.shortcut,
            title: reply.title,
            content: reply.content,
            updated_at: reply.updated_at,
            version: reply.version,
        }
    }
}
