//! A session as its callers read it: how it counts its changes for those who see internal notes and for those who do not,
//! and the resource that each is shown.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{
    Channel, ClosedReason, Escalation, EscalationId, LastWords, MessageId, Mode, Ownership, Rating, Session, SessionId,
    Timestamp, Visitor,
};
use crate::wire::Viewer;

impl Session {
    /// The session as it is stored in the place of `before`: with the next version, and with what callers who see no
    /// internal notes are told of its changes.
    #[must_use]
    pub fn changed_from(self, before: &Self) -> Self {
        let is_hidden = self.differs_for_people_alone(before);
        Self {
            version: before.version + 1,
            note_changes: before.note_changes + u64::from(is_hidden),
            public_updated_at: is_hidden.then(|| before.updated_at_for(false)),
            ..self
        }
    }

    /// Whether nothing but notes was added, and nothing but the claim of a person has changed.
    fn differs_for_people_alone(&self, before: &Self) -> bool {
        let mut without_notes = Self {
            turn_count: before.turn_count,
            last_message_id: before.last_message_id.clone(),
            updated_at: before.updated_at,
            version: before.version,
            note_changes: before.note_changes,
            public_updated_at: before.public_updated_at,
            ..self.clone()
        };
        without_notes.set_snoozed(before.is_snoozed());
        let has_turns = self.turn_count > before.turn_count;
        (has_turns || self.updated_at == before.updated_at) && without_notes == *before
    }

    /// The version for a caller who sees internal notes, or who does not.
    #[must_use]
    pub const fn version_for(&self, sees_notes: bool) -> u64 {
        if sees_notes { self.version } else { self.version.saturating_sub(self.note_changes) }
    }

    /// When anything that such a caller sees last changed.
    #[must_use]
    pub fn updated_at_for(&self, sees_notes: bool) -> Timestamp {
        if sees_notes { self.updated_at } else { self.public_updated_at.unwrap_or(self.updated_at) }
    }

    /// The number of the last turn that such a caller sees.
    #[must_use]
    pub fn turn_count_for(&self, sees_notes: bool) -> u32 {
        match &self.last_public_message_id {
            Some(last) if !sees_notes => last.turn_number(),
            None if !sees_notes && self.note_changes > 0 => 0,
            _ => self.turn_count,
        }
    }
}

/// A conversation, as its caller may see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Session")]
pub struct SessionOut {
    /// Its id.
    session_id: SessionId,
    /// Who answers the customer.
    ownership: Ownership,
    /// The number of the last turn that the caller may see.
    turn_count: u32,
    /// The newest message that the caller may see.
    last_message_id: Option<MessageId>,
    /// Where the customer is.
    channel: Channel,
    /// The visitor, as the tenant names them.
    external_user_id: Option<String>,
    /// The person.
    user: Option<Visitor>,
    /// BCP 47, as given.
    locale: Option<String>,
    /// The time zone of the customer's clock, as given.
    timezone: Option<String>,
    /// Flat, as given. For a widget: what it sent when it opened the session.
    metadata: BTreeMap<String, serde_json::Value>,
    /// As given. For a widget: those that it sent when it opened the session.
    tags: Vec<String>,
    /// The open request for a human.
    escalation_id: Option<EscalationId>,
    /// Only in the answers of `GET /sessions/{id}` and its messages, while `pending_handover`: from 1, exact up to 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    /// An answer of the AI is still to come.
    answer_due: bool,
    /// When it was opened.
    created_at: Timestamp,
    /// When anything of it that the caller may see last changed.
    updated_at: Timestamp,
    /// When somebody last said something.
    last_activity_at: Timestamp,
    /// Only in lists: what was said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_words: Option<LastWords>,
    /// Only in the list of one customer's conversations: what people did in it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_human_part: Option<HumanPartOut>,
    /// When it was closed.
    closed_at: Option<Timestamp>,
    /// Why it was closed.
    closed_reason: Option<ClosedReason>,
    /// Until when it can be resumed.
    resumable_until: Option<Timestamp>,
    /// Which half of the tenant's data it belongs to.
    mode: Mode,
    /// Counts every change that the caller may see.
    version: u64,
}

/// The part of people in a conversation: a request for a human that they resolved or handed back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HumanPart")]
struct HumanPartOut {
    /// The request.
    escalation_id: EscalationId,
    /// When it was resolved.
    resolved_at: Option<Timestamp>,
    /// The agent's text at the end.
    resolution: Option<String>,
    /// The customer's rating.
    rating: Option<Rating>,
}

