//! The calibrated probability that the wiki has the answer, from the figures of the ranking.
//!
//! A logistic regression over figures that every index computes alike. docs/ANSWER-QUALITY.md says what it was fitted
//! on.
//!
//! Earlier questions say what a follow-up is about. They do not say whether the wiki answers a new question. So the
//! probability of the question alone and that of all questions together are mixed:
//! - A question that names no topic ("how much?") is about the earlier ones: all together, at half the logit.
//! - A question that names a topic that the wiki lacks is new or has no answer: the question alone.
//! - Any other question: both, as logits. All together weigh more if the question names one topic only ("and yearly?").

use super::scorer::Scorer;
use crate::conversation::ConversationQuery;
use crate::search::Retrieval;
use text::QueryTerms;

/// How many words a question has if it is half short, half long.
const HALF_SHORT_WORDS: f64 = 8.0;
/// In how many words the change from short to long happens.
const SHORT_SLOPE_WORDS: f64 = 1.5;

/// More words that the entry lacks say nothing more.
const MOST_MISSING: f64 = 8.0;

/// The evidence that one entry is the place of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// `sqrt(cov) · ln(1 + S / idfmax)`: how near the best passage is.
    pub x: f64,
    /// The share of the question's words, by weight, that the entry's best passages have together: 0-1.
    pub coverage: f64,
    /// The weight of the question's words that those passages lack, in words that no passage has.
    pub missing: f64,
    /// How much nearer it is than the best other entry, in words that no passage has; 0 if another one is nearer.
    pub margin: f64,
    /// By how many standard deviations its cosine exceeds the candidates' mean; none without cosines to compare.
    pub nearness: Option<f64>,
    /// The share of the question's words that no passage of the wiki has, whether or not it has a synonym: 0-1.
    pub unknown_share: f64,
    /// Words of the question, stop words too.
    pub words: usize,
}

/// The weights of a linear model: a line for each figure, for what is found without vectors and with them.
macro_rules! weights {
    ($(#[$about:meta])+ $name:ident: $($figure:ident $without:literal $with:literal,)+) => {
        $(#[$about])+
        struct $name { $($figure: f64),+ }

        impl $name {
            const fn of(has_vectors: bool) -> Self {
                if has_vectors { Self { $($figure: $with),+ } } else { Self { $($figure: $without),+ } }
            }
        }
    };
}
pub(crate) use weights;

weights! {
    /// The regression's coefficients.
    ///
    /// Without vectors they were fitted by an earlier `tests/fit`, then a tenth steeper, and .39 lower for long questions and
    /// .07 for short ones, so that more of those without an answer are called a gap; docs/ANSWER-QUALITY.md says on what.
    /// With the vectors of question and entries they were fitted by `tests/fit`, then .37 lower for long questions and .3
    /// higher for short ones, and .4 higher for short ones of unknown words, which languages without a table of translations
    /// have.
    Coefficients:
    offset -6.994 -8.21,
    x 7.145 5.257,
    short 3.545 -0.356,
    short_x -5.555 0.0,
    short_coverage 3.029 2.865,
    // An entry that lacks a word that the whole wiki lacks, as in another language, is judged little by that.
    short_unknown_share 0.0 2.2,
    missing 0.901 1.573,
    margin 1.170 0.0,
    nearness 0.0 1.614,
}

impl Evidence {
    /// The probability that the wiki has the answer: 0-1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let c = Coefficients::of(self.nearness.is_some());
        let short = self.shortness();
        let sum = c.offset
            + c.x * self.x
            + short
                * (c.short
                    + c.short_x * self.x
                    + c.short_coverage * self.coverage
                    + c.short_unknown_share * self.unknown_share)
            + c.missing * self.missing.min(MOST_MISSING).ln_1p()
            + c.margin * self.margin.ln_1p()
            + c.nearness * self.nearness.unwrap_or(0.0);
        1.0 / (1.0 + (-sum).exp())
    }

    /// The same if passages that say a `share` of the question's words in another way have them: 0-1.
    #[must_use]
    pub(crate) fn with_words(self, share: f64) -> Self {
        let coverage = (self.coverage + share).min(1.0);
        let missing =
            if self.coverage < 1.0 { self.missing * (1.0 - coverage) / (1.0 - self.coverage) } else { self.missing };
        // `x` has the root of a passage's coverage as a factor.
        let x = if self.coverage > 0.0 { self.x * (coverage / self.coverage).sqrt() } else { self.x };
        Self { x, coverage, missing, ..self }
    }

    /// 1 for a question of very few words, 0 for one of many.
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    pub(crate) fn shortness(&self) -> f64 {
        1.0 / (1.0 + ((self.words as f64 - HALF_SHORT_WORDS) / SHORT_SLOPE_WORDS).exp())
    }
}

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

    #[test]
    fn the_confidence_comes_out_to_six_digits() {
        for (x, coverage, missing, margin, nearness, unknown_share, words, want) in [
            (1.2, 0.8, 1.0, 0.5, None, 0.0, 14, 0.935013),
            (0.6, 0.4, 3.0, 0.1, None, 0.5, 14, 0.210680),
            (0.7, 1.0, 0.0, 0.3, None, 0.0, 3, 0.712481),
            (0.3, 0.3, 2.0, 0.0, None, 0.5, 4, 0.221917),
            (1.2, 0.8, 1.0, 0.5, Some(2.0), 0.0, 14, 0.920674),
            (0.0, 0.0, 5.0, 0.0, Some(2.5), 0.0, 7, 0.169132),
            (0.0, 0.0, 5.0, 0.0, Some(2.5), 1.0, 7, 0.465523),
            (0.0, 0.0, 100.0, 0.0, Some(0.0), 1.0, 200, 0.008546),
            (0.7, 1.0, 0.0, 0.3, Some(1.5), 0.0, 3, 0.577734),
        ] {
            let got = Evidence { x, coverage, missing, margin, nearness, unknown_share, words }.confidence();
            assert!(
                (got - want).abs() < 1e-6,
                "{x} {coverage} {missing} {margin} {nearness:?} {unknown_share} {words}: {got}, not {want}"
            );
        }
    }

    #[test]
    fn a_question_of_unknown_words_is_not_answered() {
        for (nearness, words) in [(None, 1_300), (Some(1.5), 1_300), (Some(1.5), 7)] {
            let evidence = Evidence { missing: 1_000.0, unknown_share: 1.0, nearness, words, ..Evidence::default() };
            assert!(evidence.confidence() < 0.4, "{words} words: {}", evidence.confidence());
        }
    }

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
