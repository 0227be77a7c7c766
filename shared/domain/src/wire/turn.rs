//! A turn as callers read it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{
    AgentTurn, Disposition, MessageId, Reaction, Source, SystemEvent, SystemTurn, Timestamp, Turn, TurnBody, TurnRole,
    WikiPath,
};
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
    /// A note, or what happened to a claim, that admin, trainer and agent keys alone see.
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
        let shown = viewer.internal_entries || !turn.is_grounded_on_internal();
        let said = Self {
            role: turn.role(),
            disposition: turn.disposition(),
            internal: turn.is_internal(),
            message_id: turn.message_id,
            turn: turn.number,
            content: if shown { turn.content } else { String::new() },
            answer: None,
            sources: Vec::new(),
            notice: None,
            confidence: None,
            unanswered: None,
            reactions: Vec::new(),
            agent: None,
            event: None,
            created_at: turn.created_at,
            latency_ms: None,
        };
        match turn.body {
            TurnBody::Customer(_) => said,
            TurnBody::Ai(ai) => Self {
                answer: Some(said.content.clone()),
                sources: if shown { ai.sources.into_iter().map(SourceOut::from).collect() } else { Vec::new() },
                notice: ai.notice,
                confidence: Some(ai.confidence),
                unanswered: Some(ai.unanswered),
                reactions: ai.reactions,
                latency_ms: Some(ai.latency_ms),
                ..said
            },
            TurnBody::Agent(AgentTurn { agent, .. }) => Self { agent: Some(AgentOut::new(agent, viewer)), ..said },
            TurnBody::System(SystemTurn { event, agent }) => {
                Self { event: Some(event), agent: agent.map(|agent| AgentOut::new(agent, viewer)), ..said }
            }
        }
    }

    /// The turns that `viewer` may see.
    #[must_use]
    pub fn visible(turns: Vec<Turn>, viewer: Viewer) -> Vec<Self> {
        let seen = turns.into_iter().filter(|turn| !turn.is_internal() || viewer.internal_notes);
        seen.map(|turn| Self::new(turn, viewer)).collect()
    }
}
