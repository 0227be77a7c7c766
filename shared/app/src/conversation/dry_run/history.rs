//! A conversation before one of its questions, as far as it decides about the answer.

use crate::conversation::classification::declines_offer;
use crate::conversation::pending_answer::HISTORY_TURNS;
use domain::models::{Disposition, Session, SessionState, Settings, SystemEvent, Turn, TurnBody};

/// The newest of the turns before a question that an answer looks at.
pub(super) fn recent(before: &[Turn]) -> Vec<Turn> {
    before.get(before.len().saturating_sub(usize::from(HISTORY_TURNS))..).unwrap_or_default().to_vec()
}

/// `session` after the turns `before`, oldest first, while the AI had it: how often it had answered since then, and how
/// often in a row without an answer.
pub(super) fn session(session: &Session, settings: &Settings, before: &[Turn]) -> Session {
    let is_end = |turn: &&Turn| {
        matches!(
            turn.event(),
            Some(SystemEvent::HandoverEnded | SystemEvent::Resumed | SystemEvent::AgentLeft | SystemEvent::ClaimLapsed)
        )
    };
    let since = before.iter().rev().find(is_end).map_or(0, |turn| turn.number);
    let last = before.last().map_or(0, |turn| turn.number);
    let reads_after = session.ai_reads_after_turn;
    let was_ended_by_person = before.iter().any(is_end_by_person);
    let was = Session {
        state: SessionState::AI,
        turn_count: last,
        ai_since_turn: since,
        ai_reads_after_turn: if reads_after <= last { reads_after } else { 0 },
        last_human_part: session.last_human_part.clone().filter(|_| was_ended_by_person),
        ..session.clone()
    };
    let turns = before.iter().filter(|turn| turn.number > since);
    let counted = turns.filter(|turn| !turn.is_said_while_waiting());
    let answers = || counted.clone().filter_map(|turn| Some((turn.number, turn.ai()?.disposition)));
    let is_answer = |(_, disposition): &(u32, Disposition)| *disposition != Disposition::SmallTalk;
    let ends_misses = |(number, disposition): &(u32, Disposition)| match disposition {
        Disposition::NoAnswer => false,
        Disposition::SmallTalk => is_no_to_offer(&was, settings, before, *number),
        _ => true,
    };
    let in_a_row = answers().rev().take_while(|answer| !ends_misses(answer)).filter(is_answer).count();
    Session { ai_turns: number(answers().filter(is_answer).count()), no_answer_streak: number(in_a_row), ..was }
}

/// Whether an agent resolved the session there, or handed it back.
fn is_end_by_person(turn: &Turn) -> bool {
    let TurnBody::System(ended) = &turn.body else { return false };
    ended.agent.is_some() && matches!(ended.event, SystemEvent::HandoverEnded | SystemEvent::Closed)
}

/// Whether small talk answers a no to the offer of a human, which ends the misses in a row.
fn is_no_to_offer(session: &Session, settings: &Settings, turns: &[Turn], answer: u32) -> bool {
    let is_asked = |turn: &Turn| turn.answered_by() == Some(answer);
    let Some(first) = turns.iter().position(is_asked) else { return false };
    let (before, after) = turns.split_at(first);
    let written = after.iter().rev().find(|turn| is_asked(turn)).map_or("", |turn| turn.content.as_str());
    declines_offer(session, settings, before, written)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
