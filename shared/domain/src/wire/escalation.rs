//! An escalation as agents and receivers of webhooks read it.

use serde::Serialize;

use crate::models::{
    AgentRef, Escalation, EscalationId, EscalationOutcome, EscalationStatus, Priority, ReasonCategory, RequestedBy,
    SessionId, Timestamp,
};

/// A request for a human.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EscalationOut {
    escalation_id: EscalationId,
    session_id: SessionId,
    status: EscalationStatus,
    reason: String,
    reason_category: ReasonCategory,
    requested_by: RequestedBy,
    priority: Priority,
    created_at: Timestamp,
    claimed_at: Option<Timestamp>,
    claimed_by: Option<ClaimantOut>,
    lease_expires_at: Option<Timestamp>,
    first_response_at: Option<Timestamp>,
    resolved_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    outcome: Option<EscalationOutcome>,
    resolution: Option<String>,
    summary: Option<String>,
    last_customer_message_at: Option<Timestamp>,
    customer: CustomerOut,
    version: u64,
}

/// Who claimed it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct ClaimantOut {
    agent_id: String,
    name: Option<String>,
}

impl From<AgentRef> for ClaimantOut {
    fn from(agent: AgentRef) -> Self {
        Self { agent_id: agent.id, name: agent.name }
    }
}

/// Whom it is about.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CustomerOut {
    external_user_id: Option<String>,
    name: Option<String>,
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
            first_response_at: escalation.first_response_at,
            resolved_at: escalation.resolved_at,
            closed_at: escalation.closed_at,
            outcome: escalation.outcome,
            resolution: escalation.resolution,
            summary: escalation.summary,
            last_customer_message_at: escalation.last_customer_message_at,
            customer: CustomerOut {
                external_user_id: escalation.customer_external_user_id,
                name: escalation.customer_name,
            },
            version: escalation.version,
        }
    }
}
