//! `POST` and `DELETE /sessions/:id/reaction`.

use app::conversation::ConversationService;
use axum::extract::State;
use domain::Error;
use domain::error::DetailCode;
use domain::models::{MessageId, NamedId, Reaction, SessionId};
use edge::ApiResult;
use edge::input::{choice, id, optional, required};
use edge::query::parsed;
use edge::{AllowanceIn, Json, JsonIn, NoContent, OnceIn, PathIn, QueryIn, Replayed, SessionCaller};
use schemars::JsonSchema;
use serde::Serialize;

edge::body! {
    /// The customer's reaction to an answer.
    #[derive(Debug)]
    pub(crate) struct ReactionIn as "NewReaction" {
        /// The kind of reaction.
        reaction: Reaction = "reaction" => required(choice::<Reaction>()),
        /// The answer; by default the newest AI turn.
        message_id: Option<MessageId> = "messageId" => optional(id::<MessageId>()),
    }
}

edge::endpoint! {
    /// React to an answer.
    ///
    /// `thumbs_up` and `thumbs_down` replace each other, `flag` and `copy` add up; again, it changes nothing.
    pub(crate) AddReaction = POST "/api/v1/sessions/{id}/reaction" => add_reaction;
    supports: [IdempotencyKey],
    errors: [Conflict, NoAiResponse],
    example: {"reaction": "thumbs_up"},
}

/// All reactions of that answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReactionsOfAnswer")]
pub(crate) struct ReactionOut {
    /// The conversation.
    session_id: SessionId,
    /// The answer.
    message_id: MessageId,
    /// The reaction that was sent.
    reaction: Reaction,
    /// All reactions of the answer.
    reactions: Vec<Reaction>,
}

/// Keeps a reaction to the most recent AI answer, or to the one that is named.
pub(crate) async fn add_reaction(
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<ReactionIn>>,
) -> ApiResult<Replayed<Json<ReactionOut>>> {
    let message = body.message_id.as_ref();
    let (reacted, replayed) = conversation.react(&caller, &id, body.reaction, message, request, &allowance).await?;
    let out = ReactionOut {
        session_id: id,
        message_id: reacted.message_id,
        reaction: body.reaction,
        reactions: reacted.reactions,
    };
    Ok(Replayed(replayed, Json(out)))
}

edge::query! {
    /// The reaction that is taken back.
    #[derive(Debug)]
    pub(crate) struct TakenBackQuery {
        /// Which one; it must be named.
        reaction: Option<Reaction> = "reaction" => choice::<Reaction>(),
        /// The answer; by default the newest AI turn.
        message_id: Option<MessageId> = "messageId" => parsed(|text| Ok(MessageId::named(text))),
    }
}

edge::endpoint! {
    /// Take a reaction back.
    ///
    /// One that is not there changes nothing. It makes no event, and the figures are those without it.
    pub(crate) DeleteReaction = DELETE "/api/v1/sessions/{id}/reaction" => delete_reaction;
    errors: [Conflict, NoAiResponse],
    example_query: {"reaction": "thumbs_up"},
}

/// Takes back a reaction to the most recent AI answer, or to the one that is named.
pub(crate) async fn delete_reaction(
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<TakenBackQuery>,
) -> ApiResult<NoContent> {
    let named = query.reaction.ok_or_else(|| Error::invalid("reaction", DetailCode::Required, "is required"));
    conversation.take_back_reaction(&caller, &id, named?, query.message_id.as_ref()).await?;
    Ok(NoContent)
}
