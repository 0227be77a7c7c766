//! Runs of background agents, as reported by `GET /health`.

use super::{Timestamp, wire_enum};

wire_enum! {
    /// The agent.
    pub enum AgentName {
        /// Answers customers.
        Answer => "answer",
        /// Makes wiki entries of pages and texts.
        Ingest => "ingest",
        /// Brings what follows from a change to where it belongs, the wiki index first.
        Indexer => "indexer",
        /// Delivers events.
        Webhooks => "webhooks",
        /// Handles due items.
        Sweeper => "sweeper",
    }
}

/// One run of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRun {
    /// The agent that ran.
    pub agent: AgentName,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// The error, in public words.
    pub error: Option<String>,
}
