//! The figures of one stored thing, read from one image.

use super::{Bin, Cell, Counter, Counts};
use crate::models::{Day, Disposition, Escalation, Reaction, Session, Turn};

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
/// customer thinks of it, also in the bin of its confidence; any other turn, and an answer to small talk, for nothing.
#[must_use]
pub fn of_turn(turn: &Turn) -> (Day, Counts) {
    let day = Day::of(turn.created_at);
    let Some(answer) = turn.ai().filter(|ai| ai.disposition != Disposition::SmallTalk) else {
        return (day, Counts::default());
    };
    let queries = i64::from(answer.queries);
    let has = |reaction| i64::from(answer.reactions.contains(&reaction));
    let counts = [
        (Counter::Answers, 1),
        (Counter::Queries, queries),
        (Counter::Unanswered, if answer.unanswered { queries } else { 0 }),
        (Counter::LatencyMs, i64::try_from(answer.latency_ms).unwrap_or(i64::MAX)),
        (Counter::Timed, 1),
        (Counter::ThumbsUp, has(Reaction::ThumbsUp)),
        (Counter::ThumbsDown, has(Reaction::ThumbsDown)),
        (Counter::Flagged, has(Reaction::Flag)),
    ];
    let mut counts: Counts = counts.into_iter().collect();
    let mut add = |counter, amount| counts.add(Cell::in_bin(counter, Bin::of(answer.confidence)), amount);
    add(Counter::Answers, 1);
    add(Counter::Unanswered, i64::from(answer.unanswered));
    add(Counter::ThumbsUp, has(Reaction::ThumbsUp));
    add(Counter::ThumbsDown, has(Reaction::ThumbsDown));
    (day, counts)
}

/// The figures of an escalation, each on its day.
#[must_use]
pub fn of_escalation(escalation: &Escalation) -> Vec<(Day, Counts)> {
    let responded = escalation.first_response_at.map(|at| {
        let waited = at.millis_since(escalation.created_at).max(0);
        (Day::of(at), [(Counter::FirstResponses, 1), (Counter::FirstResponseMs, waited)].into_iter().collect())
    });
    let rated = escalation.rating.as_ref().map(|rating| {
        let score = i64::from(rating.score);
        (Day::of(rating.at), [(Counter::Ratings, 1), (Counter::RatingSum, score)].into_iter().collect())
    });
    std::iter::once(handling(escalation)).chain(responded).chain(rated).collect()
}

/// On the day when its session was created (by the session's id): the time of each claim until its agent resolved or handed
/// back, the last one and those before it was reopened.
fn handling(escalation: &Escalation) -> (Day, Counts) {
    let day = Day::of(escalation.session_id.created_at());
    let last = escalation.last_part_ms();
    let counts = [
        (Counter::Handled, i64::from(escalation.earlier_parts) + i64::from(last.is_some())),
        (Counter::HandleMs, escalation.earlier_parts_ms + last.unwrap_or(0)),
    ];
    (day, counts.into_iter().collect())
}