impl SessionOut {
    /// The session for `viewer`, without its place in the queue.
    #[must_use]
    pub fn new(session: Session, viewer: Viewer) -> Self {
        let (sees_notes, closing) = (viewer.internal_notes, session.closing().copied());
        let (tags, metadata) = match viewer.staff_details {
            true => (session.tags.clone(), session.metadata.clone()),
            false => session.sent_by_widget(),
        };
        Self {
            ownership: session.ownership(),
            turn_count: session.turn_count_for(sees_notes),
            escalation_id: session.escalation_id().cloned(),
            answer_due: session.is_answer_due(),
            updated_at: session.updated_at_for(sees_notes),
            version: session.version_for(sees_notes),
            session_id: session.session_id,
            last_message_id: if sees_notes { session.last_message_id } else { session.last_public_message_id },
            channel: session.channel,
            external_user_id: session.external_user_id,
            user: session.user,
            locale: session.locale,
            timezone: session.timezone,
            metadata,
            tags,
            queue_position: None,
            created_at: session.created_at,
            last_activity_at: session.last_activity_at,
            last_words: None,
            last_human_part: None,
            closed_at: closing.map(|it| it.at),
            closed_reason: closing.map(|it| it.reason),
            resumable_until: closing.map(|it| it.resumable_until),
            mode: session.mode,
        }
    }

    /// A session as a line of a list of the tenant's people, with the request for a human that ended in it last, if
    /// that is wanted.
    #[must_use]
    pub fn listed(mut session: Session, viewer: Viewer, last_human_part: Option<Escalation>) -> Self {
        let last_words = session.last_words.take().filter(|_| viewer.staff_details);
        let last_human_part =
            last_human_part.map(|Escalation { escalation_id, resolved_at, resolution, rating, .. }| HumanPartOut {
                escalation_id,
                resolved_at,
                resolution,
                rating,
            });
        Self { last_words, last_human_part, ..Self::new(session, viewer) }
    }

    /// The same with its place in the queue, from 1; none if it is not in the queue.
    #[must_use]
    pub fn with_queue_position(self, queue_position: Option<u32>) -> Self {
        Self { queue_position, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::SessionState;

    fn session() -> Session {
        let at = Timestamp::from_millis(1_000);
        let state = SessionState::Human { escalation_id: EscalationId::from_parts(at, 1), snoozed: false };
        Session { state, ..Session::new(SessionId::from_parts(at, 1), Mode::Live, Channel::Widget) }
    }

    fn snoozed(mut session: Session, on: bool) -> Session {
        session.set_snoozed(on);
        session
    }

    /// The session after a turn that is a note, or is not.
    fn after_turn(before: &Session, is_note: bool) -> Session {
        let at = before.updated_at.plus_millis(1_000);
        let number = before.turn_count + 1;
        let id = MessageId::from_parts(at, u128::from(number) << 56);
        let mut after = Session { turn_count: number, updated_at: at, ..before.clone() };
        after.last_message_id = Some(id.clone());
        if !is_note {
            after.last_public_message_id = Some(id);
        }
        after.changed_from(before)
    }

    #[test]
    fn notes_are_counted_for_those_who_see_them_alone() {
        let shown = |session: &Session, sees: bool| {
            (session.version_for(sees), session.updated_at_for(sees), session.turn_count_for(sees))
        };
        let said = after_turn(&session(), false);
        let noted = after_turn(&after_turn(&said, true), true);
        assert_eq!(shown(&noted, false), shown(&said, false));
        assert_eq!((noted.version, noted.turn_count), (said.version + 2, 3));
        let answered = after_turn(&noted, false);
        assert_eq!(shown(&answered, false), (said.version + 1, answered.updated_at, 4));
        // Neither is that people put it off, with a note or without one.
        let put_off = snoozed(noted.clone(), true).changed_from(&noted);
        let noted_again = snoozed(after_turn(&put_off, true), false).changed_from(&put_off);
        for hidden in [&put_off, &noted_again, &noted_again.clone().changed_from(&noted_again)] {
            assert_eq!(shown(hidden, false), shown(&said, false));
        }
        // A change beside a note is seen.
        let renamed = Session { locale: Some("de".into()), ..after_turn(&answered, true) };
        assert_eq!(renamed.changed_from(&answered).version_for(false), answered.version_for(false) + 1);
    }
}
