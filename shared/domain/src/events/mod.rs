//! From a change to events, as a pure function: nothing is emitted that did not commit, and a repeated read emits the
//! same. [`payload`] makes the bytes that receivers get.
//!
//! [`events_of`] has one function of rules for each kind of thing. In short:
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

mod payload;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::change::{Change, EntryState, Subject};
use crate::models::{
    Escalation, EscalationOutcome, EscalationStatus, EventId, EventKind, IngestJob, IngestStatus, Reaction, Scope,
    Session, SessionId, Timestamp, Turn, TurnBody, Webhook, WikiEntry, WikiPath,
};
use crate::wire::{EntryOut, EscalationOut, IngestOut, ReceiverOut, SessionOut, TurnOut, Viewer};

pub use payload::{Envelope, MAX_BYTES};

/// The fields of a JSON object.
type Fields = Map<String, Value>;

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
    pub data: Fields,
    /// The old values of what changed; none if the thing is new.
    pub previous: Option<Fields>,
}

/// The events of a change, in order: at most two, of different kinds.
#[must_use]
pub fn events_of(change: &Change) -> Vec<Event> {
    match &change.subject {
        Subject::Session { old, new } => Vec::from_iter(session_event(change, old.as_ref(), new.as_ref())),
        Subject::Turn { session_id, old, new } => turn_events(change, session_id, old.as_ref(), new.as_ref()),
        Subject::Escalation { old, new } => escalation_events(change, old.as_ref(), new.as_ref()),
        Subject::Entry { path, old, new } => Vec::from_iter(entry_event(change, path, old, new)),
        Subject::Webhook { old, new } => Vec::from_iter(webhook_event(change, old.as_ref(), new.as_ref())),
        Subject::IngestJob { old, new } => Vec::from_iter(ingest_event(change, old.as_ref(), new.as_ref())),
        Subject::Settings { .. } => Vec::new(),
    }
}

/// A session is created, closed and resumed; changes of ownership in between are events of its escalation.
fn session_event(change: &Change, old: Option<&Session>, new: Option<&Session>) -> Option<Event> {
    let new = new?;
    let (kind, at) = match (old.map(Session::closing), new.closing()) {
        (None, _) => (EventKind::SessionCreated, new.created_at),
        (Some(None), Some(closing)) => (EventKind::SessionClosed, closing.at),
        (Some(Some(_)), None) => (EventKind::SessionResumed, new.updated_at),
        (Some(None), None) | (Some(Some(_)), Some(_)) => return None,
    };
    let data_of = |session: &Session| fields(&SessionOut::new(session.clone(), Viewer::EVENT));
    Some(event(change, kind, at, old.map(data_of), data_of(new)))
}

/// A turn is said once; afterwards only its reactions are news.
fn turn_events(change: &Change, session: &SessionId, old: Option<&Turn>, new: Option<&Turn>) -> Vec<Event> {
    let Some(new) = new.filter(|turn| !turn.is_internal()) else { return Vec::new() };
    match old {
        None => message_events(change, session, new),
        Some(old) => Vec::from_iter(reaction_event(change, session, old, new)),
    }
}

fn message_events(change: &Change, session: &SessionId, turn: &Turn) -> Vec<Event> {
    let is_unanswered = match &turn.body {
        TurnBody::Ai(ai) => ai.unanswered,
        TurnBody::Customer(_) | TurnBody::Agent(_) => false,
        TurnBody::System(_) => return Vec::new(),
    };
    let data = turn_data(session, turn);
    let said = event(change, EventKind::MessageCreated, turn.created_at, None, fields(&data));
    let unanswered = is_unanswered.then(|| {
        let data = fields(&UnansweredData { turn: data, question: None });
        event(change, EventKind::AnswerUnanswered, turn.created_at, None, data)
    });
    std::iter::once(said).chain(unanswered).collect()
}

fn reaction_event(change: &Change, session: &SessionId, old: &Turn, new: &Turn) -> Option<Event> {
    let known = &old.ai()?.reactions;
    let reaction = *new.ai()?.reactions.iter().rfind(|reaction| !known.contains(reaction))?;
    let (before, after) = (turn_data(session, old), turn_data(session, new));
    let at = change.at.max(new.created_at);
    let of_turn = event(change, EventKind::ReactionCreated, at, Some(fields(&before)), fields(&after));
    Some(Event { data: fields(&ReactionData { turn: after, reaction }), ..of_turn })
}

