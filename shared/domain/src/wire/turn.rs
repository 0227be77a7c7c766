//! A turn as callers read it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{Disposition, MessageId, Reaction, Source, SystemEvent, Timestamp, Turn, TurnRole, WikiPath};
use crate::wire::{AgentOut, Viewer};

/// An entry near a question.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub struct SourceOut {
    /// The entry.
    path: WikiPath,
    /// How likely the answer is in this entry.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// The entry's title.
    title: String,
    /// The entry's version that was read.
    version: u64,
    /// The answer was made from it. False of answers that were stored before this was recorded.
    used: bool,
}

impl From<Source> for SourceOut {
    fn from(source: Source) -> Self {
        let Source { path, confidence, title, version, used, visibility: _ } = source;
        Self { path, confidence, title, version, used }
    }
}

/// One turn of a conversation, as its caller may see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Turn")]
pub struct TurnOut {
    /// Its id.
    message_id: MessageId,
    /// 1, 2, … in commit order.
    #[schemars(range(min = 1))]
    turn: u32,
    /// Who speaks.
    role: TurnRole,
    /// The text of the turn.
    content: String,
    /// Role `ai`: the content once more, Markdown as in `Reply.answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// Role `ai`: the entries nearest to the question, those that the answer was made from first.
    sources: Vec<SourceOut>,
    /// With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of
    /// the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    /// Role `ai`: how likely the answer is in the wiki.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    confidence: Option<f64>,
    /// The outcome of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    disposition: Option<Disposition>,
    /// Role `ai`: the wiki has a gap here.
    #[serde(skip_serializing_if = "Option::is_none")]
    unanswered: Option<bool>,
    /// Role `ai`: what the customer thinks of it.
    reactions: Vec<Reaction>,
    /// Role `agent`: who it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<AgentOut>,
    /// A note that admin, trainer and agent keys alone see.
    internal: bool,
    /// Role `system`: what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<SystemEvent>,
    /// When it was stored.
    created_at: Timestamp,
    /// Role `ai`: milliseconds from receipt to answer.
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
            sources: if shown { turn.sources.into_iter().map(SourceOut::from).collect() } else { Vec::new() },
            notice: turn.notice,
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
