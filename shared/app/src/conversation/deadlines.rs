//! When a session is due, and for what. Pure; the sweeper acts, on the condition that the session is unchanged.
//!
//! A message writes no due time: the session keeps the one from when it last changed hands, and it is computed again
//! when that comes. So an active session writes the due index once a day, not once a message.

use domain::models::{Session, SessionState, Settings, Timestamp};

/// The last turn that a due answer is for; none if no answer is due.
pub(super) fn pending_answer_turn(session: &Session) -> Option<u32> {
    session.is_answer_due().then_some(session.ai_since_turn)
}

/// Days after which an escalation that no agent took expires.
const PENDING_ESCALATION_DAYS: i64 = 14;

/// The action that a session is due for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deadline {
    /// No activity for `retentionDays`: it is erased.
    Retention,
    /// An answer to the customer is pending.
    Answer,
    /// No activity with the AI for `resumeWindowHours`: it is closed.
    Idle,
    /// No human came for 14 days: it is closed.
    Expiry,
}

/// The most serious deadline that has passed at `now`; none if none has passed.
pub(super) fn due(session: &Session, settings: &Settings, now: Timestamp) -> Option<Deadline> {
    deadlines(session, settings).into_iter().flatten().find(|(at, _)| *at <= now).map(|(_, what)| what)
}

/// When a session must be looked at next.
#[must_use]
pub fn next_due_at(session: &Session, settings: &Settings) -> Option<Timestamp> {
    deadlines(session, settings).into_iter().flatten().map(|(at, _)| at).min()
}

fn deadlines(session: &Session, settings: &Settings) -> [Option<(Timestamp, Deadline)>; 3] {
    let retained = session.last_activity_at.plus_hours(i64::from(settings.retention_days) * 24);
    let window_hours = i64::from(settings.resume_window_hours);
    let (pending, ends) = match session.state {
        SessionState::Ai { answer_due } => {
            let idle_since = session.last_activity_at.max(session.owner_since);
            // The first attempt has until here; before that the answer is in progress.
            let pending = answer_due.then(|| session.due_at.unwrap_or(session.owner_since));
            (pending, Some((idle_since.plus_hours(window_hours), Deadline::Idle)))
        }
        SessionState::PendingHandover { .. } => {
            (None, Some((session.owner_since.plus_hours(PENDING_ESCALATION_DAYS * 24), Deadline::Expiry)))
        }
        SessionState::Human { .. } | SessionState::Closed(_) => (None, None),
    };
    [Some((retained, Deadline::Retention)), pending.map(|at| (at, Deadline::Answer)), ends]
}
