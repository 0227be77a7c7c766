//! Creates turns: the next number, the id that contains it, and the session afterwards.

use domain::Result;
use domain::clock::Runtime;
use domain::models::{
    AgentRef, AgentTurn, LastWords, MessageId, Session, SystemEvent, SystemTurn, Timestamp, Turn, TurnBody, TurnRole,
};

/// A turn under the session's next number.
pub(super) fn next_turn(runtime: &Runtime, session: &Session, content: String, body: TurnBody) -> Result<Turn> {
    let number = session.turn_count + 1;
    let message_id = MessageId::for_turn(runtime, number)?;
    Ok(Turn { message_id, number, content, created_at: runtime.now(), body })
}

/// A note of `agent` for the tenant's people, under the session's next number.
pub(super) fn note(runtime: &Runtime, session: &Session, content: &str, agent: AgentRef) -> Result<Turn> {
    next_turn(runtime, session, content.to_owned(), TurnBody::Agent(AgentTurn { agent, internal: true }))
}

/// A system turn under the session's next number; with the person who did it.
pub(super) fn system_turn(
    runtime: &Runtime,
    session: &Session,
    event: SystemEvent,
    agent: Option<AgentRef>,
) -> Result<Turn> {
    next_turn(runtime, session, String::new(), TurnBody::System(SystemTurn { event, agent }))
}

/// Moves the session on to `turn`.
pub(super) fn append(session: &mut Session, turn: &Turn, now: Timestamp) {
    session.turn_count = turn.number;
    session.last_message_id = Some(turn.message_id.clone());
    if !turn.is_internal() {
        session.last_public_message_id = Some(turn.message_id.clone());
    }
    match turn.body {
        TurnBody::Customer(_) => {
            session.last_activity_at = now;
            session.last_customer_message_at = Some(now);
        }
        TurnBody::Ai(_) | TurnBody::Agent(AgentTurn { internal: false, .. }) => session.last_activity_at = now,
        TurnBody::Agent(_) | TurnBody::System(_) => {}
    }
    session.last_words = LastWords::after(turn, session.last_words.take());
    session.updated_at = now;
}

/// Whether a turn is addressed to the customer, so that no answer to earlier ones is pending.
pub(super) const fn is_reply_to_customer(turn: &Turn) -> bool {
    matches!(turn.body, TurnBody::Ai(_) | TurnBody::Agent(AgentTurn { internal: false, .. }))
}

/// Whether a turn is the customer's and has no answer.
pub(super) fn is_unanswered(turn: &Turn) -> bool {
    turn.role() == TurnRole::Customer && turn.answered_by().is_none()
}
