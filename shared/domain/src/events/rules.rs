//! Makes events of changes: one function for each kind of thing, over all states before and after.

use serde_json::{Map, Value};

use super::data::{DeletedEntryData, ReactionData, TurnData, UnansweredData};
use super::difference::{difference, fields};
use super::draft::EventDraft;
use crate::change::EntryState;
use crate::models::{
    Escalation, EscalationOutcome, EscalationStatus, EventKind, IngestJob, IngestStatus, Reaction, Session, SessionId,
    Timestamp, Turn, TurnBody, Webhook, WikiEntry, WikiPath,
};
use crate::wire::{EntryOut, EscalationOut, IngestOut, ReceiverOut, SessionOut, TurnOut, Viewer};

/// A session is created, closed and resumed; changes of ownership in between are events of its escalation.
pub(super) fn session(old: Option<&Session>, new: Option<&Session>) -> Vec<EventDraft> {
    let Some(new) = new else { return Vec::new() };
    let (kind, at) = match (old.map(Session::closing), new.closing()) {
        (None, _) => (EventKind::SessionCreated, new.created_at),
        (Some(None), Some(closing)) => (EventKind::SessionClosed, closing.at),
        (Some(Some(_)), None) => (EventKind::SessionResumed, new.updated_at),
        (Some(None), None) | (Some(Some(_)), Some(_)) => return Vec::new(),
    };
    let data_of = |session: &Session| fields(&SessionOut::new(session.clone(), Viewer::EVENT));
    vec![draft(kind, at, old.map(data_of), data_of(new))]
}

/// A turn is said once; afterwards only its reactions are news.
pub(super) fn turn(session: &SessionId, old: Option<&Turn>, new: Option<&Turn>, at: Timestamp) -> Vec<EventDraft> {
    let Some(new) = new.filter(|turn| !turn.is_internal()) else { return Vec::new() };
    match old {
        None => message_events(session, new),
        Some(old) => reaction_event(session, old, new, at).into_iter().collect(),
    }
}

fn message_events(session: &SessionId, turn: &Turn) -> Vec<EventDraft> {
    let kinds: &[EventKind] = match &turn.body {
        TurnBody::Ai(ai) if ai.unanswered => &[EventKind::MessageCreated, EventKind::AnswerUnanswered],
        TurnBody::Customer(_) | TurnBody::Ai(_) | TurnBody::Agent(_) => &[EventKind::MessageCreated],
        TurnBody::System(_) => &[],
    };
    let data_of = |kind: &EventKind| match kind {
        EventKind::AnswerUnanswered => fields(&UnansweredData { turn: turn_data(session, turn), question: None }),
        _ => fields(&turn_data(session, turn)),
    };
    kinds.iter().map(|kind| draft(*kind, turn.created_at, None, data_of(kind))).collect()
}

fn reaction_event(session: &SessionId, old: &Turn, new: &Turn, at: Timestamp) -> Option<EventDraft> {
    let known = &old.ai()?.reactions;
    let reaction: &Reaction = new.ai()?.reactions.iter().rfind(|reaction| !known.contains(reaction))?;
    let (before, after) = (turn_data(session, old), turn_data(session, new));
    let previous = difference(&fields(&before), &fields(&after));
    let data = fields(&ReactionData { turn: after, reaction: *reaction });
    Some(EventDraft { kind: EventKind::ReactionCreated, at: at.max(new.created_at), data, previous: Some(previous) })
}

fn turn_data(session: &SessionId, turn: &Turn) -> TurnData {
    TurnData { turn: TurnOut::new(turn.clone(), Viewer::EVENT), session_id: session.clone() }
}

/// An escalation changes its status, or its agent, or is rated. A renewed lease, a recorded first response, and a snooze
/// are no event.
pub(super) fn escalation(old: Option<&Escalation>, new: Option<&Escalation>, at: Timestamp) -> Vec<EventDraft> {
    let Some(new) = new else { return Vec::new() };
    let moved = move_event(old, new, at);
    let told = old.into_iter().flat_map(|old| waiting_event(old, new).into_iter().chain(rating_event(old, new)));
    moved.into_iter().chain(told).collect()
}

/// A customer has waited as long as the tenant wants to be told of.
fn waiting_event(old: &Escalation, new: &Escalation) -> Option<EventDraft> {
    let at = new.noticed_at.filter(|_| old.noticed_at.is_none())?;
    let data_of = |escalation: &Escalation| fields(&EscalationOut::from(escalation.clone()));
    Some(draft(EventKind::HandoverWaiting, at, Some(data_of(old)), data_of(new)))
}

fn rating_event(old: &Escalation, new: &Escalation) -> Option<EventDraft> {
    let rating = new.rating.as_ref().filter(|rating| old.rating.as_ref() != Some(rating))?;
    let data_of = |escalation: &Escalation| fields(&EscalationOut::from(escalation.clone()));
    Some(draft(EventKind::RatingCreated, rating.at, Some(data_of(old)), data_of(new)))
}

