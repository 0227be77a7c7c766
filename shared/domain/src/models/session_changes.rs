//! How a session counts its changes: for callers who see internal notes, and for those who do not. And sessions from
//! which nothing follows.

use super::{Channel, Session, Timestamp};

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

    /// Whether it is the chat of somebody of the tenant who tries it: nothing follows from what is said there.
    #[must_use]
    pub fn is_preview(&self) -> bool {
        self.channel == Channel::Widget && self.external_user_id.as_deref().is_some_and(is_preview_visitor)
    }
}

/// Whether a visitor is somebody of the tenant who tries the chat.
#[must_use]
pub fn is_preview_visitor(external_user_id: &str) -> bool {
    external_user_id.starts_with("preview_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{EscalationId, MessageId, Mode, SessionId, SessionState};

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
