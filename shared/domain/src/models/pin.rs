//! Pins: questions that every change of the wiki is tried on.

use serde::{Deserialize, Serialize};

use super::{PinId, Timestamp, WikiPath};
use crate::gaps::masked_question;

/// The most pins of a tenant and mode.
pub const MAX_PINS: u32 = 200;

/// A question that an entry is to answer. It goes with the entry's revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pin {
    /// Its id.
    pub pin_id: PinId,
    /// The entry.
    #[serde(rename = "entryPath")]
    pub path: WikiPath,
    /// On one line, with personal data masked.
    pub question: String,
    /// The key or member that made it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

impl Pin {
    /// A question as somebody put it, as it is kept.
    #[must_use]
    pub fn new(pin_id: PinId, path: WikiPath, question: &str, created_by: String, created_at: Timestamp) -> Self {
        Self { pin_id, path, question: masked_question(question), created_by, created_at }
    }
}
