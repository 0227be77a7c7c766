//! One turn of a session.

use serde::{Deserialize, Serialize};

use super::{EscalationId, MessageId, Ownership, Presence, Timestamp, Visibility, WikiPath, wire_enum};

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
    /// Who may read the entry, as the index has it; not known of a stored answer.
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

/// One turn, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Its id; carries `number`.
    pub message_id: MessageId,
    /// 1, 2, … in commit order.
    pub number: u32,
    /// Who speaks.
    pub role: TurnRole,
    /// The text of the turn.
    pub content: String,
    /// Role `ai`: its sources.
    pub sources: Vec<Source>,
    /// Role `ai`: says that an automatic assistant answers; with the first one of a session.
    pub notice: Option<String>,
    /// Role `ai`: how sure it is, 0-1.
    pub confidence: Option<f64>,
    /// The outcome of the message.
    pub disposition: Option<Disposition>,
    /// Role `customer`: who owned the session when the AI was silent about it.
    pub ownership: Option<Ownership>,
    /// Role `ai`: the wiki has a gap here.
    pub unanswered: Option<bool>,
    /// Role `ai`: of several questions those that have no answer, as the customer wrote them; empty where all that was
    /// asked is one question.
    pub missing: Vec<String>,
    /// Role `ai`: what the customer thinks of it.
    pub reactions: Vec<Reaction>,
    /// Role `agent`: who it was.
    pub agent: Option<AgentRef>,
    /// Seen by the tenant's people only.
    pub internal: bool,
    /// Role `ai`: it asks whether the customer wants a human, so a yes is a request for one.
    pub offers_human: bool,
    /// Role `ai`: internal entries are among its sources, so a widget reads it only where the tenant lets it.
    pub grounded_on_internal: bool,
    /// Role `system`: what happened.
    pub event: Option<SystemEvent>,
    /// When it was committed.
    pub created_at: Timestamp,
    /// Receipt to answer, where there is one: role `ai`, and a customer's turn that was queued for a human.
    pub latency_ms: Option<u64>,
    /// The request for a human that was made with an AI turn, or that a customer's turn was queued under.
    pub escalation_id: Option<EscalationId>,
    /// With that: whether somebody was there.
    pub presence: Option<Presence>,
    /// Role `customer`: the number of the AI turn that answers it.
    pub answered_by: Option<u32>,
    /// Role `ai`: the number of the (last) customer turn it answers that asks something.
    pub answers: Option<u32>,
    /// Role `ai`: how many questions and requests it answers; after a handback it may answer several together. Small
    /// talk is none.
    pub queries: u32,
}
