//! An escalation (a request for a human), its state machine, and as agents and receivers of webhooks read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::is_default;
use crate::models::{AgentRef, EscalationId, LastWords, SessionId, Timestamp};

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
        /// An agent took over unasked.
        StepIn => "step_in",
        /// The customer complained, or asked what the wiki does not answer, after an agent's part.
        CameBack => "came_back",
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
        /// An agent, who took over unasked.
        Agent => "agent",
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
    /// Why an agent no longer has a request that waits again.
    pub enum ReleaseReason {
        /// The agent, or an admin, gave it back.
        Released => "released",
        /// The customer wrote, and the agent did not work for as long as a claim holds.
        Lapsed => "lapsed",
        /// The member was removed or suspended, or lost the inbox.
        AccessLost => "access_lost",
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
    /// The agent gives it to another.
    Transfer,
    /// The agent is done.
    Resolve,
    /// An agent takes it up again after it was resolved.
    Reopen,
    /// The agent gives the session back to the AI.
    Handback,
    /// The agent, or the end of the lease, gives it back to the queue.
    Release,
    /// The customer no longer wants it, or the session is closed.
    Cancel,
}

impl EscalationStatus {
    /// The state table; `None` if the transition is not allowed.
    #[must_use]
    pub const fn after(self, action: EscalationAction) -> Option<Self> {
        use EscalationAction as A;
        match (self, action) {
            (Self::Pending, A::Takeover) | (Self::Claimed, A::Transfer) | (Self::Resolved, A::Reopen) => {
                Some(Self::Claimed)
            }
            (Self::Pending, A::Cancel) | (Self::Claimed, A::Handback) => Some(Self::Closed),
            (Self::Claimed, A::Resolve) => Some(Self::Resolved),
            (Self::Claimed, A::Release) => Some(Self::Pending),
            (Self::Pending, A::Transfer | A::Resolve | A::Reopen | A::Handback | A::Release)
            | (Self::Claimed, A::Takeover | A::Reopen | A::Cancel)
            | (Self::Resolved, A::Takeover | A::Transfer | A::Resolve | A::Handback | A::Release | A::Cancel)
            | (
                Self::Closed,
                A::Takeover | A::Transfer | A::Resolve | A::Reopen | A::Handback | A::Release | A::Cancel,
            ) => None,
        }
    }
}

/// A customer's rating of the people who helped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rating {
    /// 1, bad, to 5, good.
    #[schemars(range(min = 1, max = 5))]
    pub score: u32,
    /// In the customer's words.
    #[serde(default)]
    pub comment: Option<String>,
    /// When it was given last.
    pub at: Timestamp,
}

/// A request for a human, as stored.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    /// The side that asked.
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
    /// The generation of the member who claimed it, at that moment; none if a key did.
    pub claimed_generation: Option<u64>,
    /// When the claim ends unless the agent works; none while it is put off or answered.
    pub lease_expires_at: Option<Timestamp>,
    /// The agent who has it wrote last: the claim ends by no time until the customer writes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub answered: bool,
    /// The agent who had it before it went back to the queue, or had the part to which the customer came back.
    pub former_agent: Option<AgentRef>,
    /// Why it waits again; none once it is claimed.
    pub release_reason: Option<ReleaseReason>,
    /// Until when the agent put it off.
    pub snoozed_until: Option<Timestamp>,
    /// Until when it was put off, if that ended early: by a message, an act, a transfer or a release.
    pub was_snoozed_until: Option<Timestamp>,
    /// When the tenant is told that nobody has taken it; none if it was told, or somebody did.
    pub notice_due_at: Option<Timestamp>,
    /// When the tenant was told.
    pub noticed_at: Option<Timestamp>,
    /// When the agent first wrote.
    pub first_response_at: Option<Timestamp>,
    /// The customer's rating.
    pub rating: Option<Rating>,
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
    /// The last words, in short.
    pub last_words: Option<LastWords>,
    /// The visitor.
    pub customer_external_user_id: Option<String>,
    /// The visitor's name.
    pub customer_name: Option<String>,
    /// Whether the tenant vouches for the visitor.
    #[serde(default, skip_serializing_if = "is_default")]
    pub customer_verified: bool,
    /// The tags of its session.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
    /// Claims that an agent ended by resolving it, and that were ended before it was reopened.
    #[serde(default, skip_serializing_if = "is_default")]
    pub earlier_parts: u32,
    /// How long they took together, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub earlier_parts_ms: i64,
    /// Counts every change.
    pub version: u64,
}