fn turn_data(session: &SessionId, turn: &Turn) -> TurnData {
    TurnData { turn: TurnOut::new(turn.clone(), Viewer::EVENT), session_id: session.clone() }
}

/// An escalation changes its status, or its agent, or is rated. A renewed lease, a recorded first response, and a snooze
/// are no event.
fn escalation_events(change: &Change, old: Option<&Escalation>, new: Option<&Escalation>) -> Vec<Event> {
    let Some(new) = new else { return Vec::new() };
    let moved = moving(old, new, change.at);
    let told = old.into_iter().flat_map(|old| waiting(old, new).into_iter().chain(rating(old, new)));
    let data_of = |escalation: &Escalation| fields(&EscalationOut::from(escalation.clone()));
    let event_of = |(kind, at)| event(change, kind, at, old.map(data_of), data_of(new));
    moved.into_iter().chain(told).map(event_of).collect()
}

/// A customer has waited as long as the tenant wants to be told of.
fn waiting(old: &Escalation, new: &Escalation) -> Option<(EventKind, Timestamp)> {
    let at = new.noticed_at.filter(|_| old.noticed_at.is_none())?;
    Some((EventKind::HandoverWaiting, at))
}

fn rating(old: &Escalation, new: &Escalation) -> Option<(EventKind, Timestamp)> {
    let rating = new.rating.as_ref().filter(|rating| old.rating.as_ref() != Some(rating))?;
    Some((EventKind::RatingCreated, rating.at))
}

fn moving(old: Option<&Escalation>, new: &Escalation, at: Timestamp) -> Option<(EventKind, Timestamp)> {
    let later = at.max(new.created_at);
    Some(match (old.map(|old| old.status), new.status) {
        (Some(EscalationStatus::Claimed), EscalationStatus::Claimed)
            if old.is_some_and(|old| is_transferred(old, new)) =>
        {
            (EventKind::HandoverTransferred, later)
        }
        (Some(before), after) if before == after => return None,
        // An agent who steps in claims what nobody asked for.
        (None, EscalationStatus::Claimed) => (EventKind::HandoverClaimed, new.created_at),
        (None, _) => (EventKind::HandoverRequested, new.created_at),
        (Some(EscalationStatus::Resolved), EscalationStatus::Claimed) => {
            (EventKind::HandoverReopened, new.claimed_at.unwrap_or(later))
        }
        (Some(_), EscalationStatus::Pending) => (EventKind::HandoverReleased, later),
        (Some(_), EscalationStatus::Claimed) => (EventKind::HandoverClaimed, new.claimed_at.unwrap_or(later)),
        (Some(_), EscalationStatus::Resolved) => (EventKind::HandoverResolved, new.resolved_at.unwrap_or(later)),
        (Some(_), EscalationStatus::Closed) => (closing_kind(new.outcome), new.closed_at.unwrap_or(later)),
    })
}

/// Whether one agent gave a claim to another.
fn is_transferred(old: &Escalation, new: &Escalation) -> bool {
    let agent = |escalation: &Escalation| escalation.claimed_by.as_ref().map(|agent| agent.id.clone());
    agent(old) != agent(new)
}

/// How a closed escalation ended; without an outcome it was cancelled.
const fn closing_kind(outcome: Option<EscalationOutcome>) -> EventKind {
    match outcome {
        Some(EscalationOutcome::HandedBack) => EventKind::HandoverReturned,
        Some(EscalationOutcome::Resolved) => EventKind::HandoverResolved,
        Some(EscalationOutcome::Cancelled | EscalationOutcome::Expired) | None => EventKind::HandoverCancelled,
    }
}

/// A job ends, successfully or not; a retried one ends again.
fn ingest_event(change: &Change, old: Option<&IngestJob>, new: Option<&IngestJob>) -> Option<Event> {
    let new = new.filter(|new| old.is_none_or(|old| old.status != new.status))?;
    let kind = match new.status {
        IngestStatus::Completed => EventKind::IngestCompleted,
        IngestStatus::Failed => EventKind::IngestFailed,
        IngestStatus::Queued | IngestStatus::Running => return None,
    };
    let at = new.finished_at.unwrap_or(change.at.max(new.created_at));
    let data_of = |job: &IngestJob| fields(&IngestOut::from(job.clone()));
    Some(event(change, kind, at, old.map(data_of), data_of(new)))
}

