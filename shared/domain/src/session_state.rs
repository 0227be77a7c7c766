//! The states of a session, each with its owner, and the table of how one follows another.

use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::is_default;
use crate::models::{EscalationId, Timestamp};

wire_enum! {
    /// The owner of a session: who answers the customer.
    pub enum Ownership {
        /// The AI.
        Ai => "ai",
        /// Nobody yet: the customer waits for a human, and the AI is silent.
        PendingHandover => "pending_handover",
        /// A human.
        Human => "human",
        /// Nobody: the session is closed.
        Closed => "closed",
    }
}

wire_enum! {
    /// Why a session was closed.
    pub enum ClosedReason {
        /// An agent resolved it.
        Resolved => "resolved",
        /// No activity for `resumeWindowHours`.
        Idle => "idle",
        /// A human was awaited for 14 days.
        Expired => "expired",
    }
}

/// The owner of a session, with what it has in that state alone. It is stored flat, among the session's other fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ownership", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum SessionState {
    /// The AI answers.
    Ai {
        /// An answer to the customer is pending, recorded in the transaction that made it so.
        #[serde(default, skip_serializing_if = "is_default")]
        answer_due: bool,
    },
    /// The customer waits for a human, and the AI is silent.
    PendingHandover {
        /// The open request for a human.
        escalation_id: EscalationId,
    },
    /// A human answers.
    Human {
        /// The open request for a human.
        escalation_id: EscalationId,
        /// The agent put it off: the next message of the customer ends that.
        #[serde(default, skip_serializing_if = "is_default")]
        snoozed: bool,
    },
    /// Nobody answers.
    Closed(Closing),
}

/// The end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// When it was closed.
    #[serde(rename = "closedAt")]
    pub at: Timestamp,
    /// Why.
    #[serde(rename = "closedReason")]
    pub reason: ClosedReason,
    /// Until when it can be resumed.
    pub resumable_until: Timestamp,
}

/// The transitions of a session; each changes who owns it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionAction {
    /// The caller or the AI asks for a human, by this request.
    Escalate(EscalationId),
    /// A human takes over.
    Takeover,
    /// The customer no longer wants a human.
    Cancel,
    /// The human gives the session back to the AI.
    Handback,
    /// The human gives the session back to the queue.
    Release,
    /// The human is done.
    Resolve,
    /// A human takes over from the AI, unasked, by this request of their own.
    StepIn(EscalationId),
    /// A human takes up again this request, which was resolved.
    Reopen(EscalationId),
    /// No activity for `resumeWindowHours`.
    Idle,
    /// No agent came for 14 days.
    Expire,
    /// The customer returns.
    Resume,
}

impl SessionState {
    /// The AI answers, and owes none.
    pub const AI: Self = Self::Ai { answer_due: false };

    /// The owner of a session in this state.
    #[must_use]
    pub const fn ownership(&self) -> Ownership {
        match self {
            Self::Ai { .. } => Ownership::Ai,
            Self::PendingHandover { .. } => Ownership::PendingHandover,
            Self::Human { .. } => Ownership::Human,
            Self::Closed(_) => Ownership::Closed,
        }
    }

