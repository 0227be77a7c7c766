//! Turns text into terms: removes stop words, folds accents, stems.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use crate::accents::fold_accents;
use crate::parts::{Word, each_part, without_parts};
use crate::sentences::passages;
use crate::words::{each_word, is_name, stop_words};
use crate::{Language, images};

/// One passage of an entry: about 90 words of whole sentences.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Passage {
    /// The sentences, without the title.
    pub text: String,
    /// The title's words, then the text's; bigrams are adjacent words of this sequence. Then the parts of both
    /// ([`without_parts`]).
    pub terms: Vec<String>,
}

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
        let stem = self.stemmer();
        each_word(self.language, text, |range, word| {
            if let Some((term, true)) = stem(word) {
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
        self.stemmer()(word).filter(|(_, is_term)| *is_term).map(|(term, _)| term)
    }

    /// The stem of a word, also of a stop word.
    pub(crate) fn stem_of(&self, word: &str) -> String {
        self.stemmer()(word).map_or_else(String::new, |(stem, _)| stem)
    }

    /// The stem of every word of `text`, in order, and whether it is a term; a stop word is none.
    pub(crate) fn spoken(&self, text: &str) -> Vec<(String, bool)> {
        let stem = self.stemmer();
        let mut spoken = Vec::new();
        each_word(self.language, text, |_, word| spoken.extend(stem(word)));
        spoken
    }

    /// Gives the stem of a word, and whether it is a term.
    fn stemmer(&self) -> impl Fn(&str) -> Option<(String, bool)> + use<> {
        let is_english = self.language == Language::English;
        let stop = stop_words(self.language);
        let stemmer = Stemmer::create(by_name!(self.language => Algorithm));
        move |word| match word {
            name if is_name(name) => Some((name.to_owned(), true)),
            "" => None,
            word if is_english => {
                let word = fold_accents(word);
                (!word.is_empty()).then(|| (stemmer.stem(&word).into_owned(), !stop.contains(&word)))
            }
            word => {
                let stem = fold_accents(&stemmer.stem(word));
                Some((if stem.is_empty() { word.to_owned() } else { stem }, !stop.contains(word)))
            }
        }
    }

    /// Cuts an entry into passages of about 90 words, without its images; there is always at least one.
    #[must_use]
    pub fn passages(&self, title: &str, content: &str) -> Vec<Passage> {
        let title_terms = self.indexed_terms(title);
        let title_words = without_parts(&title_terms);
        let title_parts = title_terms.get(title_words.len()..).unwrap_or_default();
        passages(&images::without(content))
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
