//! The confidence of a question that follows others.
//!
//! Earlier questions say what a follow-up is about. They do not say whether the wiki answers a new question. So the
//! probability of the question alone and that of all questions together are mixed:
//! - A question that names no topic ("how much?") is about the earlier ones: all together, at half the logit.
//! - A question that names a topic that the wiki lacks is new or has no answer: the question alone.
//! - Any other question: both, as logits. All together weigh more if the question names one topic only ("and yearly?").

use super::{Evidence, Scorer};
use crate::conversation::ConversationQuery;
use crate::search::Retrieval;
use text::QueryTerms;

/// The greatest distance of a probability from one half, as a logit.
const MAX_CONFIDENCE: f64 = 6.0;

/// The evidence that one entry is the place of an answer to a question that follows others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FollowUp {
    /// The probability by the question alone: 0-1.
    pub alone: f64,
    /// The probability of the question together with the earlier ones: 0-1.
    pub together: f64,
    /// The question's own words that name a topic.
    pub topics: usize,
    /// Those of them that no passage of the wiki has, nor a synonym.
    pub unknown: usize,
}

/// The share of all questions together in a mixed probability (docs/ANSWER-QUALITY.md).
const TOGETHER: f64 = 0.4;
/// The same if the question names one topic: it says less by itself.
const TOGETHER_WITH_ONE_TOPIC: f64 = 0.7;
/// The factor of the logit by all questions together if the question names no topic.
const WITHOUT_TOPIC: f64 = 0.5;
/// The logit that is added to a mixed probability: each of the two alone is lower than the share of answers there are.
const RAISED: f64 = 0.3;

impl FollowUp {
    /// The probability that the wiki has the answer: 0-1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let (alone, together) = (logit(self.alone), logit(self.together));
        let mixed = |share: f64| RAISED + share * together + (1.0 - share) * alone;
        let sum = match (self.topics, self.unknown) {
            (0, _) => WITHOUT_TOPIC * together,
            (1, 0) => mixed(TOGETHER_WITH_ONE_TOPIC),
            (_, 0) => mixed(TOGETHER),
            _ => alone,
        };
        1.0 / (1.0 + (-sum).exp())
    }
}

/// A probability as a logit, at most 6 from 0.
pub(crate) fn logit(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln().clamp(-MAX_CONFIDENCE, MAX_CONFIDENCE)
}

/// The meaning of a question's own words.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnWords {
    topics: usize,
    unknown: usize,
    /// The evidence that an entry has which contains none of its words.
    none: Evidence,
}

impl OwnWords {
    /// `alone` is the conversation's query without doubt.
    pub(super) fn of(conversation: &ConversationQuery, alone: &QueryTerms, retrieval: &Retrieval) -> Self {
        let question = conversation.question();
        let scorer = Scorer::new(alone, &retrieval.stats);
        // The counts are those of all questions together, this one's words first.
        let words = question.distinct.iter().enumerate();
        let topics: Vec<usize> =
            words.filter(|(_, term)| conversation.has_topic(term)).map(|(place, _)| place).collect();
        Self {
            topics: topics.len(),
            unknown: topics.iter().filter(|place| !scorer.is_known(**place)).count(),
            none: Evidence {
                missing: scorer.weight() / scorer.unknown_word(),
                unknown_share: scorer.unknown_share(),
                words: question.words,
                ..Evidence::default()
            },
        }
    }

    /// How many words that name a topic no passage has.
    pub(super) fn unknown(&self) -> i32 {
        i32::try_from(self.unknown).unwrap_or(i32::MAX)
    }

    /// Whether the question names a topic, and the wiki has every topic that it names.
    pub(super) const fn names_known_topics(&self) -> bool {
        self.topics > 0 && self.unknown == 0
    }

    /// An entry by its evidence; `alone` is none if the entry contains none of the question's own words, `nearness` is
    /// the one to the question alone.
    pub(super) fn follow_up(&self, alone: Option<Evidence>, nearness: Option<f64>, together: Evidence) -> FollowUp {
        let alone = alone.unwrap_or(Evidence { nearness, ..self.none });
        FollowUp {
            alone: alone.confidence(),
            together: together.confidence(),
            topics: self.topics,
            unknown: self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(topics: usize, unknown: usize) -> f64 {
        FollowUp { alone: 0.1, together: 0.9, topics, unknown }.confidence()
    }

    #[test]
    fn earlier_questions_count_by_whether_the_question_names_a_topic() {
        assert!((confidence(0, 0) - 0.75).abs() < 1e-9, "no topic: by all together, half as sure");
        assert!((confidence(1, 1) - 0.1).abs() < 1e-9, "an unknown topic: by the question alone");
        assert!((confidence(3, 1) - 0.1).abs() < 1e-9, "of several, one unknown");
        assert!((confidence(2, 0) - 0.465_195).abs() < 1e-6, "{}", confidence(2, 0));
        assert!((confidence(1, 0) - 0.764_748).abs() < 1e-6, "one topic: {}", confidence(1, 0));
    }

    #[test]
    fn certainties_are_mixed_without_becoming_infinite() {
        for (alone, together) in [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)] {
            let probability = FollowUp { alone, together, topics: 1, unknown: 0 }.confidence();
            assert!((0.0..=1.0).contains(&probability), "{alone} {together}: {probability}");
        }
    }
}
