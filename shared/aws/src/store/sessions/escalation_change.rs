//! The effect of a change of a session on its request for a human.

use domain::models::{Escalation, EscalationId, LastWords, Timestamp};

/// The change of the request for a human in the same transaction.
#[derive(Debug, Clone)]
pub enum EscalationChange {
    /// A new one.
    Create(Escalation),
    /// An existing one, still at `version`.
    Replace {
        /// The version it was read at.
        version: u64,
        /// The request after the change.
        after: Escalation,
    },
    /// The customer wrote while it was open; as good as any version of it.
    CustomerWrote {
        /// Which one.
        id: EscalationId,
        /// When.
        at: Timestamp,
        /// The last words from then on.
        words: Option<LastWords>,
        /// For a claim: when its lease ends if it has none.
        lease: Option<Timestamp>,
        /// The claim was put off, and is so no longer.
        wakes: bool,
    },
    /// The customer got another name, or was verified or no longer, while it was open; as good as any version of it.
    CustomerNamed {
        /// Which one.
        id: EscalationId,
        /// The name; none if it was cleared.
        name: Option<String>,
        /// Whether the tenant vouches for it.
        verified: bool,
    },
}
