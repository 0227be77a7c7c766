//! One turn of a session, and a turn as callers read it.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use text::wire_enum;

use crate::is_default;
use crate::models::{EscalationId, MemberId, MessageId, Ownership, Presence, Timestamp, Visibility, WikiPath};
use crate::wire::Viewer;

wire_enum! {
    /// The author.
    pub enum TurnRole {
        /// The customer.
        Customer => "customer",
        /// The service.
        Ai => "ai",
        /// A person of the tenant.
        Agent => "agent",
        /// A note of what happened.
        System => "system",
    }
}

wire_enum! {
    /// The outcome of a customer's message.
    pub enum Disposition {
        /// The AI answered from the wiki.
        Answered => "answered",
        /// The wiki has no answer; the text says that and offers a human.
        NoAnswer => "no_answer",
        /// Greeting, thanks, goodbye and the like: answered with a short sentence, counted nowhere.
        SmallTalk => "small_talk",
        /// It escalated.
        Escalated => "escalated",
        /// A human is there or awaited; the AI is silent.
        QueuedForHuman => "queued_for_human",
        /// The session changed hands while the answer was being made; the answer was dropped.
        Superseded => "superseded",
    }
}

wire_enum! {
    /// A customer's reaction to an answer.
    pub enum Reaction {
        /// It helped; replaces `thumbs_down`.
        ThumbsUp => "thumbs_up",
        /// It did not help; replaces `thumbs_up`.
        ThumbsDown => "thumbs_down",
        /// Marked for review.
        Flag => "flag",
        /// It was copied.
        Copy => "copy",
    }
}

wire_enum! {
    /// The event of a system turn.
    pub enum SystemEvent {
        /// An escalation was created.
        HandoverRequested => "handover_requested",
        /// An agent took over.
        AgentJoined => "agent_joined",
        /// The agent gave the session back to the queue.
        AgentLeft => "agent_left",
        /// The claim of an agent who did not work ended. Only the tenant's people see it.
        ClaimLapsed => "claim_lapsed",
        /// The human part ended.
        HandoverEnded => "handover_ended",
        /// The session was resumed.
        Resumed => "resumed",
        /// The session was closed.
        Closed => "closed",
    }
}

/// An entry near a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The entry.
    pub path: WikiPath,
    /// How likely the answer is in this entry, 0-1.
    pub confidence: f64,
    /// The entry's title.
    pub title: String,
    /// The entry's version that was read.
    pub version: u64,
    /// The answer was made from it. False of answers that were stored before this was recorded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub used: bool,
    /// The visibility of the entry, as the index has it; not known of a stored answer.
    #[serde(skip)]
    pub visibility: Option<Visibility>,
}

/// The person behind an agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRef {
    /// As the caller named them, or the key.
    pub id: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The beginning of the ids of people who were members of the tenant that an import comes from.
const MEMBER_ELSEWHERE: &str = "imported_";

/// The author of something that is imported: the members of the tenant that it comes from are nobody's here, so that a
/// file cannot speak for the members of the tenant that it is imported into.
#[must_use]
pub fn from_elsewhere(author: String) -> String {
    if author.starts_with(MemberId::PREFIX) { format!("{MEMBER_ELSEWHERE}{author}") } else { author }
}

/// Whether [`from_elsewhere`] made it of a member.
#[must_use]
pub fn is_member_elsewhere(author: &str) -> bool {
    author.strip_prefix(MEMBER_ELSEWHERE).is_some_and(|id| MemberId::parse(id).is_some())
}

impl AgentRef {
    /// The agent whom a key names; none for the id of a member, who acts by its own sign-in.
    #[must_use]
    pub fn named(id: String, name: Option<String>) -> Option<Self> {
        Some(Self { id, name }).filter(|agent| !agent.is_member())
    }

    /// Whether it is a member, by its id.
    #[must_use]
    pub fn is_member(&self) -> bool {
        self.id.starts_with(MemberId::PREFIX)
    }

    /// The agent of another tenant's conversation, [`from_elsewhere`].
    #[must_use]
    pub fn imported(self) -> Self {
        Self { id: from_elsewhere(self.id), ..self }
    }
}

/// One turn of a conversation. It is stored, and exported, flat; the role says which fields are there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// Its id; carries `number`.
    pub message_id: MessageId,
    /// 1, 2, … in commit order.
    pub number: u32,
    /// The text of the turn; none of a system turn.
    pub content: String,
    /// When it was committed.
    pub created_at: Timestamp,
    /// The speaker, and what only such a turn has.
    #[serde(flatten)]
    pub body: TurnBody,
}

/// The author of a turn, with what only such a turn has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum TurnBody {
    /// The customer wrote it.
    Customer(CustomerTurn),
    /// The service answers.
    Ai(Box<AiTurn>),
    /// A person of the tenant wrote it.
    Agent(AgentTurn),
    /// It notes what happened.
    System(SystemTurn),
}

