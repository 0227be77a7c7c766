//! The calibrated probability that the wiki has the answer, from the figures of the ranking.
//!
//! A logistic regression over figures that every index computes alike. docs/ANSWER-QUALITY.md says what it was fitted
//! on.

/// How many words a question has where it is half short, half long.
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
    /// How much nearer it is than the best other entry, in words that no passage has; 0 where another one is nearer.
    pub margin: f64,
    /// By how many standard deviations its cosine exceeds the candidates' mean; none without cosines to compare.
    pub nearness: Option<f64>,
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
    missing: f64,
    margin: f64,
    nearness: f64,
}

/// Without vectors. Fitted by `tests/fit`, then a tenth steeper, and .39 lower for long questions and .07 for short ones, so
/// that more of those without an answer are called a gap; docs/ANSWER-QUALITY.md says on what.
const LEXICAL: Coefficients = Coefficients {
    offset: -6.994,
    x: 7.145,
    short: 3.545,
    short_x: -5.555,
    short_coverage: 3.029,
    missing: 0.901,
    margin: 1.170,
    nearness: 0.0,
};

/// With the vectors of question and entries.
const WITH_VECTORS: Coefficients = Coefficients {
    offset: -7.048,
    x: 4.221,
    short: 0.875,
    short_x: 0.0,
    short_coverage: 0.855,
    missing: 1.318,
    margin: 0.0,
    nearness: 1.779,
};

impl Evidence {
    /// The probability that the wiki has the answer: 0-1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let c = if self.nearness.is_some() { &WITH_VECTORS } else { &LEXICAL };
        let short = self.shortness();
        let sum = c.offset
            + c.x * self.x
            + short * (c.short + c.short_x * self.x + c.short_coverage * self.coverage)
            + c.missing * self.missing.min(MOST_MISSING).ln_1p()
            + c.margin * self.margin.ln_1p()
            + c.nearness * self.nearness.unwrap_or(0.0);
        1.0 / (1.0 + (-sum).exp())
    }

    /// 1 for a question of very few words, 0 for one of many.
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    fn shortness(&self) -> f64 {
        1.0 / (1.0 + ((self.words as f64 - HALF_SHORT_WORDS) / SHORT_SLOPE_WORDS).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_confidence_comes_out_to_six_digits() {
        for (x, coverage, missing, margin, nearness, words, want) in [
            (1.2, 0.8, 1.0, 0.5, None, 14, 0.935013),
            (0.6, 0.4, 3.0, 0.1, None, 14, 0.210680),
            (0.7, 1.0, 0.0, 0.3, None, 3, 0.712481),
            (0.3, 0.3, 2.0, 0.0, None, 4, 0.221917),
            (1.2, 0.8, 1.0, 0.5, Some(2.0), 14, 0.925312),
            (0.0, 0.0, 5.0, 0.0, Some(2.5), 7, 0.583996),
            (0.0, 0.0, 100.0, 0.0, Some(0.0), 200, 0.015488),
            (0.7, 1.0, 0.0, 0.3, Some(1.5), 3, 0.561096),
        ] {
            let got = Evidence { x, coverage, missing, margin, nearness, words }.confidence();
            assert!(
                (got - want).abs() < 1e-6,
                "{x} {coverage} {missing} {margin} {nearness:?} {words}: {got}, not {want}"
            );
        }
    }

    #[test]
    fn an_endless_question_of_unknown_words_is_not_answered() {
        for nearness in [None, Some(1.5)] {
            let evidence = Evidence { missing: 1_000.0, nearness, words: 1_300, ..Evidence::default() };
            assert!(evidence.confidence() < 0.4, "{}", evidence.confidence());
        }
    }
}
