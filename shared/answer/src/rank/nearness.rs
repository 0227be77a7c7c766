//! The similarity of candidates to a question by their vectors.

use crate::search::Candidate;
use text::Passage;

/// Cosines that are nearer together than this are as good as equal.
const LEAST_DEVIATION: f64 = 0.012;
/// Cosines that are further apart than this still leave the words a say.
const GREATEST_DEVIATION: f64 = 0.2;

/// The scale of one question's cosines. Models differ in what a cosine means, and much less in how far the nearest
/// passages stand out among the candidates, so cosines count by their distance from the candidates' mean in standard
/// deviations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearness {
    mean: f64,
    deviation: f64,
}

impl Nearness {
    /// None where fewer than two candidates have a cosine.
    #[allow(clippy::cast_precision_loss, reason = "there are at most some dozens of candidates")]
    pub(super) fn of(candidates: &[Candidate]) -> Option<Self> {
        let cosines: Vec<f64> = candidates.iter().filter_map(nearest_cosine).collect();
        if cosines.len() < 2 {
            return None;
        }
        let count = cosines.len() as f64;
        let mean = cosines.iter().sum::<f64>() / count;
        let variance = cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count;
        Some(Self { mean, deviation: variance.sqrt().clamp(LEAST_DEVIATION, GREATEST_DEVIATION) })
    }

    /// By how much a candidate exceeds the others; none without a vector, which says nothing about it.
    pub(super) fn of_candidate(self, candidate: &Candidate) -> Option<f64> {
        nearest_cosine(candidate).map(|cosine| (cosine - self.mean) / self.deviation)
    }
}

/// The cosine of the passage that is nearest to the question; none where no passage has one.
pub(super) fn nearest_cosine(candidate: &Candidate) -> Option<f64> {
    candidate.cosines.iter().flatten().copied().filter(|cosine| cosine.is_finite()).max_by(f64::total_cmp)
}

/// The passage that is nearest to the question by its vector.
pub(crate) fn nearest_passage(candidate: &Candidate) -> Option<&Passage> {
    let known =
        candidate.passages.iter().zip(&candidate.cosines).filter_map(|(passage, cosine)| Some((passage, (*cosine)?)));
    known.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(passage, _)| passage)
}
