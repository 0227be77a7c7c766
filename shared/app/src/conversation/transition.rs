//! The new state of a session that changes hands. The state table decides whether it may.

use super::deadlines::next_due_at;
use domain::error::Code;
use domain::models::{Ownership, Session, SessionAction, Settings, Timestamp};
use domain::{Error, Result};

/// The session after `action` at `now`; its `epoch` is one more, so that an answer in the making is dropped.
///
/// # Errors
/// 409 `SESSION_CLOSED` or `INVALID_STATE` if the table does not allow it.
pub(super) fn transition(
    session: &Session,
    action: &SessionAction,
    now: Timestamp,
    settings: &Settings,
) -> Result<Session> {
    let resumable_until = now.plus_hours(i64::from(settings.resume_window_hours));
    // The code that returns the session to the AI decides again whether an answer is pending.
    let Some(state) = session.state.after(action, now, resumable_until) else {
        return Err(refused(session.ownership()));
    };
    let mut after = Session { state, epoch: session.epoch + 1, updated_at: now, owner_since: now, ..session.clone() };
    match after.ownership() {
        Ownership::Ai => {
            after.ai_since_turn = session.turn_count;
            after.ai_turns = 0;
            after.no_answer_streak = 0;
        }
        // Also if nobody asked for a human, and one stepped in.
        Ownership::PendingHandover | Ownership::Human => after.ever_escalated = true,
        Ownership::Closed => {}
    }
    match action {
        SessionAction::Resolve | SessionAction::Handback => after.last_human_part = session.escalation_id().cloned(),
        SessionAction::Escalate(_) | SessionAction::StepIn(_) => after.last_human_part = None,
        _ => {}
    }
    after.due_at = next_due_at(&after, settings);
    Ok(after)
}

/// 409 for what nobody takes until the session is resumed.
pub(super) fn session_closed() -> Error {
    Error::new(Code::SessionClosed, "The session is closed.")
}

/// Why an action is not allowed from here.
pub(super) fn refused(ownership: Ownership) -> Error {
    match ownership {
        Ownership::Closed => session_closed(),
        Ownership::Ai | Ownership::PendingHandover | Ownership::Human => {
            Error::new(Code::InvalidState, format!("This is not possible while the session is `{ownership}`."))
        }
    }
}
