//! The attributes of a session besides its turns, in request bodies, and `PATCH /sessions/:id`.

use edge::ApiResult;
use std::collections::BTreeMap;

use app::conversation::{ConversationService, SessionPatch};
use axum::extract::State;
use domain::limits;
use domain::models::{SessionId, Visitor};
use domain::wire::{SessionOut, Viewer};
use edge::input::{AtLeastOne, Change, Distinct, FlatMap, Text, clearable, distinct, flat_map, list, visitor, within};
use edge::{Json, JsonIn, PathIn, SessionEditor};

/// `tags`: at most 20, of 1-50 characters each (a limit of ours), each kept once.
pub(crate) const TAGS: Distinct<Text> = distinct(list(limits::MAX_TAGS, within(limits::TAG)));

/// `metadata`: flat, at most 50 keys and 4 KiB of JSON.
pub(crate) const METADATA: FlatMap = flat_map(limits::metadata::MAX_KEYS, limits::metadata::MAX_BYTES);

edge::body! {
    /// A change of what is known of a session: each field replaces the old value whole, `null` clears it.
    #[derive(Debug)]
    pub(crate) struct SessionPatchIn as "SessionPatch" {
        /// Words to find it by.
        tags: Change<Vec<String>> = "tags" => clearable(TAGS),
        /// Anything that is to be found again.
        metadata: Change<BTreeMap<String, serde_json::Value>> = "metadata" => clearable(METADATA),
        /// The person.
        user: Change<Option<Visitor>> = "user" => clearable(visitor()),
    }
    rules: [AtLeastOne]
}

impl From<SessionPatchIn> for SessionPatch {
    fn from(body: SessionPatchIn) -> Self {
        Self {
            tags: body.tags.replacement().map(Option::unwrap_or_default),
            metadata: body.metadata.replacement().map(Option::unwrap_or_default),
            user: body.user.replacement().map(Option::flatten),
        }
    }
}

edge::endpoint! {
    /// Change what is known of a customer or a conversation.
    ///
    /// `tags`, `metadata` and `user` are each replaced whole. What is absent stays, `null` clears. Makes no event. A
    /// widget changes the `user` of its own session alone, as long as that is not verified and its token names none.
    pub(crate) UpdateSession = PATCH "/api/v1/sessions/{id}" => update_session;
    example: {"user": {"name": "Ann", "email": "ann@example.com"}},
}

/// Replaces tags, metadata and user, each whole; what is absent stays, what is `null` is cleared.
pub(crate) async fn update_session(
    State(conversation): State<ConversationService>,
    caller: SessionEditor,
    PathIn(id): PathIn<SessionId>,
    JsonIn(body): JsonIn<SessionPatchIn>,
) -> ApiResult<Json<SessionOut>> {
    let mut patch = SessionPatch::from(body);
    if caller.widget().is_some() {
        patch.user = patch.user.map(|user| user.map(Visitor::unverified));
    }
    let session = conversation.change_details(&caller, &id, &patch).await?;
    Ok(Json(SessionOut::new(session, Viewer::of(&caller))))
}
