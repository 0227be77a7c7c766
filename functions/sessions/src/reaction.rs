//! `POST /sessions/:id/reaction`.

use app::conversation::Conversation;
use axum::extract::State;
use domain::models::{MessageId, Reaction, SessionId};
use edge::ApiResult;
use edge::{Fields, FromFields, Json, JsonIn, PathIn, SessionCaller};
use serde::Serialize;

/// What the customer thinks of an answer.
#[derive(Debug)]
pub(crate) struct ReactionIn {
    reaction: Reaction,
    message_id: Option<MessageId>,
}

impl FromFields for ReactionIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let reactions: Vec<_> = Reaction::ALL.iter().map(|reaction| reaction.as_str()).collect();
        fields.require("reaction");
        let reaction = fields.choice("reaction", Reaction::parse, &reactions);
        let message_id = fields.parsed("messageId", |text| MessageId::parse(text).ok_or("must be a messageId"));
        Some(Self { reaction: reaction?, message_id })
    }
}

/// All reactions of that answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReactionOut {
    session_id: SessionId,
    message_id: MessageId,
    reaction: Reaction,
    reactions: Vec<Reaction>,
}

/// Keeps a reaction to the most recent AI answer, or to the one that is named.
pub(crate) async fn add_reaction(
    State(conversation): State<Conversation>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    JsonIn(body): JsonIn<ReactionIn>,
) -> ApiResult<Json<ReactionOut>> {
    let reacted = conversation.react(&caller, &id, body.reaction, body.message_id.as_ref()).await?;
    Ok(Json(ReactionOut {
        session_id: id,
        message_id: reacted.message_id,
        reaction: body.reaction,
        reactions: reacted.reactions,
    }))
}
