//! `POST /sessions/:id/messages`, `POST` and `DELETE /sessions/:id/reaction`, `POST /sessions/:id/rating`, `/escalate`
//! and `/cancel-escalation`.

use domain::Error;
use domain::error::{Code, DetailCode};
use domain::limits::{MESSAGE, REMARK, SCORE};
use domain::models::{MessageId, NamedId, Priority, Reaction, SessionId};
use domain::wire::{SessionOut, Viewer};

use crate::edge::input::{choice, id, integer_in, line, optional, required, within};
use crate::edge::query::parsed;
use crate::edge::table::RequestKey;
use crate::edge::{
    self, AllowanceIn, ApiResult, Json, JsonIn, NoContent, OnceIn, OptionalJsonIn, PathIn, QueryIn, Replayed,
    RequestMeta, SessionCaller, SessionRater,
};
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::feedback::{RatingResult, ReactionResult};
use crate::sessions::conversation::handover::EscalationResult;
use crate::sessions::conversation::message::{IncomingMessage, Reply};

edge::body! {
    /// A message of a customer.
    #[derive(Debug)]
    pub(crate) struct MessageIn as "NewMessage" {
        /// The message.
        content: String = "content" => required(within(MESSAGE)),
        /// The client's own name of it: the same message sent again is answered with the first result.
        client_message_id: Option<String> = "clientMessageId" => optional(line(1, 255)),
    }
}

edge::endpoint! {
    /// Ask a question.
    ///
    /// The message is stored before anything is asked of a model. While a person answers, or is awaited, the AI is
    /// silent: `disposition` is `queued_for_human`. A message that is sent again, with its `clientMessageId` or
    /// `Idempotency-Key`, is stored and answered once. Where a visitor's messages caused too many requests for a human
    /// already, the answer is `no_answer` and says when one can be called again. Where nobody is there, the answer of a
    /// message that escalates says when somebody is.
    pub(crate) SendMessage = POST "/api/v1/sessions/{id}/messages" => send_message;
    supports: [IdempotencyKey],
    rate_class: Message,
    errors: [Conflict, SessionClosed, IdempotencyInProgress, IdempotencyKeyReused],
    example: {"content": "How long does a refund take?", "clientMessageId": "1"},
}

/// Answers one customer message.
pub(crate) async fn send_message(
    conversation: ConversationService,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    meta: RequestMeta,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<MessageIn>>,
) -> ApiResult<Replayed<Json<Reply>>> {
    // Whoever sends it: the client's name of a message is valid within the session.
    let client = body.client_message_id.as_deref().map(|name| RequestKey::new(&["client", name], &[&body.content]));
    let incoming = IncomingMessage {
        content: body.content,
        keys: client.map(RequestKey::lasting).into_iter().chain(request).map(|key| key.beside(&id)).collect(),
        received_at: meta.received_at,
    };
    let reply = conversation.answer(&caller, &id, incoming, &allowance).await?;
    Ok(Replayed(reply.replayed, Json(reply)))
}

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

/// Keeps a reaction to the most recent AI answer, or to the one that is named.
async fn add_reaction(
    conversation: ConversationService,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<ReactionIn>>,
) -> ApiResult<Replayed<Json<ReactionResult>>> {
    let message = body.message_id.as_ref();
    let (reacted, replayed) = conversation.react(&caller, &id, body.reaction, message, request, &allowance).await?;
    Ok(Replayed(replayed, Json(reacted)))
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
async fn delete_reaction(
    conversation: ConversationService,
    caller: SessionCaller,
    PathIn(id): PathIn<SessionId>,
    QueryIn(query): QueryIn<TakenBackQuery>,
) -> ApiResult<NoContent> {
    let named = query.reaction.ok_or_else(|| Error::invalid("reaction", DetailCode::Required, "is required"));
    conversation.take_back_reaction(&caller, &id, named?, query.message_id.as_ref()).await?;
    Ok(NoContent)
}

edge::body! {
    /// The customer's rating of the people who helped.
    #[derive(Debug)]
    pub(crate) struct RatingIn as "NewRating" {
        /// 1, bad, to 5, good.
        score: u32 = "score" => required(integer_in(&SCORE)),
        /// In their words.
        comment: Option<String> = "comment" => optional(within(REMARK)),
    }
}

edge::endpoint! {
    /// Rate the people who helped.
    ///
    /// Of the newest part of the session that a person took, from the takeover until 14 days after its end; then, and
    /// where there was none, 409 `INVALID_STATE`. Sent again, it replaces the rating before.
    pub(crate) RateSession = POST "/api/v1/sessions/{id}/rating" => rate_session;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState],
    example: {"score": 5, "comment": "That was quick."},
}

/// Rates the newest human part.
async fn rate_session(
    conversation: ConversationService,
    caller: SessionRater,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<RatingIn>>,
) -> ApiResult<Replayed<Json<RatingResult>>> {
    let (rated, replayed) = conversation.rate(&caller, &id, body.score, body.comment, request).await?;
    Ok(Replayed(replayed, Json(rated)))
}

edge::body! {
    /// Why a human is wanted, and how urgently.
    #[derive(Debug)]
    pub(crate) struct EscalateIn as "NewEscalation" {
        /// Why.
        reason: String = "reason" => required(within(REMARK)),
        /// For API keys only; 403 for a widget. Asked again, the request keeps the priority that it has.
        priority: Option<Priority> = "priority" => optional(choice::<Priority>()),
    }
}

edge::endpoint! {
    /// Ask for a person.
    ///
    /// Asked again, it is the same request. It is made at any hour: `nextOpenAt` says when people are there again. 409 `SESSION_CLOSED` for a session that is closed.
    pub(crate) EscalateSession = POST "/api/v1/sessions/{id}/escalate" => escalate_session;
    supports: [IdempotencyKey],
    rate_class: Escalation,
    errors: [Conflict, InvalidState, SessionClosed],
    example: {"reason": "The refund has not arrived."},
}

/// Asks for a human.
pub(crate) async fn escalate_session(
    conversation: ConversationService,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<EscalateIn>>,
) -> ApiResult<Replayed<Json<EscalationResult>>> {
    if body.priority.is_some() && caller.widget().is_some() {
        return Err(Error::new(Code::Forbidden, "A widget may not set the priority.")
            .with_detail(DetailCode::TokenScope, "priority is for API keys")
            .into());
    }
    let priority = body.priority.unwrap_or(Priority::Normal);
    let escalated = conversation.escalate(&caller, &id, &body.reason, priority, request, &allowance);
    let (escalated, replayed) = escalated.await?;
    Ok(Replayed(replayed, Json(escalated)))
}

edge::body! {
    /// A body without fields; it is still validated.
    #[derive(Debug)]
    pub(crate) struct EmptyBodyIn as "Nothing" {}
}

edge::endpoint! {
    /// Take back the request for a person.
    ///
    /// While the request is pending. The AI answers together what the customer wrote meanwhile.
    pub(crate) CancelEscalation = POST "/api/v1/sessions/{id}/cancel-escalation" => cancel_escalation;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, SessionClosed],
    example: {},
}

/// The customer no longer wants a human.
pub(crate) async fn cancel_escalation(
    conversation: ConversationService,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, _): OnceIn<OptionalJsonIn<EmptyBodyIn>>,
) -> ApiResult<Replayed<Json<SessionOut>>> {
    let (session, replayed) = conversation.cancel_escalation(&caller, &id, request, &allowance).await?;
    Ok(Replayed(replayed, Json(SessionOut::new(session, Viewer::of(&caller)))))
}