/// The fate of a customer's message. The AI may answer later what it was silent about.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomerTurn {
    /// The number of the AI turn that answers it.
    pub answered_by: Option<u32>,
    /// The reply to the message if the AI said nothing.
    #[serde(flatten, deserialize_with = "silence_if_any")]
    pub silence: Option<Silence>,
}

/// A silence whose fields cannot be read is an error: of an `Option` alone serde would make none, and the next change of the
/// turn would store it so.
fn silence_if_any<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Silence>, D::Error> {
    let fields = serde_json::Map::deserialize(from)?;
    let silence = fields.contains_key("disposition").then(|| serde_json::from_value(fields.into()));
    silence.transpose().map_err(D::Error::custom)
}

/// The reply to a message about which the AI is silent.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Silence {
    /// Why.
    #[serde(rename = "disposition")]
    pub reason: SilenceReason,
    /// The owner of the session at that time.
    pub ownership: Ownership,
    /// From receipt to this reply.
    pub latency_ms: u64,
    /// The request for a human that was open.
    pub escalation_id: Option<EscalationId>,
    /// Whether somebody was there.
    pub presence: Option<Presence>,
}

/// Why the AI is silent about a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SilenceReason {
    /// [`Disposition::QueuedForHuman`].
    QueuedForHuman,
    /// [`Disposition::Superseded`].
    Superseded,
}

impl From<SilenceReason> for Disposition {
    fn from(reason: SilenceReason) -> Self {
        match reason {
            SilenceReason::QueuedForHuman => Self::QueuedForHuman,
            SilenceReason::Superseded => Self::Superseded,
        }
    }
}

/// An answer of the AI.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AiTurn {
    /// The entries nearest to the question.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sources: Vec<Source>,
    /// Says that an automatic assistant answers; with the first one of a session.
    pub notice: Option<String>,
    /// How sure it is, 0-1.
    pub confidence: f64,
    /// The outcome of the message.
    pub disposition: Disposition,
    /// The wiki has a gap here.
    pub unanswered: bool,
    /// Of several questions those that have no answer, as the customer wrote them; empty if all that was asked is one
    /// question.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Vec<String>,
    /// The customer's opinion of it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reactions: Vec<Reaction>,
    /// It asks whether the customer wants a human, so a yes is a request for one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offers_human: bool,
    /// Internal entries are among its sources, so a widget reads it only if the tenant lets it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub grounded_on_internal: bool,
    /// Receipt to answer.
    pub latency_ms: u64,
    /// The request for a human that was made with it, or that was open.
    pub escalation_id: Option<EscalationId>,
    /// With that: whether somebody was there.
    pub presence: Option<Presence>,
    /// The number of the (last) customer turn it answers that asks something.
    pub answers: u32,
    /// How many questions and requests it answers; after a handback it may answer several together. Small talk is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub queries: u32,
}

impl AiTurn {
    /// An answer to the customer turn `answers`, made from nothing.
    #[must_use]
    pub const fn new(disposition: Disposition, answers: u32) -> Self {
        Self {
            sources: Vec::new(),
            notice: None,
            confidence: 0.0,
            disposition,
            unanswered: false,
            missing: Vec::new(),
            reactions: Vec::new(),
            offers_human: false,
            grounded_on_internal: false,
            latency_ms: 0,
            escalation_id: None,
            presence: None,
            answers,
            queries: 0,
        }
    }
}

/// A message of a person of the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentTurn {
    /// The agent.
    pub agent: AgentRef,
    /// A note that the tenant's people alone see.
    #[serde(default, skip_serializing_if = "is_default")]
    pub internal: bool,
}

/// A note of what happened.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemTurn {
    /// The change that it notes.
    pub event: SystemEvent,
    /// The person who did it.
    pub agent: Option<AgentRef>,
}

impl Turn {
    /// The side that speaks.
    #[must_use]
    pub const fn role(&self) -> TurnRole {
        match self.body {
            TurnBody::Customer(_) => TurnRole::Customer,
            TurnBody::Ai(_) => TurnRole::Ai,
            TurnBody::Agent(_) => TurnRole::Agent,
            TurnBody::System(_) => TurnRole::System,
        }
    }

    /// Whether the tenant's people alone see it.
    #[must_use]
    pub const fn is_internal(&self) -> bool {
        matches!(
            self.body,
            TurnBody::Agent(AgentTurn { internal: true, .. })
                | TurnBody::System(SystemTurn { event: SystemEvent::ClaimLapsed, .. })
        )
    }

    /// The answer of an AI turn.
    #[must_use]
    pub fn ai(&self) -> Option<&AiTurn> {
        match &self.body {
            TurnBody::Ai(ai) => Some(ai),
            TurnBody::Customer(_) | TurnBody::Agent(_) | TurnBody::System(_) => None,
        }
    }

    /// Whether the AI said it while the customer waited for a person: it names their request, and did not make it.
    #[must_use]
    pub fn is_said_while_waiting(&self) -> bool {
        self.ai().is_some_and(|ai| ai.escalation_id.is_some() && ai.disposition != Disposition::Escalated)
    }

