//! Creates turns: the next number, the id that contains it, and the session afterwards.

use domain::Result;
use domain::clock::Runtime;
use domain::models::{Disposition, MessageId, Ownership, Session, SystemEvent, Timestamp, Turn, TurnRole};

use super::Reply;

/// A turn of `role` under the session's next number.
pub(super) fn next_turn(runtime: &Runtime, session: &Session, role: TurnRole, content: String) -> Result<Turn> {
    new_turn(runtime, session.turn_count + 1, role, content)
}

/// A turn that says nothing but `content`.
pub(super) fn new_turn(runtime: &Runtime, number: u32, role: TurnRole, content: String) -> Result<Turn> {
    Ok(Turn {
        message_id: MessageId::for_turn(runtime, number)?,
        number,
        role,
        content,
        sources: Vec::new(),
        notice: None,
        missing: Vec::new(),
        confidence: None,
        disposition: None,
        ownership: None,
        unanswered: None,
        reactions: Vec::new(),
        agent: None,
        internal: false,
        offers_human: false,
        grounded_on_internal: false,
        event: None,
        created_at: runtime.now(),
        latency_ms: None,
        escalation_id: None,
        presence: None,
        answered_by: None,
        answers: None,
        queries: 0,
    })
}

/// A system turn under the session's next number.
pub(super) fn system_turn(runtime: &Runtime, session: &Session, event: SystemEvent) -> Result<Turn> {
    let mut turn = next_turn(runtime, session, TurnRole::System, String::new())?;
    turn.event = Some(event);
    Ok(turn)
}

/// Moves the session on to `turn`.
pub(super) fn append(session: &mut Session, turn: &Turn, now: Timestamp) {
    session.turn_count = turn.number;
    session.last_message_id = Some(turn.message_id.clone());
    if !turn.internal {
        session.last_public_message_id = Some(turn.message_id.clone());
    }
    if turn.role != TurnRole::System && !turn.internal {
        session.last_activity_at = now;
    }
    if turn.role == TurnRole::Customer {
        session.last_customer_message_at = Some(now);
    }
    session.updated_at = now;
}

/// Whether a turn is addressed to the customer, so that no answer to earlier ones is pending.
pub(super) fn is_reply_to_customer(turn: &Turn) -> bool {
    turn.role == TurnRole::Ai || (turn.role == TurnRole::Agent && !turn.internal)
}

/// Whether a turn is the customer's and has no answer.
pub(super) fn is_unanswered(turn: &Turn) -> bool {
    turn.role == TurnRole::Customer && turn.answered_by.is_none()
}

/// The reply where the AI says nothing to a customer's turn while `ownership` has the session.
pub(super) fn silent(turn: &Turn, ownership: Ownership, what: Disposition) -> Reply {
    Reply {
        message_id: turn.message_id.clone(),
        answer: String::new(),
        sources: Vec::new(),
        notice: None,
        confidence: 0.0,
        ownership,
        disposition: what,
        unanswered: false,
        turn: turn.number,
        latency_ms: turn.latency_ms.unwrap_or(0),
        escalation_id: turn.escalation_id.clone(),
        presence: turn.presence,
        replayed: false,
    }
}
