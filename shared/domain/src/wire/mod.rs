//! Resources as callers read them: the JSON in responses of several functions and in events.
//!
//! Each is made from its model for a [`Viewer`]. A field that the viewer may not see is left out.

mod delivery;
mod draft;
mod entry;
mod escalation;
mod ingest;
mod saved_reply;
mod session;
mod turn;
mod webhook;

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::Principal;
use crate::models::AgentRef;

pub use delivery::DeliveryOut;
pub use draft::DraftOut;
pub use entry::EntryOut;
pub use escalation::EscalationOut;
pub use ingest::IngestOut;
pub use saved_reply::SavedReplyOut;
pub use session::SessionOut;
pub use turn::{SourceOut, TurnOut};
pub use webhook::{ReceiverOut, WebhookOut, WebhookWarning};

/// The parts that the reader may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    /// Turns that are internal notes, and how many there are.
    pub internal_notes: bool,
    /// The ids of agents; without them the names alone.
    pub agent_ids: bool,
    /// The keys and ingest jobs that wrote entries, and the page that they came from.
    pub authors: bool,
    /// Answers that stand on internal entries, and their sources.
    pub internal_entries: bool,
    /// Tags and metadata that keys set; without them those that the widget sent.
    pub staff_details: bool,
}

impl Viewer {
    /// A receiver of webhooks: internal notes are in no event.
    pub const EVENT: Self =
        Self { internal_notes: false, agent_ids: true, authors: true, internal_entries: true, staff_details: true };

    /// The caller of a request; a widget as if the tenant showed it public entries alone.
    #[must_use]
    pub fn of(caller: &Principal) -> Self {
        let key = caller.widget().is_none();
        Self {
            internal_notes: caller.sees_internal_notes(),
            agent_ids: key,
            authors: key,
            internal_entries: key,
            staff_details: key,
        }
    }
}

/// A person of the tenant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Agent")]
pub struct AgentOut {
    /// As the caller named them, or the key; for keys only.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl AgentOut {
    fn new(agent: AgentRef, viewer: Viewer) -> Self {
        Self { id: viewer.agent_ids.then_some(agent.id), name: agent.name }
    }
}
