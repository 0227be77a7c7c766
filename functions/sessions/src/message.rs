//! `POST /sessions/:id/messages`.

use app::conversation::{ConversationService, IncomingMessage, Reply, RequestKey};
use axum::extract::State;
use domain::limits::MESSAGE;
use domain::models::{Disposition, EscalationId, MessageId, Ownership, Presence, SessionId};
use domain::wire::SourceOut;
use edge::ApiResult;
use edge::input::{line, optional, required, within};
use edge::{AllowanceIn, Json, JsonIn, OnceIn, PathIn, Replayed, RequestMeta, SessionCaller};
use schemars::JsonSchema;
use serde::Serialize;

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

/// The reply to a customer's message.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reply")]
pub(crate) struct MessageOut {
    /// The AI's turn; the customer's own where the AI is silent.
    message_id: MessageId,
    /// Markdown (CommonMark) without raw HTML and without images; links lead to `https:`, `http:`, `mailto:` and `tel:`
    /// alone. A `<` that would open a tag, a comment or a declaration is written `&lt;`. Empty where the AI is silent.
    answer: String,
    /// The entries nearest to the question, those that the answer was made from first.
    sources: Vec<SourceOut>,
    /// With the first answer of a session: the sentence that an automatic assistant answers. Show it before the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    /// How likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// Who answers the customer now.
    ownership: Ownership,
    /// The outcome of the message.
    disposition: Disposition,
    /// The wiki has a gap here.
    unanswered: bool,
    /// The answer asks whether the customer wants a human: yes is a request for one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    offers_human: bool,
    /// The number of the turn.
    turn: u32,
    /// Milliseconds from receipt to answer.
    latency_ms: u64,
    /// The request for a human that was made with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    escalation_id: Option<EscalationId>,
    /// If the message escalates, or waits for a human: whether people are there.
    #[serde(flatten)]
    presence: Option<Presence>,
}

impl From<Reply> for MessageOut {
    fn from(reply: Reply) -> Self {
        Self {
            message_id: reply.message_id,
            answer: reply.answer,
            sources: reply.sources.into_iter().map(SourceOut::from).collect(),
            notice: reply.notice,
            confidence: reply.confidence,
            ownership: reply.ownership,
            disposition: reply.disposition,
            unanswered: reply.unanswered,
            offers_human: reply.offers_human,
            turn: reply.turn,
            latency_ms: reply.latency_ms,
            escalation_id: reply.escalation_id,
            presence: reply.presence,
        }
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
    State(conversation): State<ConversationService>,
    caller: SessionCaller,
    AllowanceIn(allowance): AllowanceIn,
    meta: RequestMeta,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<MessageIn>>,
) -> ApiResult<Replayed<Json<MessageOut>>> {
    // Whoever sends it: the client's name of a message is valid within the session.
    let client = body.client_message_id.as_deref().map(|name| RequestKey::new(&["client", name], &[&body.content]));
    let incoming = IncomingMessage {
        content: body.content,
        keys: client.map(RequestKey::lasting).into_iter().chain(request).map(|key| key.beside(&id)).collect(),
        received_at: meta.received_at,
    };
    let reply = conversation.answer(&caller, &id, incoming, &allowance).await?;
    Ok(Replayed(reply.replayed, Json(reply.into())))
}
