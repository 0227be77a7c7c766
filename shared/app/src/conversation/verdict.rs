//! The decision about a message (an answer, small talk, or a person), and the sentences that say so.

use super::classification::{TurnClassification, Voice};
use super::turns::is_reply_to_customer;
use answer::Answered;
use domain::models::{Disposition, Presence, ReasonCategory, Turn};
use text::dialogue::Sentence;

/// The decision about a customer's message.
pub(super) struct Verdict<'a> {
    pub(super) answer: Answered,
    pub(super) understanding: TurnClassification,
    /// Says what is not said by the answer itself.
    pub(super) voice: Voice<'a>,
}

impl<'a> Verdict<'a> {
    pub(super) fn new(answer: Answered, understanding: TurnClassification, voice: Voice<'a>) -> Self {
        let understanding = match answer.disposition {
            Disposition::SmallTalk => understanding.into_small_talk(),
            _ => {
                let is_answered = is_answered_whole(&answer, understanding.min_confidence());
                understanding.settled(is_answered)
            }
        };
        // A request for a human alone is not a question, so it is not a gap.
        let unanswered = answer.unanswered && !understanding.question.is_empty();
        Self { answer: Answered { unanswered, ..answer }, understanding, voice }
    }

    /// The text, and whether it offers a human. If a person takes over, or cannot be called yet, the text says so, after
    /// the answer if there is one, and asks nothing.
    pub(super) fn fixed_texts(&self, handover: Handover) -> (String, bool) {
        let after_answer = |said: String| match self.answer.disposition {
            Disposition::Answered => (format!("{}\n\n{said}", self.answer.text), false),
            _ => (said, false),
        };
        let sentence = match (handover, self.answer.disposition, self.understanding.small_talk) {
            (Handover::To(category, presence), ..) if !presence.people_available => {
                return after_answer(self.voice.say_who_is_away(category, &presence));
            }
            (Handover::To(ReasonCategory::AiFailure, _), ..) => Sentence::Failure,
            (Handover::To(..), ..) => return after_answer(self.voice.say(Sentence::Handover)),
            (Handover::Refused { minutes }, ..) => return after_answer(self.voice.say_when_to_ask_again(minutes)),
            (Handover::None, Disposition::Answered, _) => return self.voice.answer(&self.answer),
            (Handover::None, Disposition::SmallTalk, _) if !self.answer.text.is_empty() => {
                return (format!("{}\n\n{}", self.answer.text, self.voice.say(Sentence::Unclear)), false);
            }
            (Handover::None, _, Some(small_talk)) => small_talk.reply(),
            (Handover::None, _, None) => Sentence::NoAnswer,
        };
        (self.voice.say_and_ask_again(sentence, &self.answer.left_out), sentence.offers_human())
    }

    pub(super) const fn disposition(&self, handover: Handover) -> Disposition {
        match handover {
            Handover::To(..) => Disposition::Escalated,
            Handover::Refused { .. } => Disposition::NoAnswer,
            Handover::None => self.answer.disposition,
        }
    }

    /// How many answers in a row were none, once this one is given: small talk leaves it, a no to our offer of a human
    /// ends it.
    pub(super) fn consecutive_unanswered(&self, before: u32) -> u32 {
        match self.answer.disposition {
            Disposition::SmallTalk if self.understanding.declines_human() => 0,
            Disposition::SmallTalk => before,
            // A request for a human that comes too soon asks nothing.
            Disposition::NoAnswer if self.understanding.question.is_empty() => before,
            Disposition::NoAnswer => before + 1,
            _ => 0,
        }
    }
}

/// Whether all that was asked is answered, with at least this confidence.
fn is_answered_whole(answer: &Answered, least: Option<f64>) -> bool {
    let is_whole = answer.missing.is_empty() && answer.left_out.is_empty();
    let is_sure = least.is_none_or(|least| answer.confidence >= least);
    answer.disposition == Disposition::Answered && is_whole && is_sure
}

/// The reply if there is no question for the wiki.
pub(super) fn decide_without_search(disposition: Disposition) -> Answered {
    Answered {
        text: String::new(),
        images: Vec::new(),
        sources: Vec::new(),
        confidence: 0.0,
        disposition,
        unanswered: false,
        missing: Vec::new(),
        left_out: Vec::new(),
        internal: false,
        failure: None,
    }
}

/// The newest answer, to be said again; none if what was said last, besides small talk, answers nothing.
pub(super) fn last_answer(history: &[Turn]) -> Option<Answered> {
    let small_talk = decide_without_search(Disposition::SmallTalk);
    let said = history
        .iter()
        .rev()
        .find(|turn| is_reply_to_customer(turn) && turn.disposition() != Some(small_talk.disposition))?;
    (said.disposition() == Some(Disposition::Answered)).then(|| Answered {
        text: said.content.clone(),
        internal: said.is_grounded_on_internal(),
        ..small_talk
    })
}

/// Whether a person takes over with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handover {
    None,
    /// For this reason, while people are there or not.
    To(ReasonCategory, Presence),
    /// The visitor caused too many; the next is possible in so many minutes.
    Refused {
        minutes: u32,
    },
}
