//! Sessions and turns as clients read them.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::auth::Principal;
use shared::models::{
    Channel, ClosedReason, Disposition, EscalationId, MessageId, Mode, Ownership, Reaction, Session, SessionId, Source,
    SystemEvent, Timestamp, Turn, TurnRole, Visitor,
};

/// A session as its caller may see it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionOut {
    session_id: SessionId,
    ownership: Ownership,
    turn_count: u32,
    last_message_id: Option<MessageId>,
    channel: Channel,
    external_user_id: Option<String>,
    user: Option<Visitor>,
    locale: Option<String>,
    metadata: BTreeMap<String, serde_json::Value>,
    tags: Vec<String>,
    escalation_id: Option<EscalationId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_activity_at: Timestamp,
    closed_at: Option<Timestamp>,
    closed_reason: Option<ClosedReason>,
    resumable_until: Option<Timestamp>,
    mode: Mode,
    version: u64,
}

impl SessionOut {
    pub(crate) fn new(session: Session, caller: &Principal) -> Self {
        let last_message_id =
            if caller.sees_internal_notes() { session.last_message_id } else { session.last_public_message_id };
        Self {
            session_id: session.session_id,
            ownership: session.ownership,
            turn_count: session.turn_count,
            last_message_id,
            channel: session.channel,
            external_user_id: session.external_user_id,
            user: session.user,
            locale: session.locale,
            metadata: session.metadata,
            tags: session.tags,
            escalation_id: session.escalation_id,
            created_at: session.created_at,
            updated_at: session.updated_at,
            last_activity_at: session.last_activity_at,
            closed_at: session.closed_at,
            closed_reason: session.closed_reason,
            resumable_until: session.resumable_until,
            mode: session.mode,
            version: session.version,
        }
    }
}

/// The person behind an agent turn; a widget reads the name alone.
#[derive(Debug, Serialize)]
struct AgentOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// A turn as its caller may see it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnOut {
    message_id: MessageId,
    turn: u32,
    role: TurnRole,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    sources: Vec<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disposition: Option<Disposition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unanswered: Option<bool>,
    reactions: Vec<Reaction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<AgentOut>,
    internal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<SystemEvent>,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<u64>,
}

impl TurnOut {
    pub(crate) fn new(turn: Turn, caller: &Principal) -> Self {
        let answer = (turn.role == TurnRole::Ai).then(|| turn.content.clone());
        let agent =
            turn.agent.map(|agent| AgentOut { id: caller.widget().is_none().then_some(agent.id), name: agent.name });
        Self {
            message_id: turn.message_id,
            turn: turn.number,
            role: turn.role,
            content: turn.content,
            answer,
            sources: turn.sources,
            confidence: turn.confidence,
            disposition: turn.disposition,
            unanswered: turn.unanswered,
            reactions: turn.reactions,
            agent,
            internal: turn.internal,
            event: turn.event,
            created_at: turn.created_at,
            latency_ms: turn.latency_ms,
        }
    }

    /// The turns that the caller may see.
    pub(crate) fn visible(turns: Vec<Turn>, caller: &Principal) -> Vec<Self> {
        let seen = turns.into_iter().filter(|turn| !turn.internal || caller.sees_internal_notes());
        seen.map(|turn| Self::new(turn, caller)).collect()
    }
}