/// An entry is made, changed and deleted; if a tombstone was before, it is made.
fn entry_event(change: &Change, path: &WikiPath, old: &EntryState, new: &EntryState) -> Option<Event> {
    let data_of = |entry: &WikiEntry| fields(&EntryOut::new(entry.clone(), Viewer::EVENT));
    let (kind, at, data) = match (&old.entry, &new.entry) {
        (before, after) if before == after => return None,
        (None, Some(after)) => (EventKind::EntryCreated, after.updated_at, data_of(after)),
        (Some(_), Some(after)) => (EventKind::EntryUpdated, after.updated_at, data_of(after)),
        (_, None) => {
            let deleted_at = new.deleted_at.unwrap_or(change.at);
            let left = DeletedEntryData { path, version: new.version, deleted_at };
            (EventKind::EntryDeleted, deleted_at, fields(&left))
        }
    };
    Some(event(change, kind, at, old.entry.as_ref().map(data_of), data))
}

/// A receiver is disabled, by a caller or by failures: `disabledReason` says which. Its own deliveries are held from
/// then on.
fn webhook_event(change: &Change, old: Option<&Webhook>, new: Option<&Webhook>) -> Option<Event> {
    let (old, new) = (old?, new?);
    let data_of = |webhook: &Webhook| fields(&ReceiverOut::from(webhook.clone()));
    let at = new.disabled_at.unwrap_or(new.updated_at);
    (old.is_active() && !new.is_active())
        .then(|| event(change, EventKind::WebhookDisabled, at, Some(data_of(old)), data_of(new)))
}

fn event(change: &Change, kind: EventKind, at: Timestamp, before: Option<Fields>, data: Fields) -> Event {
    let previous = before.map(|before| difference(&before, &data));
    Event { id: event_id(&change.record_id, kind, at), kind, at, scope: change.scope.clone(), data, previous }
}

/// The ULID of the change's time and of a hash of (stream record, kind): one record may emit two kinds of events, and a
/// replay gives the same ids.
fn event_id(record_id: &str, kind: EventKind, at: Timestamp) -> EventId {
    let digest = Sha256::digest(format!("{record_id}\n{kind}"));
    let random = digest.iter().take(16).fold(0u128, |bits, byte| (bits << 8) | u128::from(*byte));
    EventId::from_parts(at, random)
}

/// A resource as the fields of its JSON object.
fn fields<T: Serialize>(resource: &T) -> Fields {
    match serde_json::to_value(resource) {
        Ok(Value::Object(fields)) => fields,
        // Resources are structs with text keys.
        _ => Map::new(),
    }
}

/// The old values of the fields that differ; `null` for those that were not there.
fn difference(old: &Fields, new: &Fields) -> Fields {
    let changed = old.iter().filter(|(name, value)| new.get(*name) != Some(value));
    let mut previous: Fields = changed.map(|(name, value)| (name.clone(), value.clone())).collect();
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        previous.insert(name.clone(), Value::Null);
    }
    previous
}

/// A turn, with its conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EventTurn")]
struct TurnData {
    #[serde(flatten)]
    turn: TurnOut,
    /// The conversation.
    session_id: SessionId,
}

/// An answer, with its conversation and the customer's question.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "UnansweredTurn")]
struct UnansweredData {
    #[serde(flatten)]
    turn: TurnData,
    /// The customer's question; of several those that have no answer, joined by blank lines. Null where the session was
    /// deleted meanwhile.
    question: Option<String>,
}

/// An answer, with its conversation and the reaction that is new.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "TurnWithReaction")]
struct ReactionData {
    #[serde(flatten)]
    turn: TurnData,
    /// The reaction that is new.
    reaction: Reaction,
}

/// The rest of a deleted wiki entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeletedEntry")]
struct DeletedEntryData<'a> {
    /// Its name within the tenant and mode.
    path: &'a WikiPath,
    /// Counts every change of this path, the deletion too.
    version: u64,
    /// When it was deleted.
    deleted_at: Timestamp,
}