    /// Of a customer's turn: the number of the AI turn that answers it.
    #[must_use]
    pub const fn answered_by(&self) -> Option<u32> {
        match &self.body {
            TurnBody::Customer(customer) => customer.answered_by,
            TurnBody::Ai(_) | TurnBody::Agent(_) | TurnBody::System(_) => None,
        }
    }

    /// The outcome of the message: of an AI turn, and of a customer's about which the AI was silent.
    #[must_use]
    pub fn disposition(&self) -> Option<Disposition> {
        match &self.body {
            TurnBody::Customer(customer) => customer.silence.as_ref().map(|silence| silence.reason.into()),
            TurnBody::Ai(ai) => Some(ai.disposition),
            TurnBody::Agent(_) | TurnBody::System(_) => None,
        }
    }

    /// The entries of an AI turn.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.ai().map_or(&[], |ai| &ai.sources)
    }

    /// Of several questions that an AI turn answers, those that have no answer.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        self.ai().map_or(&[], |ai| &ai.missing)
    }

    /// Of a system turn: what happened.
    #[must_use]
    pub const fn event(&self) -> Option<SystemEvent> {
        match &self.body {
            TurnBody::System(system) => Some(system.event),
            TurnBody::Customer(_) | TurnBody::Ai(_) | TurnBody::Agent(_) => None,
        }
    }

    /// Whether it is an AI turn with internal entries among its sources.
    #[must_use]
    pub fn is_grounded_on_internal(&self) -> bool {
        self.ai().is_some_and(|ai| ai.grounded_on_internal)
    }
}

/// An entry near a question.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub struct SourceOut {
    /// The entry.
    pub path: WikiPath,
    /// How likely the answer is in this entry.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// The entry's title.
    title: String,
    /// The entry's version that was read.
    version: u64,
    /// The answer was made from it. False of answers that were stored before this was recorded.
    pub used: bool,
}

impl From<Source> for SourceOut {
    fn from(source: Source) -> Self {
        let Source { path, confidence, title, version, used, visibility: _ } = source;
        Self { path, confidence, title, version, used }
    }
}

/// One turn of a conversation, as its caller may see it.
#[serde_with::skip_serializing_none]
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
    answer: Option<String>,
    /// Role `ai`: the entries nearest to the question, those that the answer was made from first.
    sources: Vec<SourceOut>,
    /// With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of
    /// the content.
    notice: Option<String>,
    /// Role `ai`: how likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    confidence: Option<f64>,
    /// The outcome of the message.
    disposition: Option<Disposition>,
    /// Role `ai`: the wiki has a gap here.
    unanswered: Option<bool>,
    /// Role `ai`: it asks whether the customer wants a human.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    offers_human: bool,
    /// Role `ai`: what the customer thinks of it.
    reactions: Vec<Reaction>,
    /// Role `agent`: who it was.
    agent: Option<AgentOut>,
    /// A note, or what happened to a claim, that admin, trainer and agent keys alone see.
    internal: bool,
    /// Role `system`: what happened.
    event: Option<SystemEvent>,
    /// When it was stored.
    created_at: Timestamp,
    /// Role `ai`: milliseconds from receipt to answer.
    latency_ms: Option<u64>,
}

/// A person of the tenant.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Agent")]
struct AgentOut {
    /// As the caller named them, or the key; for keys only.
    id: Option<String>,
    /// For people.
    name: Option<String>,
}

impl AgentOut {
    fn new(agent: AgentRef, viewer: Viewer) -> Self {
        Self { id: viewer.staff_details.then_some(agent.id), name: agent.name }
    }
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
            offers_human: false,
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
                offers_human: ai.offers_human,
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_turn_reads_and_is_written_as_it_was_stored() {
        let answer =
            json!({"confidence": 0.5, "disposition": "answered", "unanswered": false, "latencyMs": 1, "answers": 1});
        let silence = json!({"disposition": "queued_for_human", "ownership": "human", "latencyMs": 1, "answeredBy": 4});
        let note = json!({"agent": {"id": "bob"}, "internal": true});
        for (role, fields) in [
            ("customer", json!({})),
            ("customer", silence),
            ("ai", answer),
            ("agent", note),
            ("system", json!({"event": "resumed"})),
            ("system", json!({"event": "agent_joined", "agent": {"id": "bob"}})),
        ] {
            let id = "msg_01JDB8Q7XKZ3T5V9W2Y4A6C8EG";
            let mut stored = json!({"messageId": id, "number": 3, "role": role, "content": ""});
            stored["createdAt"] = "2026-01-02T03:04:05.678Z".into();
            stored.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let read: Turn = serde_json::from_value(stored.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), stored);
            let without = |field: &String| {
                let mut less: Value = stored.clone();
                less.as_object_mut().unwrap().remove(field);
                less
            };
            let is_needed = |field: &&String| {
                ["confidence", "unanswered", "answers", "event", "ownership"].contains(&field.as_str())
            };
            for field in fields.as_object().unwrap().keys().filter(is_needed) {
                assert!(serde_json::from_value::<Turn>(without(field)).is_err(), "{role} without {field}");
            }
        }
    }
}
