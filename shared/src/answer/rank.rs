//! How near an entry is to a question, and how sure that makes us: the formula and its constants.
//!
//! Everything is computed from the tenant's own counts and the candidates' terms, so every index gives the same figures.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::search::{Candidate, CorpusStats, FieldStats, Retrieval};
use crate::text::{Passage, QueryTerms};

/// BM25: how fast repetitions stop counting.
const K1: f64 = 0.9;
/// BM25: how much longer passages are held back.
const B: f64 = 0.4;
/// Virtual empty passages (and entries): what makes a wiki of one entry behave like one of thousands.
const VIRTUAL_DOCUMENTS: f64 = 1000.0;
/// What neighbouring words count for, beside the words.
const BIGRAM_WEIGHT: f64 = 0.25;
/// What the title counts for, beside the passage.
const TITLE_WEIGHT: f64 = 0.25;
/// Confidence is the logistic function of `SLOPE · x - OFFSET`.
const SLOPE: f64 = 6.453;
/// See [`SLOPE`].
const OFFSET: f64 = 4.877;

/// A candidate with its figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its place in [`Retrieval::candidates`].
    pub candidate: usize,
    /// How near it is; the order of the ranking.
    pub s: f64,
    /// The share of the question's words, by weight, that its best passage has: 0-1.
    pub cov: f64,
    /// The chance that it has the answer: 0-1.
    pub confidence: f64,
    /// The place of its best passage in [`Candidate::passages`].
    pub best_passage: usize,
}

/// Ranks the candidates of a question, nearest first; those without any of its words are left out.
#[must_use]
pub fn rank(query: &QueryTerms, retrieval: &Retrieval) -> Vec<Ranked> {
    let scorer = Scorer::new(query, &retrieval.stats);
    let mut ranked: Vec<Ranked> = retrieval
        .candidates
        .iter()
        .enumerate()
        .filter_map(|(at, candidate)| scorer.rank_candidate(at, candidate))
        .collect();
    ranked.sort_by(|a, b| b.s.partial_cmp(&a.s).unwrap_or(Ordering::Equal));
    ranked
}

/// What the words of one question weigh in one tenant's wiki.
pub(crate) struct Scorer<'a> {
    words: HashMap<&'a str, usize>,
    word_weights: Vec<f64>,
    title_weights: Vec<f64>,
    repetitions: Vec<f64>,
    bigrams: HashMap<(usize, usize), Bigram>,
    stats: &'a CorpusStats,
    idf_max: f64,
}

struct Bigram {
    place: usize,
    weight: f64,
    repetitions: f64,
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(query: &'a QueryTerms, stats: &'a CorpusStats) -> Self {
        let words: HashMap<&str, usize> =
            query.distinct.iter().enumerate().map(|(place, term)| (term.as_str(), place)).collect();
        let mut repetitions = vec![0.0; query.distinct.len()];
        for term in &query.terms {
            if let Some(count) = words.get(term.as_str()).and_then(|place| repetitions.get_mut(*place)) {
                *count += 1.0;
            }
        }
        let places = 0..query.distinct.len();
        Self {
            word_weights: places.clone().map(|place| idf(&stats.words, df(&stats.word_df, place))).collect(),
            title_weights: places.map(|place| idf(&stats.titles, df(&stats.title_df, place))).collect(),
            bigrams: weigh_bigrams(query, stats, &words),
            words,
            repetitions,
            stats,
            idf_max: idf(&stats.words, 0),
        }
    }

