//! The new state of a session that changes hands. The state table decides whether it may.

use super::deadlines::next_due_at;
use domain::error::Code;
use domain::models::{ClosedReason, Ownership, Session, SessionAction, Settings, Timestamp};
use domain::{Error, Result};

/// The session after `action` at `now`; its `epoch` is one more, so that an answer in the making is dropped.
///
/// # Errors
/// 409 `SESSION_CLOSED` or `INVALID_STATE` where the table does not allow it.
pub(super) fn transition(
    session: &Session,
    action: SessionAction,
    now: Timestamp,
    settings: &Settings,
) -> Result<Session> {
    let Some(ownership) = session.ownership.after(action) else {
        return Err(refused(session.ownership));
    };
    let mut after = session.clone();
    after.ownership = ownership;
    after.epoch += 1;
    after.updated_at = now;
    after.owner_since = now;
    after.snoozed = false;
    // The code that returns the session to the AI decides again whether an answer is pending.
    after.answer_due = false;
    let window_hours = i64::from(settings.resume_window_hours);
    match ownership {
        Ownership::Ai => {
            after.ai_since_turn = session.turn_count;
            after.ai_turns = 0;
            after.no_answer_streak = 0;
            after.escalation_id = None;
            (after.closed_at, after.closed_reason, after.resumable_until) = (None, None, None);
        }
        Ownership::PendingHandover => after.ever_escalated = true,
        Ownership::Human => {
            // Also where nobody asked for a human, and one stepped in.
            after.ever_escalated = true;
            (after.closed_at, after.closed_reason, after.resumable_until) = (None, None, None);
        }
        Ownership::Closed => {
            after.closed_at = Some(now);
            after.closed_reason = Some(closed_reason(action));
            after.resumable_until = Some(now.plus_hours(window_hours));
            after.escalation_id = None;
        }
    }
    match action {
        SessionAction::Resolve => after.last_resolved.clone_from(&session.escalation_id),
        SessionAction::Escalate | SessionAction::StepIn => after.last_resolved = None,
        _ => {}
    }
    after.due_at = next_due_at(&after, settings);
    Ok(after)
}

const fn closed_reason(action: SessionAction) -> ClosedReason {
    match action {
        SessionAction::Idle => ClosedReason::Idle,
        SessionAction::Expire => ClosedReason::Expired,
        _ => ClosedReason::Resolved,
    }
}

/// 409 for what nobody takes until the session is resumed.
pub(super) fn session_closed() -> Error {
    Error::new(Code::SessionClosed, "The session is closed.")
}

/// Why an action is not allowed from here.
fn refused(ownership: Ownership) -> Error {
    match ownership {
        Ownership::Closed => session_closed(),
        Ownership::Ai | Ownership::PendingHandover | Ownership::Human => {
            Error::new(Code::InvalidState, format!("This is not possible while the session is `{ownership}`."))
        }
    }
}
