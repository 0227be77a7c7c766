//! The score that selects candidates: the formula of the ranking, over the tenant's own counts.

use answer::search::FieldStats;

const K1: f64 = 0.9;
const B: f64 = 0.4;

/// Empty documents that are counted in, so that words are as selective in a small wiki as in a large one.
const VIRTUAL_DOCUMENTS: f64 = 1000.0;

/// One field's score for one query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bm25 {
    stats: FieldStats,
}

impl Bm25 {
    /// The score over a field with these counts.
    pub(super) const fn new(stats: FieldStats) -> Self {
        Self { stats }
    }

    /// The inverse document frequency of a word that `df` documents have.
    #[allow(clippy::cast_precision_loss, reason = "no wiki has 2^52 passages")]
    pub(super) fn idf(&self, df: u64) -> f64 {
        let (count, df) = (self.stats.count as f64, df as f64);
        (1.0 + (count + VIRTUAL_DOCUMENTS - df + 0.5) / (df + 0.5)).ln()
    }

    /// The term-frequency part of the score: a word that occurs `tf` times in a document of `length` words.
    #[allow(clippy::cast_precision_loss, reason = "no entry has 2^52 words")]
    pub(super) fn frequency(&self, tf: u32, length: u64) -> f64 {
        let mean = if self.stats.mean_length > 0.0 { self.stats.mean_length } else { 1.0 };
        let tf = f64::from(tf);
        tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length as f64 / mean))
    }
}