fn move_event(old: Option<&Escalation>, new: &Escalation, at: Timestamp) -> Option<EventDraft> {
    let is_same_status = old.is_some_and(|old| old.status == new.status);
    if is_same_status && !old.is_some_and(|old| is_transferred(old, new)) {
        return None;
    }
    let later = at.max(new.created_at);
    let (kind, at) = match (old.map(|old| old.status), new.status) {
        // An agent who steps in claims what nobody asked for.
        (None, EscalationStatus::Claimed) => (EventKind::HandoverClaimed, new.created_at),
        (None, _) => (EventKind::HandoverRequested, new.created_at),
        (Some(EscalationStatus::Claimed), EscalationStatus::Claimed) => (EventKind::HandoverTransferred, later),
        (Some(EscalationStatus::Resolved), EscalationStatus::Claimed) => {
            (EventKind::HandoverReopened, new.claimed_at.unwrap_or(later))
        }
        (Some(_), EscalationStatus::Pending) => (EventKind::HandoverReleased, later),
        (Some(_), EscalationStatus::Claimed) => (EventKind::HandoverClaimed, new.claimed_at.unwrap_or(later)),
        (Some(_), EscalationStatus::Resolved) => (EventKind::HandoverResolved, new.resolved_at.unwrap_or(later)),
        (Some(_), EscalationStatus::Closed) => (closing_kind(new.outcome), new.closed_at.unwrap_or(later)),
    };
    let data_of = |escalation: &Escalation| fields(&EscalationOut::from(escalation.clone()));
    Some(draft(kind, at, old.map(data_of), data_of(new)))
}

/// Whether one agent gave a claim to another.
fn is_transferred(old: &Escalation, new: &Escalation) -> bool {
    let agent = |escalation: &Escalation| escalation.claimed_by.as_ref().map(|agent| agent.id.clone());
    new.status == EscalationStatus::Claimed && agent(old) != agent(new)
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
pub(super) fn ingest_job(old: Option<&IngestJob>, new: Option<&IngestJob>, at: Timestamp) -> Vec<EventDraft> {
    let Some(new) = new.filter(|new| old.is_none_or(|old| old.status != new.status)) else { return Vec::new() };
    let kind = match new.status {
        IngestStatus::Completed => EventKind::IngestCompleted,
        IngestStatus::Failed => EventKind::IngestFailed,
        IngestStatus::Queued | IngestStatus::Running => return Vec::new(),
    };
    let data_of = |job: &IngestJob| fields(&IngestOut::from(job.clone()));
    vec![draft(kind, new.finished_at.unwrap_or(at.max(new.created_at)), old.map(data_of), data_of(new))]
}

/// An entry is made, changed and deleted; if a tombstone was before, it is made.
pub(super) fn entry(path: &WikiPath, old: &EntryState, new: &EntryState, at: Timestamp) -> Vec<EventDraft> {
    let data_of = |entry: &WikiEntry| fields(&EntryOut::new(entry.clone(), Viewer::EVENT));
    match (&old.entry, &new.entry) {
        (None, None) => Vec::new(),
        (Some(before), Some(after)) if before == after => Vec::new(),
        (None, Some(after)) => {
            vec![draft(EventKind::EntryCreated, after.updated_at, None, data_of(after))]
        }
        (Some(before), Some(after)) => {
            vec![draft(EventKind::EntryUpdated, after.updated_at, Some(data_of(before)), data_of(after))]
        }
        (Some(before), None) => {
            let deleted_at = new.deleted_at.unwrap_or(at);
            let left = fields(&DeletedEntryData { path, version: new.version, deleted_at });
            vec![draft(EventKind::EntryDeleted, deleted_at, Some(data_of(before)), left)]
        }
    }
}

/// A receiver is disabled, by a caller or by failures: `disabledReason` says which. Its own deliveries are held from
/// then on.
pub(super) fn webhook(old: Option<&Webhook>, new: Option<&Webhook>) -> Vec<EventDraft> {
    let (Some(old), Some(new)) = (old, new) else { return Vec::new() };
    if !old.is_active() || new.is_active() {
        return Vec::new();
    }
    let data_of = |webhook: &Webhook| fields(&ReceiverOut::from(webhook.clone()));
    vec![draft(EventKind::WebhookDisabled, new.disabled_at.unwrap_or(new.updated_at), Some(data_of(old)), data_of(new))]
}

fn draft(kind: EventKind, at: Timestamp, before: Option<Map<String, Value>>, data: Map<String, Value>) -> EventDraft {
    let previous = before.map(|before| difference(&before, &data));
    EventDraft { kind, at, data, previous }
}
