//! The similarity of candidates to a question by their vectors.

use crate::search::Candidate;
use text::Passage;

/// Cosines that are nearer together than this are as good as equal.
const LEAST_DEVIATION: f64 = 0.012;
/// Cosines that are further apart than this still leave the words a say.
const GREATEST_DEVIATION: f64 = 0.2;

/// By how much each cosine exceeds the mean of all, in standard deviations; none if there is no cosine, or none to
/// compare it with. Models differ in what a cosine means, and much less in how far the nearest passages stand out among
/// the candidates.
#[allow(clippy::cast_precision_loss, reason = "there are at most some dozens of candidates")]
pub(super) fn nearness(cosines: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = cosines.iter().flatten().copied().collect();
    if known.len() < 2 {
        return vec![None; cosines.len()];
    }
    let count = known.len() as f64;
    let mean = known.iter().sum::<f64>() / count;
    let variance = known.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt().clamp(LEAST_DEVIATION, GREATEST_DEVIATION);
    cosines.iter().map(|cosine| cosine.map(|cosine| (cosine - mean) / deviation)).collect()
}

/// The cosine of the passage that is nearest to the question; none if no passage has one.
pub(crate) fn nearest_cosine(candidate: &Candidate) -> Option<f64> {
    candidate.cosines.iter().flatten().copied().filter(|cosine| cosine.is_finite()).max_by(f64::total_cmp)
}

/// The passage that is nearest to the question by its vector.
pub(crate) fn nearest_passage(candidate: &Candidate) -> Option<&Passage> {
    let known =
        candidate.passages.iter().zip(&candidate.cosines).filter_map(|(passage, cosine)| Some((passage, (*cosine)?)));
    known.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(passage, _)| passage)
}
