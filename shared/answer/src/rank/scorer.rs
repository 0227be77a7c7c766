//! BM25 of words, bigrams and titles over one tenant's own counts.

use std::collections::HashMap;

use crate::search::{BIGRAM_WEIGHT, Bm25, CorpusStats, FieldStats, TITLE_WEIGHT};
use text::{Passage, QueryTerms};

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
            word_idf: places.clone().map(|place| Bm25::new(stats.words).idf(df(&stats.word_df, place))).collect(),
            title_idf: places.map(|place| Bm25::new(stats.titles).idf(df(&stats.title_df, place))).collect(),
            bigrams: weigh_bigrams(query, stats, &words),
            bigram_places: query.bigrams.len(),
            words,
            asked: &query.weights,
            stats,
            idf_max: Bm25::new(stats.words).idf(0),
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
        let norm = norm(length.saturating_sub(1), &self.stats.bigrams);
        let bigrams: f64 = self
            .bigrams
            .values()
            .map(|bigram| {
                let tf = bigram_counts.get(bigram.place).copied().unwrap_or(0.0);
                bigram.weight * Bm25::frequency(tf, norm)
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
        let norm = norm(length, field);
        let terms = idf.iter().zip(counts).zip(self.asked);
        terms.map(|((idf, tf), asked)| idf * asked * Bm25::frequency(*tf, norm)).sum()
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
        Some((pair, Bigram { place, weight: asked * Bm25::new(stats.bigrams).idf(df(&stats.bigram_df, place)) }))
    });
    weighed.collect()
}

fn norm(length: usize, field: &FieldStats) -> f64 {
    Bm25::new(*field).norm(u64::try_from(length).unwrap_or(u64::MAX))
}

fn df(counts: &[u64], place: usize) -> u64 {
    counts.get(place).copied().unwrap_or(0)
}

fn count(counts: &mut [f64], place: Option<usize>) {
    if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
        *count += 1.0;
    }
}
