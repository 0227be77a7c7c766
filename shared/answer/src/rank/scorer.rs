//! BM25 of words, bigrams and titles over one tenant's own counts.

use std::collections::HashMap;

use crate::search::{BIGRAM_WEIGHT, CorpusStats, FieldStats, TITLE_WEIGHT};
use text::{Passage, QueryTerms};

/// BM25: how fast repetitions stop counting.
const K1: f64 = 0.9;
/// BM25: how much longer passages are held back.
const B: f64 = 0.4;
/// Virtual empty passages (and entries): what makes a wiki of one entry behave like one of thousands.
const VIRTUAL_DOCUMENTS: f64 = 1000.0;

/// What the words of one question weigh in one tenant's wiki.
pub(crate) struct Scorer<'a> {
    words: HashMap<&'a str, usize>,
    /// What each word counts for in the question.
    asked: &'a [f64],
    word_idf: Vec<f64>,
    title_idf: Vec<f64>,
    bigrams: HashMap<(usize, usize), Bigram>,
    bigram_places: usize,
    stats: &'a CorpusStats,
    /// The idf of a word that no passage has.
    idf_max: f64,
}

struct Bigram {
    place: usize,
    weight: f64,
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(query: &'a QueryTerms, stats: &'a CorpusStats) -> Self {
        let words: HashMap<&str, usize> =
            query.distinct.iter().enumerate().map(|(place, term)| (term.as_str(), place)).collect();
        let places = 0..query.distinct.len();
        Self {
            word_idf: places.clone().map(|place| idf(&stats.words, df(&stats.word_df, place))).collect(),
            title_idf: places.map(|place| idf(&stats.titles, df(&stats.title_df, place))).collect(),
            bigrams: weigh_bigrams(query, stats, &words),
            bigram_places: query.bigrams.len(),
            words,
            asked: &query.weights,
            stats,
            idf_max: idf(&stats.words, 0),
        }
    }

    /// What a word weighs that no passage has.
    pub(crate) const fn unknown_word(&self) -> f64 {
        self.idf_max
    }

    /// How near a passage is: BM25 of its words and, for less, of its bigrams.
    pub(crate) fn passage_score(&self, passage: &Passage) -> f64 {
        self.text_score(&passage.terms)
    }

    /// How near any text's terms are, measured as a passage.
    pub(crate) fn text_score(&self, terms: &[String]) -> f64 {
        let mut word_counts = vec![0.0; self.words.len()];
        let mut bigram_counts = vec![0.0; self.bigram_places];
        let mut before = None;
        for term in terms {
            let place = self.words.get(term.as_str()).copied();
            count(&mut word_counts, place);
            let bigram = before.zip(place).and_then(|pair| self.bigrams.get(&pair));
            count(&mut bigram_counts, bigram.map(|bigram| bigram.place));
            before = place;
        }
        let length = terms.len();
        let words = self.sum(&self.word_idf, &word_counts, length, &self.stats.words);
        let saturation = Saturation::new(length.saturating_sub(1), &self.stats.bigrams);
        let bigrams: f64 = self
            .bigrams
            .values()
            .map(|bigram| {
                let tf = bigram_counts.get(bigram.place).copied().unwrap_or(0.0);
                bigram.weight * saturation.of(tf)
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
        TITLE_WEIGHT * self.sum(&self.title_idf, &counts, title_terms.len(), &self.stats.titles)
    }

    fn sum(&self, idf: &[f64], counts: &[f64], length: usize, field: &FieldStats) -> f64 {
        let saturation = Saturation::new(length, field);
        let terms = idf.iter().zip(counts).zip(self.asked);
        terms.map(|((idf, tf), asked)| idf * asked * saturation.of(*tf)).sum()
    }

    /// The share of the question's words, by weight, that some texts contain together: 0-1. Unknown words count in the
    /// denominator; a word counts once, however often it occurs in the question.
    pub(super) fn coverage<'t>(&self, terms: impl IntoIterator<Item = &'t [String]>) -> f64 {
        let mut found = vec![0.0; self.words.len()];
        for term in terms.into_iter().flatten() {
            count(&mut found, self.words.get(term.as_str()).copied());
        }
        let here =
            self.weights_of_asked().zip(&found).filter(|(_, tf)| **tf > 0.0).map(|(weight, _)| weight).sum::<f64>();
        let all = self.weight();
        if all > 0.0 { here / all } else { 0.0 }
    }

    /// What all words of the question weigh together, each once.
    pub(super) fn weight(&self) -> f64 {
        self.weights_of_asked().sum()
    }

    fn weights_of_asked(&self) -> impl Iterator<Item = f64> {
        self.word_idf.iter().zip(self.asked).map(|(idf, asked)| idf * asked.min(1.0))
    }
}

fn weigh_bigrams(
    query: &QueryTerms,
    stats: &CorpusStats,
    words: &HashMap<&str, usize>,
) -> HashMap<(usize, usize), Bigram> {
    let weighed = query.bigrams.iter().zip(&query.bigram_weights).enumerate().filter_map(|(place, (bigram, asked))| {
        let (first, second) = bigram.split_once(' ')?;
        let pair = (*words.get(first)?, *words.get(second)?);
        Some((pair, Bigram { place, weight: asked * idf(&stats.bigrams, df(&stats.bigram_df, place)) }))
    });
    weighed.collect()
}

/// The weight of a term's count in a text of some length.
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