/// The lease of a claim whose customer waits and whose agent does nothing, in milliseconds: 30 minutes.
const LEASE_MS: i64 = 30 * 60_000;
/// How long a customer who writes again waits for the agent who answered before, in milliseconds: 15 minutes.
const ANSWERED_LEASE_MS: i64 = 15 * 60_000;

impl Escalation {
    /// Whether no agent has taken it yet.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.status == EscalationStatus::Pending
    }

    /// When it is due: the end of the lease, or of the time for which it is put off; while it waits the notice that it does.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        match self.status {
            EscalationStatus::Pending => self.notice_due_at,
            EscalationStatus::Claimed | EscalationStatus::Resolved | EscalationStatus::Closed => {
                self.lease_expires_at.or(self.snoozed_until)
            }
        }
    }

    /// When a lease ends that begins at `now`.
    #[must_use]
    pub fn lease_from(now: Timestamp) -> Timestamp {
        now.plus_millis(LEASE_MS)
    }

    /// When the lease ends of a claim that is answered or put off, and whose customer writes at `now`.
    #[must_use]
    pub fn lease_after_message(now: Timestamp) -> Timestamp {
        now.plus_millis(ANSWERED_LEASE_MS)
    }

    /// Keeps the claim for its agent: by a new lease while the customer waits, by no time once they are answered. One
    /// that was put off is so no longer.
    pub fn renew_lease(&mut self, now: Timestamp) {
        self.end_lease(now);
        self.lease_expires_at = (!self.answered).then(|| Self::lease_from(now));
    }

    /// Records that the agent wrote to the customer: the claim ends by no time until the customer writes.
    pub fn answer(&mut self, now: Timestamp) {
        self.answered = true;
        self.renew_lease(now);
    }

    /// Puts the claim off; its lease waits.
    pub fn snooze(&mut self, until: Timestamp) {
        (self.lease_expires_at, self.was_snoozed_until) = (None, None);
        self.snoozed_until = Some(until);
    }

    /// Ends the claim's lease, put off or not.
    pub fn end_lease(&mut self, now: Timestamp) {
        self.lease_expires_at = None;
        if let Some(until) = self.snoozed_until.take() {
            self.was_snoozed_until = Some(until).filter(|until| *until > now);
        }
    }

    /// How long the agent had it whose resolving or handing back ended it, in milliseconds.
    #[must_use]
    pub fn last_part_ms(&self) -> Option<i64> {
        let ended = match self.outcome {
            Some(EscalationOutcome::Resolved) => self.resolved_at,
            Some(EscalationOutcome::HandedBack) => self.closed_at,
            Some(EscalationOutcome::Cancelled | EscalationOutcome::Expired) | None => None,
        };
        let (ended, claimed) = ended.zip(self.claimed_at)?;
        Some(ended.millis_since(claimed).max(0))
    }

    /// The start of its human part, as far as it is known; none if nobody came.
    #[must_use]
    pub fn human_part_began_at(&self) -> Option<Timestamp> {
        self.claimed_at.or(self.first_response_at)
    }

    /// When it ended, however it did.
    #[must_use]
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.resolved_at.or(self.closed_at)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_escalations_allows_exactly_what_the_contract_lists() {
        use EscalationAction as A;
        use EscalationStatus as S;
        let allowed = [
            (S::Pending, A::Takeover, S::Claimed),
            (S::Claimed, A::Transfer, S::Claimed),
            (S::Claimed, A::Resolve, S::Resolved),
            (S::Resolved, A::Reopen, S::Claimed),
            (S::Claimed, A::Handback, S::Closed),
            (S::Claimed, A::Release, S::Pending),
            (S::Pending, A::Cancel, S::Closed),
        ];
        for &from in S::ALL {
            for action in [A::Takeover, A::Transfer, A::Resolve, A::Reopen, A::Handback, A::Release, A::Cancel] {
                let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
                assert_eq!(from.after(action), expected, "{from} {action:?}");
            }
        }
    }
}
