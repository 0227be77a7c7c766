//! A draft as callers read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{ChangeAction, Draft, DraftId, DraftStatus, GapId, Timestamp, Visibility, WikiPath};

/// A proposed change of the wiki. It grounds no answer, and no search finds it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Draft")]
pub struct DraftOut {
    /// Its id.
    pub draft_id: DraftId,
    /// The entry's path.
    path: WikiPath,
    /// The proposed kind of change.
    action: ChangeAction,
    /// The entry's title; null where the entry is to go. Empty where its words went with a session that was erased.
    title: Option<String>,
    /// The entry's text; null where the entry is to go. It lacks the words of sessions that were erased.
    content: Option<String>,
    /// Who may read the entry; null where the entry is to go.
    visibility: Option<Visibility>,
    /// The entry's tags.
    tags: Vec<String>,
    /// The version of the entry that it changes; null for a new entry.
    base_version: Option<u64>,
    /// The gap that it was made of; null where it was made of none.
    gap_id: Option<GapId>,
    /// Its status.
    status: DraftStatus,
    /// The key or member that made it.
    created_by: String,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl From<Draft> for DraftOut {
    fn from(draft: Draft) -> Self {
        Self {
            draft_id: draft.draft_id,
            path: draft.path,
            action: draft.action,
            title: draft.title,
            content: draft.content,
            visibility: draft.visibility,
            tags: draft.tags,
            base_version: draft.base_version,
            gap_id: draft.gap_id,
            status: draft.status,
            created_by: draft.created_by,
            created_at: draft.created_at,
            updated_at: draft.updated_at,
            version: draft.version,
        }
    }
}
