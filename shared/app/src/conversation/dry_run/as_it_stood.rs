//! A conversation before one of its questions, as far as it decides about the answer.

use crate::conversation::pending_answer::HISTORY_TURNS;
use domain::models::{Disposition, Ownership, Session, SystemEvent, Turn, TurnRole};

/// The newest of the turns before a question that an answer looks at.
pub(super) fn recent(before: &[Turn]) -> Vec<Turn> {
    before.get(before.len().saturating_sub(usize::from(HISTORY_TURNS))..).unwrap_or_default().to_vec()
}

/// `session` after the turns `before`, oldest first, while the AI had it: how often it had answered since then, and how
/// often in a row without an answer.
pub(super) fn session(session: &Session, before: &[Turn]) -> Session {
    let is_end = |turn: &&Turn| {
        matches!(turn.event, Some(SystemEvent::HandoverEnded | SystemEvent::Resumed | SystemEvent::AgentLeft))
    };
    let since = before.iter().rev().find(is_end).map_or(0, |turn| turn.number);
    let answers: Vec<Disposition> = before
        .iter()
        .filter(|turn| turn.number > since && turn.role == TurnRole::Ai)
        .filter_map(|turn| turn.disposition)
        .filter(|disposition| *disposition != Disposition::SmallTalk)
        .collect();
    let in_a_row = answers.iter().rev().take_while(|disposition| **disposition == Disposition::NoAnswer).count();
    let last = before.last().map_or(0, |turn| turn.number);
    let reads_after = session.ai_reads_after_turn;
    Session {
        ownership: Ownership::Ai,
        turn_count: last,
        ai_since_turn: since,
        ai_turns: number(answers.len()),
        no_answer_streak: number(in_a_row),
        ai_reads_after_turn: if reads_after <= last { reads_after } else { 0 },
        ..session.clone()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
