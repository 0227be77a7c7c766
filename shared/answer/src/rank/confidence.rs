//! The calibrated probability that the wiki has the answer, from the figures of the ranking.
//!
//! A logistic regression over figures that every index computes alike. docs/ANSWER-QUALITY.md says what it was fitted
//! on.

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

/// The regression's coefficients.
struct Coefficients {
    offset: f64,
    x: f64,
    short: f64,
    short_x: f64,
    short_coverage: f64,
    /// An entry that lacks a word that the whole wiki lacks, as in another language, is judged little by that.
    short_unknown_share: f64,
    missing: f64,
    margin: f64,
    nearness: f64,
}

/// Without vectors. Fitted by an earlier `tests/fit`, then a tenth steeper, and .39 lower for long questions and .07 for
/// short ones, so that more of those without an answer are called a gap; docs/ANSWER-QUALITY.md says on what.
const LEXICAL: Coefficients = Coefficients {
    offset: -6.994,
    x: 7.145,
    short: 3.545,
    short_x: -5.555,
    short_coverage: 3.029,
    short_unknown_share: 0.0,
    missing: 0.901,
    margin: 1.170,
    nearness: 0.0,
};

/// With the vectors of question and entries. Fitted by `tests/fit`, then .37 lower for long questions and .3 higher for
/// short ones, and .4 higher for short ones of unknown words, which languages without a table of translations have.
const WITH_VECTORS: Coefficients = Coefficients {
    offset: -8.21,
    x: 5.257,
    short: -0.356,
    short_x: 0.0,
    short_coverage: 2.865,
    short_unknown_share: 2.2,
    missing: 1.573,
    margin: 0.0,
    nearness: 1.614,
};

impl Evidence {
    /// The probability that the wiki has the answer: 0-1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let c = if self.nearness.is_some() { &WITH_VECTORS } else { &LEXICAL };
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
}