    fn rank_candidate(&self, at: usize, candidate: &Candidate) -> Option<Ranked> {
        let scores = candidate.passages.iter().map(|passage| self.passage_score(passage)).enumerate();
        let (best_passage, passage_score) = scores.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))?;
        let s = passage_score + self.title_score(&candidate.title_terms);
        if s <= 0.0 || !s.is_finite() {
            return None;
        }
        let cov = candidate.passages.get(best_passage).map_or(0.0, |passage| self.coverage(passage));
        Some(Ranked { candidate: at, s, cov, confidence: self.confidence(s, cov), best_passage })
    }

    /// How near a passage is: BM25 of its words and, for less, of its bigrams.
    pub(crate) fn passage_score(&self, passage: &Passage) -> f64 {
        self.text_score(&passage.terms)
    }

    /// How near any text's terms are, measured as a passage.
    pub(crate) fn text_score(&self, terms: &[String]) -> f64 {
        let mut word_counts = vec![0.0; self.words.len()];
        let mut bigram_counts = vec![0.0; self.bigrams.len()];
        let mut before = None;
        for term in terms {
            let place = self.words.get(term.as_str()).copied();
            count(&mut word_counts, place);
            let bigram = before.zip(place).and_then(|pair| self.bigrams.get(&pair));
            count(&mut bigram_counts, bigram.map(|bigram| bigram.place));
            before = place;
        }
        let length = terms.len();
        let words = self.sum(&self.word_weights, &word_counts, length, &self.stats.words);
        let saturation = Saturation::new(length.saturating_sub(1), &self.stats.bigrams);
        let bigrams: f64 = self
            .bigrams
            .values()
            .map(|bigram| {
                let tf = bigram_counts.get(bigram.place).copied().unwrap_or(0.0);
                bigram.weight * bigram.repetitions * saturation.of(tf)
            })
            .sum();
        words + BIGRAM_WEIGHT * bigrams
    }

    /// BM25 of the title, at its weight.
    pub(crate) fn title_score(&self, title_terms: &[String]) -> f64 {
        let mut counts = vec![0.0; self.words.len()];
        for term in title_terms {
            count(&mut counts, self.words.get(term.as_str()).copied());
        }
        TITLE_WEIGHT * self.sum(&self.title_weights, &counts, title_terms.len(), &self.stats.titles)
    }

    fn sum(&self, weights: &[f64], counts: &[f64], length: usize, field: &FieldStats) -> f64 {
        let saturation = Saturation::new(length, field);
        let terms = weights.iter().zip(counts).zip(&self.repetitions);
        terms.map(|((weight, tf), repetitions)| weight * repetitions * saturation.of(*tf)).sum()
    }

    /// The share of the question's words that a passage has; unknown words stay in the denominator.
    fn coverage(&self, passage: &Passage) -> f64 {
        let mut found = vec![0.0; self.words.len()];
        for term in &passage.terms {
            count(&mut found, self.words.get(term.as_str()).copied());
        }
        let all: f64 = self.word_weights.iter().sum();
        let here: f64 =
            self.word_weights.iter().zip(&found).filter(|(_, tf)| **tf > 0.0).map(|(weight, _)| weight).sum();
        if all > 0.0 { here / all } else { 0.0 }
    }

    fn confidence(&self, s: f64, cov: f64) -> f64 {
        let x = cov.sqrt() * (s / self.idf_max).ln_1p();
        1.0 / (1.0 + (OFFSET - SLOPE * x).exp())
    }
}

fn weigh_bigrams(
    query: &QueryTerms,
    stats: &CorpusStats,
    words: &HashMap<&str, usize>,
) -> HashMap<(usize, usize), Bigram> {
    let known: HashMap<&str, usize> =
        query.bigrams.iter().enumerate().map(|(place, bigram)| (bigram.as_str(), place)).collect();
    let mut bigrams = HashMap::new();
    for (first, second) in query.terms.iter().zip(query.terms.iter().skip(1)) {
        let (Some(a), Some(b)) = (words.get(first.as_str()), words.get(second.as_str())) else { continue };
        let Some(place) = known.get(format!("{first} {second}").as_str()).copied() else { continue };
        let bigram = bigrams.entry((*a, *b)).or_insert_with(|| Bigram {
            place,
            weight: idf(&stats.bigrams, df(&stats.bigram_df, place)),
            repetitions: 0.0,
        });
        bigram.repetitions += 1.0;
    }
    bigrams
}

/// How much a term's count in a text of some length is worth.
struct Saturation {
    norm: f64,
}

impl Saturation {
    #[allow(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
    fn new(length: usize, field: &FieldStats) -> Self {
        let relative = if field.mean_length > 0.0 { length as f64 / field.mean_length } else { 1.0 };
        Self { norm: K1 * (1.0 - B + B * relative) }
    }

    fn of(&self, tf: f64) -> f64 {
        if tf > 0.0 { tf * (K1 + 1.0) / (tf + self.norm) } else { 0.0 }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn idf(field: &FieldStats, df: u64) -> f64 {
    let df = df as f64;
    let without = (field.count as f64 + VIRTUAL_DOCUMENTS - df).max(0.0);
    ((without + 0.5) / (df + 0.5)).ln_1p()
}

fn df(counts: &[u64], place: usize) -> u64 {
    counts.get(place).copied().unwrap_or(0)
}

fn count(counts: &mut [f64], place: Option<usize>) {
    if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
        *count += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Language, Visibility};
    use crate::search::memory::{MemoryIndex, entry, scope};
    use crate::search::{SearchIndex, VisibilityFilter};
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
                for (got, field) in [(got.s, "S"), (got.cov, "cov"), (got.confidence, "confidence")] {
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
