//! An escalation as agents and receivers of webhooks read it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{
    AgentRef, Escalation, EscalationId, EscalationOutcome, EscalationStatus, LastWords, Priority, Rating,
    ReasonCategory, ReleaseReason, RequestedBy, SessionId, Timestamp,
};

/// A request for a human.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Escalation")]
pub struct EscalationOut {
    /// Its id.
    escalation_id: EscalationId,
    /// The conversation.
    session_id: SessionId,
    /// Where it stands.
    status: EscalationStatus,
    /// Why, in words.
    reason: String,
    /// Why, as one of a few kinds.
    reason_category: ReasonCategory,
    /// Who asked.
    requested_by: RequestedBy,
    /// The priority in the queue.
    priority: Priority,
    /// When it was asked for: its place in the queue.
    created_at: Timestamp,
    /// When it was claimed.
    claimed_at: Option<Timestamp>,
    /// By whom.
    claimed_by: Option<ClaimantOut>,
    /// When the claim ends unless the agent works; null while it is put off, and from the agent's message until the
    /// customer writes.
    lease_expires_at: Option<Timestamp>,
    /// The agent who had it before it went back to the queue, or had the part to which the customer came back; null if nobody did.
    former_agent: Option<ClaimantOut>,
    /// Why it waits again; null unless an agent had it before.
    release_reason: Option<ReleaseReason>,
    /// Until when its agent put it off.
    snoozed_until: Option<Timestamp>,
    /// Until when it was put off, where that ended before: by a message of the customer, an act of an agent or a
    /// transfer. Null once it is put off again, or if its time came.
    was_snoozed_until: Option<Timestamp>,
    /// When the agent first wrote.
    first_response_at: Option<Timestamp>,
    /// The customer's rating.
    rating: Option<Rating>,
    /// When it was resolved.
    resolved_at: Option<Timestamp>,
    /// When it ended otherwise.
    closed_at: Option<Timestamp>,
    /// How it ended.
    outcome: Option<EscalationOutcome>,
    /// The agent's text at the end.
    resolution: Option<String>,
    /// The conversation in short.
    summary: Option<String>,
    /// When the customer last wrote.
    last_customer_message_at: Option<Timestamp>,
    /// Only in lists: what was said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_words: Option<LastWords>,
    /// Whom it is about.
    customer: CustomerOut,
    /// The tags of the session.
    tags: Vec<String>,
    /// Counts every change.
    version: u64,
}

/// The agent who claimed a request for a human.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Claimant")]
struct ClaimantOut {
    /// As the caller named them, or the key.
    agent_id: String,
    /// For people.
    name: Option<String>,
}

impl From<AgentRef> for ClaimantOut {
    fn from(agent: AgentRef) -> Self {
        Self { agent_id: agent.id, name: agent.name }
    }
}

/// The customer of a request for a human.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Customer")]
struct CustomerOut {
    /// The visitor, as the tenant names them.
    external_user_id: Option<String>,
    /// The visitor's name.
    name: Option<String>,
    /// Whether the tenant vouches for the name. Otherwise it is what the visitor wrote.
    verified: bool,
}

impl From<Escalation> for EscalationOut {
    fn from(escalation: Escalation) -> Self {
        Self {
            escalation_id: escalation.escalation_id,
            session_id: escalation.session_id,
            status: escalation.status,
            reason: escalation.reason,
            reason_category: escalation.reason_category,
            requested_by: escalation.requested_by,
            priority: escalation.priority,
            created_at: escalation.created_at,
            claimed_at: escalation.claimed_at,
            claimed_by: escalation.claimed_by.map(ClaimantOut::from),
            lease_expires_at: escalation.lease_expires_at,
            former_agent: escalation.former_agent.map(ClaimantOut::from),
            release_reason: escalation.release_reason,
            snoozed_until: escalation.snoozed_until,
            was_snoozed_until: escalation.was_snoozed_until,
            first_response_at: escalation.first_response_at,
            rating: escalation.rating,
            resolved_at: escalation.resolved_at,
            closed_at: escalation.closed_at,
            outcome: escalation.outcome,
            resolution: escalation.resolution,
            summary: escalation.summary,
            last_customer_message_at: escalation.last_customer_message_at,
            last_words: None,
            customer: CustomerOut {
                external_user_id: escalation.customer_external_user_id,
                name: escalation.customer_name,
                verified: escalation.customer_verified,
            },
            tags: escalation.tags,
            version: escalation.version,
        }
    }
}

impl EscalationOut {
    /// A request as a line of a list.
    #[must_use]
    pub fn listed(mut escalation: Escalation) -> Self {
        let last_words = escalation.last_words.take();
        Self { last_words, ..escalation.into() }
    }
}
