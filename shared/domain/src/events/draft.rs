//! What the rules tell of a change.

use serde_json::{Map, Value};

use crate::models::{EventKind, Timestamp};

/// What a rule tells; the change makes an event of it.
pub(super) struct EventDraft {
    pub(super) kind: EventKind,
    pub(super) at: Timestamp,
    pub(super) data: Map<String, Value>,
    pub(super) previous: Option<Map<String, Value>>,
}
