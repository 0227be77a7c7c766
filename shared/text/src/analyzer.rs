//! Turns text into terms: removes stop words, folds accents, stems.

use std::collections::HashSet;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use super::accents::fold_accents;
use super::parts::{Word, each_part, without_parts};
use super::query::QueryTerms;
use super::words::{each_word, is_name};
use super::{Passage, images, passages, stop_words, word_count};
use crate::Language;

/// The analysis of one language; cheap to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Analyzer {
    language: Language,
}

impl Analyzer {
    /// The analysis of `language`.
    #[must_use]
    pub const fn new(language: Language) -> Self {
        Self { language }
    }

    #[must_use]
    pub const fn language(&self) -> Language {
        self.language
    }

    /// The terms of `text`, in order and with repetitions.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.each_term(text, |_, term| terms.push(term));
        terms
    }

    /// Calls `emit` with each term and the byte range of the word it was made from, in order.
    pub fn each_term(&self, text: &str, mut emit: impl FnMut(Range<usize>, String)) {
        let stop = stop_words::stop_words(self.language);
        let stemmer = Stemmer::create(algorithm(self.language));
        each_word(self.language, text, |range, word| {
            if let Some((term, true)) = self.stem(stop, &stemmer, word) {
                emit(range, term);
            }
        });
    }

    /// The terms of `text` as an index keeps them: its words, then their parts, by which it is found for less
    /// ([`crate::without_parts`]).
    #[must_use]
    pub fn indexed_terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.each_indexed_term(text, |_, term| terms.push(term));
        terms
    }

    /// Calls `emit` with each of [`Analyzer::indexed_terms`] and the byte range of the word it was made from: the words in
    /// order, then the parts.
    pub fn each_indexed_term(&self, text: &str, mut emit: impl FnMut(Range<usize>, String)) {
        let words = self.words(text);
        for (range, word) in &words {
            self.term(word).into_iter().for_each(|term| emit(range.clone(), term));
        }
        each_part(self.language, text, &words, |word| self.stem_of(word), emit);
    }

    /// The words of `text`, in order.
    pub(crate) fn words(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        each_word(self.language, text, |range, word| words.push((range, word.to_owned())));
        words
    }

    /// The term of a word; none for a stop word.
    pub(crate) fn term(&self, word: &str) -> Option<String> {
        let stemmer = Stemmer::create(algorithm(self.language));
        let stem = self.stem(stop_words::stop_words(self.language), &stemmer, word);
        stem.filter(|(_, is_term)| *is_term).map(|(term, _)| term)
    }

    /// The stem of a word, also of a stop word.
    pub(crate) fn stem_of(&self, word: &str) -> String {
        let stemmer = Stemmer::create(algorithm(self.language));
        self.stem(stop_words::stop_words(self.language), &stemmer, word).map_or_else(String::new, |(stem, _)| stem)
    }

    /// The stem of every word of `text`, in order, and whether it is a term; a stop word is none.
    pub(crate) fn spoken(&self, text: &str) -> Vec<(String, bool)> {
        let stop = stop_words::stop_words(self.language);
        let stemmer = Stemmer::create(algorithm(self.language));
        let mut spoken = Vec::new();
        each_word(self.language, text, |_, word| spoken.extend(self.stem(stop, &stemmer, word)));
        spoken
    }

    fn stem(&self, stop: &HashSet<String>, stemmer: &Stemmer, word: &str) -> Option<(String, bool)> {
        if is_name(word) {
            return Some((word.to_owned(), true));
        }
        if self.language == Language::English {
            let word = fold_accents(word);
            return (!word.is_empty()).then(|| (stemmer.stem(&word).into_owned(), !stop.contains(&word)));
        }
        if word.is_empty() {
            return None;
        }
        let stem = fold_accents(&stemmer.stem(word));
        Some((if stem.is_empty() { word.to_owned() } else { stem }, !stop.contains(word)))
    }

    /// A question's terms: of the first [`crate::MAX_DISTINCT_TERMS`] distinct ones, all repetitions and their bigrams.
    #[must_use]
    pub fn query(&self, text: &str) -> QueryTerms {
        QueryTerms { words: word_count(text), ..QueryTerms::new(self.terms(text)) }
    }

    /// Cuts an entry into passages of about 90 words, without its images; there is always at least one.
    #[must_use]
    pub fn passages(&self, title: &str, content: &str) -> Vec<Passage> {
        let title_terms = self.indexed_terms(title);
        let title_words = without_parts(&title_terms);
        let title_parts = title_terms.get(title_words.len()..).unwrap_or_default();
        passages::texts(&images::without(content))
            .into_iter()
            .map(|text| {
                let own = self.indexed_terms(&text);
                let words = without_parts(&own);
                let parts = own.get(words.len()..).unwrap_or_default();
                Passage { terms: [title_words, words, title_parts, parts].concat(), text }
            })
            .collect()
    }
}

/// Adjacent words of some terms, joined by one space.
pub fn bigrams(terms: &[String]) -> impl Iterator<Item = String> {
    let terms = without_parts(terms);
    terms.iter().zip(terms.iter().skip(1)).map(|(first, second)| format!("{first} {second}"))
}

const fn algorithm(language: Language) -> Algorithm {
    match language {
        Language::Arabic => Algorithm::Arabic,
        Language::Danish => Algorithm::Danish,
        Language::Dutch => Algorithm::Dutch,
        Language::English => Algorithm::English,
        Language::Finnish => Algorithm::Finnish,
        Language::French => Algorithm::French,
        Language::German => Algorithm::German,
        Language::Greek => Algorithm::Greek,
        Language::Hungarian => Algorithm::Hungarian,
        Language::Italian => Algorithm::Italian,
        Language::Norwegian => Algorithm::Norwegian,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Romanian => Algorithm::Romanian,
        Language::Russian => Algorithm::Russian,
        Language::Spanish => Algorithm::Spanish,
        Language::Swedish => Algorithm::Swedish,
        Language::Tamil => Algorithm::Tamil,
        Language::Turkish => Algorithm::Turkish,
    }
}
