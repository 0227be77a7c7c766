//! `POST /sessions/:id/messages`.

use app::conversation::{Conversation, Incoming, Reply, RequestKey};
use axum::extract::State;
use domain::access::Principal;
use domain::models::{Disposition, EscalationId, MessageId, Ownership, SessionId, Source};
use edge::ApiResult;
use edge::{Fields, FromFields, Json, JsonIn, PathIn, Replayed, RequestMeta, SessionCaller};
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
) -> ApiResult<Replayed<Json<MessageOut>>> {
    let keys = request_keys(&caller, &meta, &body, &id);
    let incoming = Incoming { content: body.content, keys, received_at: meta.received_at };
    let reply = conversation.answer(&caller, &id, incoming).await?;
    Ok(Replayed(reply.replayed, Json(reply.into())))
}

/// What makes a message the same message again: the client's own id within the session, the header's within its caller.
fn request_keys(caller: &Principal, meta: &RequestMeta, body: &MessageIn, session: &SessionId) -> Vec<RequestKey> {
    let (content, id) = (body.content.as_str(), body.client_message_id.as_deref());
    let client = id.map(|id| RequestKey::new(&["client", id], &[content]));
    let header = meta.idempotency_key.as_ref();
    let name = caller.name();
    let header =
        header.map(|key| RequestKey::new(&["message", &name, key.as_str()], &[id.unwrap_or_default(), content]));
    client.into_iter().chain(header).map(|key| key.beside(session)).collect()
}
