//! A turn as callers read it.

use serde::Serialize;

use crate::models::{Disposition, MessageId, Reaction, Source, SystemEvent, Timestamp, Turn, TurnRole};
use crate::wire::{AgentOut, Viewer};

/// A turn as its caller may see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnOut {
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
    /// The turn for `viewer`, who may see it.
    #[must_use]
    pub fn new(turn: Turn, viewer: Viewer) -> Self {
        let shown = viewer.internal_entries || !turn.grounded_on_internal;
        let content = if shown { turn.content } else { String::new() };
        let is_answer = turn.role == TurnRole::Ai;
        let agent = turn.agent.map(|agent| AgentOut::new(agent, viewer));
        Self {
            message_id: turn.message_id,
            turn: turn.number,
            role: turn.role,
            answer: is_answer.then(|| content.clone()),
            content,
            sources: if shown { turn.sources } else { Vec::new() },
            confidence: turn.confidence,
            disposition: turn.disposition,
            unanswered: turn.unanswered,
            reactions: turn.reactions,
            agent,
            internal: turn.internal,
            event: turn.event,
            created_at: turn.created_at,
            latency_ms: turn.latency_ms.filter(|_| is_answer),
        }
    }

    /// The turns that `viewer` may see.
    #[must_use]
    pub fn visible(turns: Vec<Turn>, viewer: Viewer) -> Vec<Self> {
        let seen = turns.into_iter().filter(|turn| !turn.internal || viewer.internal_notes);
        seen.map(|turn| Self::new(turn, viewer)).collect()
    }
}
