//! How near an entry is to a question, and how sure that makes us.
//!
//! Everything is computed from the tenant's own counts and the candidates' terms, so every index gives the same figures.
//! `scorer` measures texts, `confidence` weighs the evidence, [`rank`] orders the candidates of one question and
//! [`rank_in_conversation`] those of a question with what was asked before it.

mod confidence;
mod scorer;

use std::cmp::Ordering;

pub use confidence::Evidence;
pub(crate) use scorer::Scorer;

use super::conversation::ConversationQuery;
use crate::search::{Candidate, Retrieval};
use crate::text::{Passage, QueryTerms};

/// What a standard deviation of the cosines counts for in the ranking, in words that no passage has (docs/ANSWER-QUALITY.md).
const VECTOR_WEIGHT: f64 = 1.0;
/// Cosines that are nearer together than this are as good as equal.
const LEAST_DEVIATION: f64 = 0.012;
/// Cosines that are further apart than this still leave the words a say.
const GREATEST_DEVIATION: f64 = 0.2;

/// With every word but one that the wiki lacks, a question is likelier to be about something new than to follow another.
const NEW_TOPIC_FACTOR: f64 = 0.5;

/// A candidate with its figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its place in [`Retrieval::candidates`].
    pub candidate: usize,
    /// How near it is by its words.
    pub s: f64,
    /// How near it is by its words and its vectors; the order of the ranking.
    pub score: f64,
    /// The share of the question's words, by weight, that its best passage has: 0-1.
    pub cov: f64,
    /// What its confidence is made of.
    pub evidence: Evidence,
    /// The chance that it has the answer: 0-1.
    pub confidence: f64,
    /// The place of its best passage in [`Candidate::passages`].
    pub best_passage: usize,
}

/// Ranks the candidates of a question, nearest first; those with neither a word nor a cosine are left out.
#[must_use]
pub fn rank(query: &QueryTerms, retrieval: &Retrieval) -> Vec<Ranked> {
    rank_with(query, retrieval, |_, _| 0.0)
}

/// Ranks the candidates of a question that follows others, and gives the query it ranked them by.
///
/// The less sure the question alone makes us, the more what was asked before counts, and the entries that answered it.
#[must_use]
pub fn rank_in_conversation(conversation: &ConversationQuery, retrieval: &Retrieval) -> (QueryTerms, Vec<Ranked>) {
    let alone = conversation.query(0.0);
    let ranked_alone = rank(&alone, retrieval);
    if conversation.is_first() {
        return (alone, ranked_alone);
    }
    let unsure = 1.0 - ranked_alone.first().map_or(0.0, |best| best.confidence);
    let doubt = unsure * NEW_TOPIC_FACTOR.powi(unknown_words(conversation, retrieval).saturating_sub(1));
    let query = conversation.query(doubt);
    let mut ranked = rank_with(&query, retrieval, |candidate, idf_max| {
        doubt * conversation.answered_from(&candidate.path) * idf_max
    });
    for r in &mut ranked {
        let by_itself = ranked_alone.iter().find(|alone| alone.candidate == r.candidate);
        r.confidence = r.confidence.max(by_itself.map_or(0.0, |alone| alone.confidence));
    }
    (query, ranked)
}

/// How many of the question's own words no passage has.
fn unknown_words(conversation: &ConversationQuery, retrieval: &Retrieval) -> i32 {
    let own = conversation.question().distinct.len();
    let unknown = retrieval.stats.word_df.iter().take(own).filter(|df| **df == 0).count();
    i32::try_from(unknown).unwrap_or(i32::MAX)
}

/// Ranks by the query, the cosines, and what `bonus` adds to a candidate (given the weight of an unknown word).
fn rank_with(query: &QueryTerms, retrieval: &Retrieval, bonus: impl Fn(&Candidate, f64) -> f64) -> Vec<Ranked> {
    let scorer = Scorer::new(query, &retrieval.stats);
    let unknown_word = scorer.unknown_word();
    let nearness = Nearness::of(&retrieval.candidates);
    let measured = retrieval.candidates.iter().enumerate();
    let mut ranked: Vec<Ranked> = measured
        .filter_map(|(at, candidate)| {
            let mut ranked = measure(&scorer, query, at, candidate)?;
            ranked.s += bonus(candidate, unknown_word);
            ranked.evidence.nearness = nearness.map(|nearness| nearness.of_candidate(candidate));
            ranked.score = ranked.s + VECTOR_WEIGHT * unknown_word * ranked.evidence.nearness.unwrap_or(0.0);
            Some(ranked)
        })
        .collect();
    ranked.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
    let second = ranked.get(1).map_or(0.0, |second| second.score);
    for (place, r) in ranked.iter_mut().enumerate() {
        r.evidence.x = r.cov.sqrt() * (r.s / unknown_word).ln_1p();
        r.evidence.margin = if place == 0 { ((r.score - second) / unknown_word).max(0.0) } else { 0.0 };
        r.confidence = r.evidence.confidence();
    }
    ranked
}

