//! The terms of a text by how often it has them, and its score in a search for candidates.

use std::collections::HashMap;

use super::{BIGRAM_WEIGHT, Bm25, CorpusStats, TITLE_WEIGHT};
use text::{QueryTerms, bigrams, without_parts};

/// A passage or a title, counted.
#[derive(Debug, Clone)]
pub(super) struct CountedText {
    length: u64,
    words: HashMap<String, u32>,
    bigrams: HashMap<String, u32>,
}

impl CountedText {
    pub(super) fn of(terms: &[String]) -> Self {
        let (mut words, mut pairs) = (HashMap::new(), HashMap::new());
        terms.iter().for_each(|term| *words.entry(term.clone()).or_default() += 1);
        bigrams(terms).for_each(|pair| *pairs.entry(pair).or_default() += 1);
        let length = u64::try_from(without_parts(terms).len()).unwrap_or(u64::MAX);
        Self { length, words, bigrams: pairs }
    }

    /// How many terms it has.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// How many adjacent pairs of terms it has.
    pub(super) const fn bigram_length(&self) -> u64 {
        self.length.saturating_sub(1)
    }

    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    pub(super) fn has_bigram(&self, bigram: &str) -> bool {
        self.bigrams.contains_key(bigram)
    }

    /// Its words, each once.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.keys().map(String::as_str)
    }
}

/// The weights of a question's words in an index's search for candidates.
#[derive(Debug)]
pub(super) struct SearchScore<'a> {
    query: &'a QueryTerms,
    stats: &'a CorpusStats,
    words: Vec<f64>,
    titles: Vec<f64>,
    bigrams: Vec<f64>,
}

impl<'a> SearchScore<'a> {
    pub(super) fn new(query: &'a QueryTerms, stats: &'a CorpusStats) -> Self {
        let (words, bigrams) = query.search_weights(BIGRAM_WEIGHT);
        let weigh = |weights: &[f64], bm25: Bm25, df: &[u64]| -> Vec<f64> {
            weights.iter().zip(df).map(|(weight, df)| weight * bm25.idf(*df)).collect()
        };
        let titles: Vec<f64> = words.iter().map(|weight| weight * TITLE_WEIGHT).collect();
        Self {
            words: weigh(&words, Bm25::new(stats.words), &stats.word_df),
            titles: weigh(&titles, Bm25::new(stats.titles), &stats.title_df),
            bigrams: weigh(&bigrams, Bm25::new(stats.bigrams), &stats.bigram_df),
            query,
            stats,
        }
    }

    /// A passage's: its words and, for less, its bigrams.
    pub(super) fn passage(&self, text: &CountedText) -> f64 {
        let words = Bm25::new(self.stats.words).norm(text.length());
        let bigrams = Bm25::new(self.stats.bigrams).norm(text.bigram_length());
        sum(&self.query.distinct, &self.words, &text.words, words)
            + sum(&self.query.bigrams, &self.bigrams, &text.bigrams, bigrams)
    }

    /// A title's, at its weight.
    pub(super) fn title(&self, text: &CountedText) -> f64 {
        let norm = Bm25::new(self.stats.titles).norm(text.length());
        sum(&self.query.distinct, &self.titles, &text.words, norm)
    }
}

fn sum(asked: &[String], weights: &[f64], counts: &HashMap<String, u32>, norm: f64) -> f64 {
    let score = |(word, weight): (&String, &f64)| {
        counts.get(word).map_or(0.0, |count| weight * Bm25::frequency(f64::from(*count), norm))
    };
    asked.iter().zip(weights).map(score).sum()
}
