//! `POST /sessions/:id/messages`.

use app::conversation::{Conversation, Incoming, Reply, SentToken};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::access::Principal;
use domain::models::{Disposition, EscalationId, MessageId, Ownership, SessionId, Source};
use edge::ApiResult;
use edge::{Fields, FromFields, Json, JsonIn, PathIn, RequestMeta, SessionCaller};
use http::HeaderValue;
use serde::Serialize;

/// What a customer wrote.
#[derive(Debug)]
pub(crate) struct MessageIn {
    content: String,
    client_message_id: Option<String>,
}

impl FromFields for MessageIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let content = fields.required_text("content", 1, 8_000);
        let client_message_id = fields.line("clientMessageId", 1, 255);
        Some(Self { content: content?, client_message_id })
    }
}

/// What became of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageOut {
    message_id: MessageId,
    answer: String,
    sources: Vec<Source>,
    confidence: f64,
    ownership: Ownership,
    disposition: Disposition,
    unanswered: bool,
    turn: u32,
    latency_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    escalation_id: Option<EscalationId>,
}

impl From<Reply> for MessageOut {
    fn from(reply: Reply) -> Self {
        Self {
            message_id: reply.message_id,
            answer: reply.answer,
            sources: reply.sources,
            confidence: reply.confidence,
            ownership: reply.ownership,
            disposition: reply.disposition,
            unanswered: reply.unanswered,
            turn: reply.turn,
            latency_ms: reply.latency_ms,
            escalation_id: reply.escalation_id,
        }
    }
}

/// Answers one customer message.
pub(crate) async fn send_message(
    State(conversation): State<Conversation>,
    caller: SessionCaller,
    meta: RequestMeta,
    PathIn(id): PathIn<SessionId>,
    JsonIn(body): JsonIn<MessageIn>,
) -> ApiResult<Response> {
    let tokens = tokens(&caller, &meta, &body);
    let incoming = Incoming { content: body.content, tokens, received_at: meta.received_at };
    let reply = conversation.answer(&caller, &id, incoming).await?;
    let replayed = reply.replayed;
    let mut response = Json(MessageOut::from(reply)).into_response();
    if replayed {
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// What makes a message the same message again: the client's own id within the session, the header's within its caller.
fn tokens(caller: &Principal, meta: &RequestMeta, body: &MessageIn) -> Vec<SentToken> {
    let (content, id) = (body.content.as_str(), body.client_message_id.as_deref());
    let header = meta.idempotency_key.as_ref();
    let header = header.map(|key| SentToken::idempotency_key(caller, key.as_str(), content, id));
    id.map(|id| SentToken::client_message_id(id, content)).into_iter().chain(header).collect()
}