fn measure(scorer: &Scorer<'_>, query: &QueryTerms, at: usize, candidate: &Candidate) -> Option<Ranked> {
    let cosine = |at: usize| candidate.cosines.get(at).copied().flatten();
    let scores = candidate.passages.iter().map(|passage| scorer.passage_score(passage)).enumerate();
    let (best_passage, passage_score) = scores.max_by(|(i, a), (j, b)| {
        let by_words = a.total_cmp(b);
        by_words.then_with(|| cosine(*i).unwrap_or(-1.0).total_cmp(&cosine(*j).unwrap_or(-1.0))).then(j.cmp(i))
    })?;
    let s = passage_score + scorer.title_score(&candidate.title_terms);
    if !s.is_finite() || (s <= 0.0 && nearest_cosine(candidate).is_none()) {
        return None;
    }
    let best = candidate.passages.get(best_passage);
    let cov = best.map_or(0.0, |passage| scorer.coverage([passage.terms.as_slice()]));
    let coverage = scorer.coverage(candidate.passages.iter().map(|passage| passage.terms.as_slice()));
    let missing = (1.0 - coverage) * scorer.weight() / scorer.unknown_word();
    let evidence = Evidence { coverage, missing, words: query.words, ..Evidence::default() };
    Some(Ranked { candidate: at, s, score: s, cov, evidence, confidence: 0.0, best_passage })
}

/// The cosine of the passage that is nearest to the question; none where no passage has one.
fn nearest_cosine(candidate: &Candidate) -> Option<f64> {
    candidate.cosines.iter().flatten().copied().filter(|cosine| cosine.is_finite()).max_by(f64::total_cmp)
}

/// The passage that is nearest to the question by its vector.
pub(super) fn nearest_passage(candidate: &Candidate) -> Option<&Passage> {
    let known =
        candidate.passages.iter().zip(&candidate.cosines).filter_map(|(passage, cosine)| Some((passage, (*cosine)?)));
    known.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(passage, _)| passage)
}

/// The scale of one question's cosines. Models differ in what a cosine means, and much less in how far the nearest passages
/// stand out among the candidates, so cosines count by their distance from the candidates' mean in standard deviations.
#[derive(Debug, Clone, Copy)]
struct Nearness {
    mean: f64,
    deviation: f64,
}

impl Nearness {
    /// None where fewer than two candidates have a cosine.
    #[allow(clippy::cast_precision_loss, reason = "there are at most some dozens of candidates")]
    fn of(candidates: &[Candidate]) -> Option<Self> {
        let cosines: Vec<f64> = candidates.iter().filter_map(nearest_cosine).collect();
        if cosines.len() < 2 {
            return None;
        }
        let count = cosines.len() as f64;
        let mean = cosines.iter().sum::<f64>() / count;
        let variance = cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count;
        Some(Self { mean, deviation: variance.sqrt().clamp(LEAST_DEVIATION, GREATEST_DEVIATION) })
    }

    /// How far a candidate stands out; 0 where it has no vector.
    fn of_candidate(self, candidate: &Candidate) -> f64 {
        nearest_cosine(candidate).map_or(0.0, |cosine| (cosine - self.mean) / self.deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Language, Visibility};
    use crate::search::memory::{MemoryIndex, entry, scope};
    use crate::search::{CorpusStats, SearchIndex, VisibilityFilter};
    use crate::text::Analyzer;

    async fn reference_index(vectors: &serde_json::Value) -> MemoryIndex {
        let index = MemoryIndex::default();
        for each in vectors["entries"].as_array().unwrap() {
            let [path, title, content] = ["path", "title", "content"].map(|field| each[field].as_str().unwrap());
            let entry = entry(path, title, content, Visibility::Public);
            index.put(&scope(), &Analyzer::new(Language::English).index_entry(&entry)).await.unwrap();
        }
        index
    }

    /// The confidence that the reference gives to an x; ours weighs more than that.
    fn reference_confidence(x: f64) -> f64 {
        1.0 / (1.0 + (4.877 - 6.453 * x).exp())
    }

    #[tokio::test]
    async fn the_reference_figures_come_out_to_six_digits() {
        let vectors = crate::text::tests::vectors();
        let index = reference_index(&vectors).await;
        for question in vectors["questions"].as_array().unwrap() {
            let query = Analyzer::new(Language::English).query(question["question"].as_str().unwrap());
            let retrieval = index.retrieve(&scope(), &query, None, VisibilityFilter::All).await.unwrap();
            let ranked = rank(&query, &retrieval);
            let expected = question["ranked"].as_array().unwrap();
            assert_eq!(ranked.len(), expected.len(), "{question}");
            for (got, want) in ranked.iter().zip(expected) {
                assert_eq!(retrieval.candidates[got.candidate].path.as_str(), want["path"], "{question}");
                for (got, field) in
                    [(got.s, "S"), (got.cov, "cov"), (reference_confidence(got.evidence.x), "confidence")]
                {
                    let want = want[field].as_f64().unwrap();
                    assert!((got - want).abs() < 1e-6, "{field} {got} {want} {question}");
                }
            }
        }
    }

    #[test]
    fn counts_that_contradict_each_other_still_give_finite_figures() {
        let query = Analyzer::new(Language::English).query("refund card");
        let stats = CorpusStats { word_df: vec![5_000, 7], bigram_df: vec![9], ..CorpusStats::default() };
        let passage = Passage { text: String::new(), terms: query.terms.clone() };
        let candidate = Candidate {
            path: crate::models::WikiPath::parse("a/b").unwrap(),
            version: 1,
            title: String::new(),
            content: String::new(),
            visibility: Visibility::Public,
            title_terms: Vec::new(),
            passages: vec![passage],
            cosines: vec![None],
        };
        let ranked = rank(&query, &Retrieval { stats, candidates: vec![candidate] });
        assert!(ranked.iter().all(|r| r.s.is_finite() && (0.0..=1.0).contains(&r.confidence)));
    }
}
