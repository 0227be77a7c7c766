//! The figures of one stored thing, read from one image.

use super::{Counter, Counts};
use crate::models::{Day, Disposition, Escalation, EscalationOutcome, Reaction, Session, Turn, TurnRole};

/// The counts of a session, on the day it was created.
#[must_use]
pub fn of_session(session: &Session) -> (Day, Counts) {
    let asked = session.has_customer_message;
    let counts = [
        (Counter::Sessions, 1),
        (Counter::SessionsWithMessage, i64::from(asked)),
        (Counter::SessionsEscalated, i64::from(asked && session.ever_escalated)),
    ];
    (Day::of(session.created_at), counts.into_iter().collect())
}

/// The counts of a turn, on its own day: an answer of the AI for itself, for the messages it answers and for what the
/// customer thinks of it, any other turn, and an answer to small talk, for nothing.
#[must_use]
pub fn of_turn(turn: &Turn) -> (Day, Counts) {
    let day = Day::of(turn.created_at);
    if turn.role != TurnRole::Ai || turn.disposition == Some(Disposition::SmallTalk) {
        return (day, Counts::default());
    }
    let queries = i64::from(turn.queries);
    let has = |reaction| i64::from(turn.reactions.contains(&reaction));
    let counts = [
        (Counter::Answers, 1),
        (Counter::Queries, queries),
        (Counter::Unanswered, if turn.unanswered == Some(true) { queries } else { 0 }),
        (Counter::LatencyMs, turn.latency_ms.map_or(0, |ms| i64::try_from(ms).unwrap_or(i64::MAX))),
        (Counter::Timed, i64::from(turn.latency_ms.is_some())),
        (Counter::ThumbsUp, has(Reaction::ThumbsUp)),
        (Counter::ThumbsDown, has(Reaction::ThumbsDown)),
        (Counter::Flagged, has(Reaction::Flag)),
    ];
    (day, counts.into_iter().collect())
}

/// The figures of an escalation, on the day when its session was created (by the session's id): the time from its last
/// claim to its end, if an agent ended it.
#[must_use]
pub fn of_escalation(escalation: &Escalation) -> (Day, Counts) {
    let day = Day::of(escalation.session_id.created_at());
    let ended = match escalation.outcome {
        Some(EscalationOutcome::Resolved) => escalation.resolved_at,
        Some(EscalationOutcome::HandedBack) => escalation.closed_at,
        Some(EscalationOutcome::Cancelled | EscalationOutcome::Expired) | None => None,
    };
    let Some((ended, claimed)) = ended.zip(escalation.claimed_at) else { return (day, Counts::default()) };
    let counts = [(Counter::Handled, 1), (Counter::HandleMs, ended.millis_since(claimed).max(0))];
    (day, counts.into_iter().collect())
}
