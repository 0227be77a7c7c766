//! Resources as callers read them: the JSON in responses of several functions and in events.
//!
//! Each is made from its model for a [`Viewer`]. A field that the viewer may not see is left out.

pub use crate::draft::DraftOut;
pub use crate::escalation::EscalationOut;
pub use crate::ingest::IngestOut;
pub use crate::saved_reply::SavedReplyOut;
pub use crate::session_view::SessionOut;
pub use crate::turn::{SourceOut, TurnOut};
pub use crate::webhooks::delivery::DeliveryOut;
pub use crate::webhooks::{ReceiverOut, WebhookOut, WebhookWarning};
pub use crate::wiki::EntryOut;

/// The parts that the reader may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    /// Turns that are internal notes, and how many there are.
    pub internal_notes: bool,
    /// Answers that stand on internal entries, and their sources.
    pub internal_entries: bool,
    /// What the tenant's people and servers alone see: the ids of agents; the keys and ingest jobs that wrote entries, with
    /// the page that they came from; tags and metadata that keys set, in place of those that the widget sent.
    pub staff_details: bool,
}

impl Viewer {
    /// A receiver of webhooks: internal notes are in no event.
    pub const EVENT: Self = Self { internal_notes: false, internal_entries: true, staff_details: true };
}
