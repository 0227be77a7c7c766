//! BM25 over the counts of what a viewer may see, by which the ranking and the embedded index score texts.

use super::FieldStats;

/// How fast repetitions stop counting.
pub const K1: f64 = 0.9;
/// How much longer texts are held back.
pub const B: f64 = 0.4;

/// Virtual empty texts: what makes a wiki of one entry behave like one of thousands.
const VIRTUAL_TEXTS: f64 = 1000.0;

/// The scores of one field.
#[derive(Debug, Clone, Copy)]
pub struct Bm25 {
    stats: FieldStats,
    b: f64,
}

impl Bm25 {
    /// The scores over a field with these counts.
    #[must_use]
    pub const fn new(stats: FieldStats) -> Self {
        Self { stats, b: B }
    }

    /// The same if the length of a text does not count.
    #[must_use]
    pub const fn without_length(self) -> Self {
        Self { b: 0.0, ..self }
    }

    /// The inverse document frequency of a word that `df` texts have.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn idf(&self, df: u64) -> f64 {
        let df = df as f64;
        let without = (self.stats.count as f64 + VIRTUAL_TEXTS - df).max(0.0);
        ((without + 0.5) / (df + 0.5)).ln_1p()
    }

    /// The length norm of a text of `length` words, which dampens the count of a word in it.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
    pub fn norm(&self, length: u64) -> f64 {
        let mean = self.stats.mean_length;
        let relative = if mean > 0.0 { length as f64 / mean } else { 1.0 };
        K1 * (1.0 - self.b + self.b * relative)
    }

    /// The weight of the count of a word in a text with this [`Bm25::norm`].
    #[must_use]
    pub fn frequency(tf: f64, norm: f64) -> f64 {
        if tf > 0.0 { tf * (K1 + 1.0) / (tf + norm) } else { 0.0 }
    }
}
