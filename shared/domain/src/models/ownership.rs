//! Who owns a session, and the state machine of that.

use super::wire_enum;

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

/// The transitions of a session; each changes who owns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionAction {
    /// The caller or the AI asks for a human.
    Escalate,
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
    /// A human takes over from the AI, unasked.
    StepIn,
    /// A human takes up again what was resolved.
    Reopen,
    /// No activity for `resumeWindowHours`.
    Idle,
    /// No agent came for 14 days.
    Expire,
    /// The customer returns.
    Resume,
}

impl SessionAction {
    /// Every action.
    pub const ALL: [Self; 11] = [
        Self::Escalate,
        Self::Takeover,
        Self::Cancel,
        Self::Handback,
        Self::Release,
        Self::Resolve,
        Self::StepIn,
        Self::Reopen,
        Self::Idle,
        Self::Expire,
        Self::Resume,
    ];
}

impl Ownership {
    /// The state table of the ownership; `None` if the transition is not allowed. A closed session is resumed and
    /// reopened inside its window alone, and one that is the AI's is reopened only after it was resumed, and without
    /// another escalation since ([`super::Session::may_reopen`]).
    #[must_use]
    pub const fn after(self, action: SessionAction) -> Option<Self> {
        use SessionAction as A;
        match (self, action) {
            (Self::Ai, A::Escalate) | (Self::Human, A::Release) => Some(Self::PendingHandover),
            (Self::PendingHandover, A::Takeover) | (Self::Ai, A::StepIn | A::Reopen) | (Self::Closed, A::Reopen) => {
                Some(Self::Human)
            }
            (Self::PendingHandover, A::Cancel) | (Self::Human, A::Handback) | (Self::Closed, A::Resume) => {
                Some(Self::Ai)
            }
            (Self::Human, A::Resolve) | (Self::Ai, A::Idle) | (Self::PendingHandover, A::Expire) => Some(Self::Closed),
            (Self::Ai, A::Takeover | A::Cancel | A::Handback | A::Release | A::Resolve | A::Expire | A::Resume)
            | (
                Self::PendingHandover,
                A::Escalate | A::Handback | A::Release | A::Resolve | A::StepIn | A::Reopen | A::Idle | A::Resume,
            )
            | (
                Self::Human,
                A::Escalate | A::Takeover | A::Cancel | A::StepIn | A::Reopen | A::Idle | A::Expire | A::Resume,
            )
            | (
                Self::Closed,
                A::Escalate
                | A::Takeover
                | A::Cancel
                | A::Handback
                | A::Release
                | A::Resolve
                | A::StepIn
                | A::Idle
                | A::Expire,
            ) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_ownership_allows_exactly_what_the_contract_lists() {
        use Ownership as O;
        use SessionAction as A;
        let allowed = [
            (O::Ai, A::Escalate, O::PendingHandover),
            (O::PendingHandover, A::Takeover, O::Human),
            (O::PendingHandover, A::Cancel, O::Ai),
            (O::Human, A::Handback, O::Ai),
            (O::Human, A::Release, O::PendingHandover),
            (O::Human, A::Resolve, O::Closed),
            (O::Ai, A::StepIn, O::Human),
            (O::Closed, A::Reopen, O::Human),
            (O::Ai, A::Reopen, O::Human),
            (O::Ai, A::Idle, O::Closed),
            (O::PendingHandover, A::Expire, O::Closed),
            (O::Closed, A::Resume, O::Ai),
        ];
        for &from in O::ALL {
            for action in A::ALL {
                let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
                assert_eq!(from.after(action), expected, "{from} {action:?}");
            }
        }
    }
}
