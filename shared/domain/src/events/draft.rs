//! The events that the rules derive from a change.

use serde_json::{Map, Value};

use crate::models::{EventKind, Timestamp};

/// The draft of an event by a rule; the change completes it.
pub(super) struct EventDraft {
    pub(super) kind: EventKind,
    pub(super) at: Timestamp,
    pub(super) data: Map<String, Value>,
    pub(super) previous: Option<Map<String, Value>>,
}