    /// The state table; `None` if the transition is not allowed. A session that is closed at `now` can be resumed
    /// until `resumable_until`. A closed session is resumed and reopened inside its window alone, and one that is the
    /// AI's is reopened only after it was resumed, and without another escalation since
    /// ([`crate::models::Session::may_reopen`]).
    #[must_use]
    pub fn after(&self, action: &SessionAction, now: Timestamp, resumable_until: Timestamp) -> Option<Self> {
        use SessionAction as A;
        let pending = |id: &EscalationId| Some(Self::PendingHandover { escalation_id: id.clone() });
        let human = |id: &EscalationId| Some(Self::Human { escalation_id: id.clone(), snoozed: false });
        let closed = |reason| Some(Self::Closed(Closing { at: now, reason, resumable_until }));
        match (self, action) {
            (Self::Ai { .. }, A::Escalate(id)) | (Self::Human { escalation_id: id, .. }, A::Release) => pending(id),
            (Self::PendingHandover { escalation_id: id }, A::Takeover)
            | (Self::Ai { .. }, A::StepIn(id) | A::Reopen(id))
            | (Self::Closed(_), A::Reopen(id)) => human(id),
            (Self::PendingHandover { .. }, A::Cancel)
            | (Self::Human { .. }, A::Handback)
            | (Self::Closed(_), A::Resume) => Some(Self::AI),
            (Self::Human { .. }, A::Resolve) => closed(ClosedReason::Resolved),
            (Self::Ai { .. }, A::Idle) => closed(ClosedReason::Idle),
            (Self::PendingHandover { .. }, A::Expire) => closed(ClosedReason::Expired),
            (
                Self::Ai { .. },
                A::Takeover | A::Cancel | A::Handback | A::Release | A::Resolve | A::Expire | A::Resume,
            )
            | (
                Self::PendingHandover { .. },
                A::Escalate(_)
                | A::Handback
                | A::Release
                | A::Resolve
                | A::StepIn(_)
                | A::Reopen(_)
                | A::Idle
                | A::Resume,
            )
            | (
                Self::Human { .. },
                A::Escalate(_)
                | A::Takeover
                | A::Cancel
                | A::StepIn(_)
                | A::Reopen(_)
                | A::Idle
                | A::Expire
                | A::Resume,
            )
            | (
                Self::Closed(_),
                A::Escalate(_)
                | A::Takeover
                | A::Cancel
                | A::Handback
                | A::Release
                | A::Resolve
                | A::StepIn(_)
                | A::Idle
                | A::Expire,
            ) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_767_323_045_678);

    fn states() -> [SessionState; 4] {
        let escalation_id = EscalationId::from_parts(AT, 1);
        [
            SessionState::AI,
            SessionState::PendingHandover { escalation_id: escalation_id.clone() },
            SessionState::Human { escalation_id, snoozed: false },
            SessionState::Closed(Closing { at: AT, reason: ClosedReason::Resolved, resumable_until: AT }),
        ]
    }

    #[test]
    fn the_table_of_states_allows_exactly_what_the_contract_lists() {
        use Ownership as O;
        use SessionAction as A;
        let id = || EscalationId::from_parts(AT, 2);
        let actions = [
            A::Escalate(id()),
            A::Takeover,
            A::Cancel,
            A::Handback,
            A::Release,
            A::Resolve,
            A::StepIn(id()),
            A::Reopen(id()),
            A::Idle,
            A::Expire,
            A::Resume,
        ];
        let allowed = [
            (O::Ai, A::Escalate(id()), O::PendingHandover),
            (O::PendingHandover, A::Takeover, O::Human),
            (O::PendingHandover, A::Cancel, O::Ai),
            (O::Human, A::Handback, O::Ai),
            (O::Human, A::Release, O::PendingHandover),
            (O::Human, A::Resolve, O::Closed),
            (O::Ai, A::StepIn(id()), O::Human),
            (O::Closed, A::Reopen(id()), O::Human),
            (O::Ai, A::Reopen(id()), O::Human),
            (O::Ai, A::Idle, O::Closed),
            (O::PendingHandover, A::Expire, O::Closed),
            (O::Closed, A::Resume, O::Ai),
        ];
        for from in states() {
            for action in &actions {
                let expected = allowed.iter().find(|(f, a, _)| *f == from.ownership() && a == action);
                let after = from.after(action, AT, AT).map(|state| state.ownership());
                assert_eq!(after, expected.map(|(.., to)| *to), "{from:?} {action:?}");
            }
        }
    }

    #[test]
    fn a_state_reads_as_it_was_stored_and_needs_its_own_fields() {
        for state in states() {
            let stored = serde_json::to_value(&state).unwrap();
            assert_eq!(serde_json::from_value::<SessionState>(stored.clone()).unwrap(), state);
            for field in stored.as_object().unwrap().keys() {
                let mut without = stored.clone();
                without.as_object_mut().unwrap().remove(field);
                assert!(serde_json::from_value::<SessionState>(without).is_err(), "{field}");
            }
        }
    }
}
