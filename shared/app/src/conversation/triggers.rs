//! When the AI escalates by itself: on request, when a customer comes back after a person's part, after two thumbs down in a
//! row, at `maxAiTurns`, when search or model fail, and after two misses in a row, except in a chat: there the customer reads
//! the offer of a person, and says yes.

use super::verdict::Verdict;
use domain::models::{
    Channel, Disposition, EscalationId, Reaction, ReasonCategory, RequestedBy, Session, Settings, Turn,
};

/// So many answers in a row without an answer, or with thumbs down, ask for a human.
const ESCALATE_AFTER_CONSECUTIVE: u32 = 2;

/// The reason to escalate after an answer that is about to be stored; none if there is no reason. It is a field of
/// the decision, never a word in the text.
pub(super) fn escalation_after_answer(
    session: &Session,
    settings: &Settings,
    verdict: &Verdict<'_>,
) -> Option<ReasonCategory> {
    let Verdict { answer, understanding, .. } = verdict;
    if understanding.wants_human {
        return Some(ReasonCategory::CustomerRequest);
    }
    if answer.disposition == Disposition::SmallTalk {
        return None;
    }
    if answer.failure.is_some() {
        return Some(ReasonCategory::AiFailure);
    }
    if understanding.comes_back || (understanding.is_after_person && answer.disposition == Disposition::NoAnswer) {
        return Some(ReasonCategory::CameBack);
    }
    let misses_again = session.no_answer_streak + 1 >= ESCALATE_AFTER_CONSECUTIVE;
    if answer.disposition == Disposition::NoAnswer && misses_again && session.channel != Channel::Widget {
        return Some(ReasonCategory::LowConfidence);
    }
    (session.ai_turns + 1 >= settings.max_ai_turns).then_some(ReasonCategory::MaxTurns)
}

/// Whether the last answers since the session became `ai` all got thumbs down. `turns` oldest first.
pub(super) fn escalation_after_reaction(session: &Session, turns: &[Turn]) -> bool {
    let mut last = turns
        .iter()
        .rev()
        .filter(|turn| turn.number > session.ai_since_turn)
        .filter_map(Turn::ai)
        .filter(|answer| answer.disposition != Disposition::SmallTalk)
        .take(ESCALATE_AFTER_CONSECUTIVE as usize)
        .map(|answer| answer.reactions.contains(&Reaction::ThumbsDown));
    let count = last.clone().count();
    count == ESCALATE_AFTER_CONSECUTIVE as usize && last.all(|down| down)
}

/// The requester of an automatic escalation.
pub(super) const fn requested_by(category: ReasonCategory) -> RequestedBy {
    match category {
        ReasonCategory::CustomerRequest => RequestedBy::Customer,
        _ => RequestedBy::Ai,
    }
}

/// The text of a reason, for the agent.
pub(super) const fn reason(category: ReasonCategory) -> &'static str {
    match category {
        ReasonCategory::Manual => "A human was asked for.",
        ReasonCategory::CustomerRequest => "The customer asked for a human.",
        ReasonCategory::LowConfidence => "The wiki had no answer to the last two questions.",
        ReasonCategory::NegativeFeedback => "The customer rejected the last two answers.",
        ReasonCategory::MaxTurns => "The AI has answered as often as the settings allow.",
        ReasonCategory::AiFailure => "The AI could not answer for a technical reason.",
        ReasonCategory::StepIn => "An agent stepped in.",
        ReasonCategory::CameBack => "The customer came back after a person had ended their part.",
    }
}

/// The same, with the case that a customer comes back to.
pub(super) fn reason_after(category: ReasonCategory, earlier: Option<&EscalationId>) -> String {
    match earlier.filter(|_| category == ReasonCategory::CameBack) {
        Some(earlier) => format!("{} The earlier case: {earlier}.", reason(category)),
        None => reason(category).to_owned(),
    }
}
