//! The owner of a session.

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
