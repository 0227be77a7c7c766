//! Resources as callers see them: the JSON that several functions answer with and that events carry.
//!
//! Each is made of its model for a [`Viewer`]; a field that a viewer may not see is never filled in.

mod entry;
mod escalation;
mod session;
mod turn;

use serde::Serialize;

use crate::auth::Principal;
use crate::models::AgentRef;

pub use entry::EntryOut;
pub use escalation::EscalationOut;
pub use session::SessionOut;
pub use turn::TurnOut;

/// What whoever reads may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    /// Turns that are internal notes, and how many there are.
    pub internal_notes: bool,
    /// The ids of agents; without them the names alone.
    pub agent_ids: bool,
}

impl Viewer {
    /// A receiver of webhooks: internal notes are in no event.
    pub const EVENT: Self = Self { internal_notes: false, agent_ids: true };

    /// The caller of a request.
    #[must_use]
    pub const fn of(caller: &Principal) -> Self {
        Self { internal_notes: caller.sees_internal_notes(), agent_ids: caller.widget().is_none() }
    }
}

/// A person of the tenant.
#[derive(Debug, Clone, Serialize)]
pub struct AgentOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl AgentOut {
    fn new(agent: AgentRef, viewer: Viewer) -> Self {
        Self { id: viewer.agent_ids.then_some(agent.id), name: agent.name }
    }
}
