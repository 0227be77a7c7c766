//! The attributes of a session besides its turns, in request bodies, and `PATCH /sessions/:id`.

use edge::ApiResult;
use std::collections::BTreeMap;

use app::conversation::{Conversation, SessionPatch};
use axum::extract::State;
use domain::models::SessionId;
use domain::wire::{SessionOut, Viewer};
use edge::{Fields, FromFields, Json, JsonIn, PathIn, SessionEditor};

/// `tags`: at most 20, of 1-50 characters each (our limit).
pub(crate) fn tags(fields: &Fields) -> Option<Vec<String>> {
    fields.text_list("tags", 20, 1, 50)
}

/// `metadata`: flat, at most 50 keys and 4 KiB of JSON.
pub(crate) fn metadata(fields: &Fields) -> Option<BTreeMap<String, serde_json::Value>> {
    fields.flat_map("metadata", 50, 4_096)
}

/// Every field of a change.
const PATCHABLE: [&str; 3] = ["tags", "metadata", "user"];

/// The body of a change.
#[derive(Debug)]
pub(crate) struct SessionPatchIn(SessionPatch);

impl FromFields for SessionPatchIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        if !PATCHABLE.iter().any(|name| fields.has(name) || fields.is_null(name)) {
            fields.problem("", "NOTHING_TO_CHANGE", format!("name at least one of {}", PATCHABLE.join(", ")));
        }
        let cleared = |name: &str| fields.is_null(name);
        Some(Self(SessionPatch {
            tags: if cleared("tags") { Some(Vec::new()) } else { tags(fields) },
            metadata: if cleared("metadata") { Some(BTreeMap::new()) } else { metadata(fields) },
            user: (fields.has("user") || cleared("user")).then(|| fields.visitor()),
        }))
    }
}

/// Replaces tags, metadata and user, each whole; what is absent stays, what is `null` is cleared.
pub(crate) async fn change_session(
    State(conversation): State<Conversation>,
    caller: SessionEditor,
    PathIn(id): PathIn<SessionId>,
    JsonIn(SessionPatchIn(patch)): JsonIn<SessionPatchIn>,
) -> ApiResult<Json<SessionOut>> {
    let session = conversation.change_details(&caller, &id, &patch).await?;
    Ok(Json(SessionOut::new(session, Viewer::of(&caller))))
}
