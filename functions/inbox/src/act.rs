//! An agent's actions on a claimed conversation: `POST /inbox/:id/message`, `/handback`, `/resolve`, `/release`.

use app::conversation::{Acting, AgentMessage, Conversation, Ending, HandedBack, RequestKey};
use axum::extract::State;
use domain::access::Principal;
use domain::models::{EscalationId, MessageId};
use domain::wire::{TurnOut, Viewer};
use edge::ApiResult;
use edge::{Fields, FromFields, InboxAgent, Json, JsonIn, OptionalJsonIn, PathIn, Replayed, RequestMeta};

use crate::case::{CaseOut, answer};

/// Who acts; without an id it is the key.
#[derive(Debug)]
pub(crate) struct AgentIn {
    agent_id: Option<String>,
    agent_name: Option<String>,
}

impl FromFields for AgentIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        Some(Self { agent_id: fields.line("agentId", 1, 200), agent_name: fields.line("agentName", 1, 100) })
    }
}

impl AgentIn {
    pub(crate) fn acting(self, caller: &Principal) -> Acting {
        Acting::new(caller, self.agent_id, self.agent_name)
    }
}

/// What makes an action the same again, where the caller gave a key; `body` must then be the same too.
fn request_key(acting: &Acting, meta: &RequestMeta, action: &str, body: &[&str]) -> Option<RequestKey> {
    meta.idempotency_key.as_ref().map(|key| acting.request_key(action, key.as_str(), body))
}

/// What an agent writes.
#[derive(Debug)]
pub(crate) struct MessageIn {
    agent: AgentIn,
    content: String,
    internal: bool,
}

impl FromFields for MessageIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let agent = AgentIn::from_fields(fields);
        let content = fields.required_text("content", 1, 8_000);
        let internal = fields.flag("internal").unwrap_or(false);
        Some(Self { agent: agent?, content: content?, internal })
    }
}

/// Writes to the customer, or an internal note.
pub(crate) async fn send_message(
    State(conversation): State<Conversation>,
    caller: InboxAgent,
    meta: RequestMeta,
    PathIn(id): PathIn<EscalationId>,
    JsonIn(body): JsonIn<MessageIn>,
) -> ApiResult<Replayed<Json<TurnOut>>> {
    let acting = body.agent.acting(&caller);
    let kind = if body.internal { "internal" } else { "public" };
    let key = request_key(&acting, &meta, "message", &[kind, &body.content]);
    let message = AgentMessage { content: body.content, internal: body.internal, key };
    let written = conversation.agent_writes(&acting, &id, &message).await?;
    let out = TurnOut::new(written.turn, Viewer::of(&caller));
    Ok(Replayed(written.replayed, Json(out)))
}

/// The body of a handback. Ids are text, because an invalid id is answered like one that never existed.
#[derive(Debug)]
pub(crate) struct HandbackIn {
    agent: AgentIn,
    note: Option<String>,
    last_seen_message_id: Option<MessageId>,
}

impl FromFields for HandbackIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let agent = AgentIn::from_fields(fields);
        let note = fields.text("note", 1, 1_000);
        let id = |text: &str| MessageId::parse(text).ok_or("must be a messageId");
        let last_seen_message_id = fields.parsed("lastSeenMessageId", id);
        Some(Self { agent: agent?, note, last_seen_message_id })
    }
}

/// Hands the conversation back to the AI, which answers the customer's unanswered turns.
pub(crate) async fn hand_back(
    State(conversation): State<Conversation>,
    caller: InboxAgent,
    meta: RequestMeta,
    PathIn(id): PathIn<EscalationId>,
    OptionalJsonIn(body): OptionalJsonIn<HandbackIn>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let acting = body.agent.acting(&caller);
    let seen = body.last_seen_message_id.as_ref().map_or("", MessageId::as_str);
    let key = request_key(&acting, &meta, "handback", &[seen, body.note.as_deref().unwrap_or_default()]);
    let ending = Ending::Handback(HandedBack { note: body.note, last_seen: body.last_seen_message_id });
    let case = conversation.end_part(&acting, &id, &ending, key.as_ref()).await?;
    Ok(answer(case, &caller))
}

/// The resolution.
#[derive(Debug)]
pub(crate) struct ResolveIn {
    agent: AgentIn,
    resolution: Option<String>,
}

impl FromFields for ResolveIn {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let agent = AgentIn::from_fields(fields);
        Some(Self { resolution: fields.text("resolution", 1, 1_000), agent: agent? })
    }
}

/// Settles the matter and closes the conversation; again, it is the stored result.
pub(crate) async fn resolve(
    State(conversation): State<Conversation>,
    caller: InboxAgent,
    meta: RequestMeta,
    PathIn(id): PathIn<EscalationId>,
    OptionalJsonIn(body): OptionalJsonIn<ResolveIn>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let acting = body.agent.acting(&caller);
    let key = request_key(&acting, &meta, "resolve", &[body.resolution.as_deref().unwrap_or_default()]);
    let ending = Ending::Resolve { resolution: body.resolution };
    let case = conversation.end_part(&acting, &id, &ending, key.as_ref()).await?;
    Ok(answer(case, &caller))
}

/// Gives the conversation back to the queue, where it keeps its place.
pub(crate) async fn release(
    State(conversation): State<Conversation>,
    caller: InboxAgent,
    meta: RequestMeta,
    PathIn(id): PathIn<EscalationId>,
    OptionalJsonIn(body): OptionalJsonIn<AgentIn>,
) -> ApiResult<Replayed<Json<CaseOut>>> {
    let acting = body.acting(&caller);
    let key = request_key(&acting, &meta, "release", &[]);
    let case = conversation.end_part(&acting, &id, &Ending::Release, key.as_ref()).await?;
    Ok(answer(case, &caller))
}
