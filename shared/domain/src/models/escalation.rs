//! An escalation (a request for a human), and its state machine.

use super::{AgentRef, EscalationId, SessionId, Timestamp, wire_enum};

wire_enum! {
    /// The status of an escalation.
    pub enum EscalationStatus {
        /// No agent has taken it yet.
        Pending => "pending",
        /// An agent works on it.
        Claimed => "claimed",
        /// An agent resolved it.
        Resolved => "resolved",
        /// It ended otherwise.
        Closed => "closed",
    }
}

wire_enum! {
    /// The reason of an escalation.
    pub enum ReasonCategory {
        /// The caller said so.
        Manual => "manual",
        /// The customer's words asked for a human.
        CustomerRequest => "customer_request",
        /// The wiki had no answer twice in a row.
        LowConfidence => "low_confidence",
        /// Two `thumbs_down` in a row.
        NegativeFeedback => "negative_feedback",
        /// `maxAiTurns` was reached.
        MaxTurns => "max_turns",
        /// The model or the search failed.
        AiFailure => "ai_failure",
    }
}

wire_enum! {
    /// Who asked for a human.
    pub enum RequestedBy {
        /// The customer.
        Customer => "customer",
        /// The AI.
        Ai => "ai",
        /// An integration.
        Api => "api",
    }
}

wire_enum! {
    /// The priority in the queue.
    pub enum Priority {
        /// In turn.
        Normal => "normal",
        /// Before the others.
        High => "high",
    }
}

wire_enum! {
    /// How a request for a human ended.
    pub enum EscalationOutcome {
        /// An agent resolved it.
        Resolved => "resolved",
        /// An agent gave the session back to the AI.
        HandedBack => "handed_back",
        /// The customer no longer wanted it.
        Cancelled => "cancelled",
        /// No agent came for 14 days.
        Expired => "expired",
    }
}

/// The transitions of a request for a human.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EscalationAction {
    /// An agent takes it.
    Takeover,
    /// The agent is done.
    Resolve,
    /// The agent gives the session back to the AI.
    Handback,
    /// The agent, or the end of the lease, gives it back to the queue.
    Release,
    /// The customer no longer wants it, or the session is closed.
    Cancel,
}

impl EscalationAction {
    /// Every action.
    pub const ALL: [Self; 5] = [Self::Takeover, Self::Resolve, Self::Handback, Self::Release, Self::Cancel];
}

impl EscalationStatus {
    /// The state table; `None` if the transition is not allowed.
    #[must_use]
    pub const fn after(self, action: EscalationAction) -> Option<Self> {
        use EscalationAction as A;
        match (self, action) {
            (Self::Pending, A::Takeover) => Some(Self::Claimed),
            (Self::Pending, A::Cancel) | (Self::Claimed, A::Handback) => Some(Self::Closed),
            (Self::Claimed, A::Resolve) => Some(Self::Resolved),
            (Self::Claimed, A::Release) => Some(Self::Pending),
            (Self::Pending, A::Resolve | A::Handback | A::Release)
            | (Self::Claimed, A::Takeover | A::Cancel)
            | (Self::Resolved | Self::Closed, A::Takeover | A::Resolve | A::Handback | A::Release | A::Cancel) => None,
        }
    }
}

/// A request for a human, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Escalation {
    /// Its id.
    pub escalation_id: EscalationId,
    /// The conversation it is about.
    pub session_id: SessionId,
    /// Its status.
    pub status: EscalationStatus,
    /// For the agent.
    pub reason: String,
    /// Why.
    pub reason_category: ReasonCategory,
    /// Who asked.
    pub requested_by: RequestedBy,
    /// The priority in the queue.
    pub priority: Priority,
    /// When it was created: its place in the queue.
    pub created_at: Timestamp,
    /// When it was claimed.
    pub claimed_at: Option<Timestamp>,
    /// By whom.
    pub claimed_by: Option<AgentRef>,
    /// The token by which the claim is recognised when its reply was lost: lower-case hex of SHA-256, never shown.
    pub claim_token: Option<String>,
    /// When the claim ends unless the agent writes.
    pub lease_expires_at: Option<Timestamp>,
    /// When the agent first wrote.
    pub first_response_at: Option<Timestamp>,
    /// When it was resolved.
    pub resolved_at: Option<Timestamp>,
    /// When it ended otherwise.
    pub closed_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<EscalationOutcome>,
    /// The agent's text at the end.
    pub resolution: Option<String>,
    /// The conversation in short.
    pub summary: Option<String>,
    /// When the customer last wrote.
    pub last_customer_message_at: Option<Timestamp>,
    /// The visitor.
    pub customer_external_user_id: Option<String>,
    /// The visitor's name.
    pub customer_name: Option<String>,
    /// Whether the tenant vouches for the visitor.
    pub customer_verified: bool,
    /// Counts every change.
    pub version: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_escalations_allows_exactly_what_the_contract_lists() {
        use EscalationAction as A;
        use EscalationStatus as S;
        let allowed = [
            (S::Pending, A::Takeover, S::Claimed),
            (S::Claimed, A::Resolve, S::Resolved),
            (S::Claimed, A::Handback, S::Closed),
            (S::Claimed, A::Release, S::Pending),
            (S::Pending, A::Cancel, S::Closed),
        ];
        for &from in S::ALL {
            for action in A::ALL {
                let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
                assert_eq!(from.after(action), expected, "{from} {action:?}");
            }
        }
    }
}
