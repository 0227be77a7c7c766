//! From a change to events, as a pure function: nothing is emitted that did not commit, and a repeated read emits the
//! same.
//!
//! [`events_of`] applies the `rules`, one function for each kind of thing. `difference` finds what a change replaced.
//! `payload` makes the bytes that receivers get. The rules in short:
//!
//! - Internal notes emit no event. Neither does a change of bookkeeping (a renewed lease, a due time, a retry of the
//!   index) or a change without effect.
//! - `message.created` is emitted for turns of customers, the AI and agents. System turns accompany a change of hands,
//!   for which `session.…` and `handover.…` are emitted.
//! - `data` is the resource after the change, as in [`crate::wire`]; turns also have their `sessionId`. `previous` has
//!   the old values of the changed fields, `null` if there was none.
//! - `answer.unanswered` also has the customer's `question`. That is another turn, so the sender of the event reads it
//!   from the table and sets it.
//! - A deleted entry is `{path, version, deletedAt}`, and its old values are in `previous`.

mod data;
mod described;
mod difference;
mod disclosure;
mod draft;
mod payload;
mod rules;
mod slack;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::change::{Change, Subject};
use crate::models::{EventId, EventKind, OutgoingEvent, Scope, SessionId, Timestamp};

use draft::EventDraft;
pub use payload::{Envelope, MAX_BYTES};

/// An event for the subscribers of its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The same on every retry, for every receiver, and whenever the change is read again.
    pub id: EventId,
    /// The kind of the event.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The tenant and mode.
    pub scope: Scope,
    /// The resource after the change.
    pub data: Map<String, Value>,
    /// The old values of what changed; none if the thing is new.
    pub previous: Option<Map<String, Value>>,
}

impl From<&Event> for OutgoingEvent {
    fn from(event: &Event) -> Self {
        Self {
            event_id: event.id.clone(),
            kind: event.kind,
            at: event.at,
            session_id: event.data.get("sessionId").and_then(Value::as_str).and_then(SessionId::parse),
            body: String::from_utf8_lossy(&event.payload()).into_owned(),
        }
    }
}

/// The events of a change, in order: at most two, of different kinds.
#[must_use]
pub fn events_of(change: &Change) -> Vec<Event> {
    let draft = match &change.subject {
        Subject::Session { old, new } => rules::session(old.as_ref(), new.as_ref()),
        Subject::Turn { session_id, old, new } => rules::turn(session_id, old.as_ref(), new.as_ref(), change.at),
        Subject::Escalation { old, new } => rules::escalation(old.as_ref(), new.as_ref(), change.at),
        Subject::Entry { path, old, new } => rules::entry(path, old, new, change.at),
        Subject::Webhook { old, new } => rules::webhook(old.as_ref(), new.as_ref()),
        Subject::IngestJob { old, new } => rules::ingest_job(old.as_ref(), new.as_ref(), change.at),
        Subject::Settings { .. } => Vec::new(),
    };
    draft.into_iter().map(|draft| event(draft, change)).collect()
}

fn event(draft: EventDraft, change: &Change) -> Event {
    let EventDraft { kind, at, data, previous } = draft;
    Event { id: event_id(&change.record_id, kind, at), kind, at, scope: change.scope.clone(), data, previous }
}

/// The ULID of the change's time and of a hash of (stream record, kind): one record may emit two kinds of events, and a
/// replay gives the same ids.
fn event_id(record_id: &str, kind: EventKind, at: Timestamp) -> EventId {
    let digest = Sha256::digest(format!("{record_id}\n{kind}"));
    let random = digest.iter().take(16).fold(0u128, |bits, byte| (bits << 8) | u128::from(*byte));
    EventId::from_parts(at, random)
}
