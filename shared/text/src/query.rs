//! The terms of a question with their weights: as asked, corrected, or carried over from earlier questions; the other
//! words that an entry may say for them, and where a text has them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Analyzer, Repair, word_count};

/// Distinct terms of a question that count (OpenSearch refuses more than 1,024 clauses).
pub const MAX_DISTINCT_TERMS: usize = 128;
/// Distinct bigrams of a question that count; only a question that shuffles the same words over and over has more.
pub const MAX_BIGRAMS: usize = 256;

/// The terms of a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryTerms {
    /// In order and with repetitions; of at most 128 distinct terms.
    pub terms: Vec<String>,
    /// Each once, in order of first appearance.
    pub distinct: Vec<String>,
    /// The weight of each of `distinct`, in its order: 1 for each occurrence, less for a corrected word or one from an
    /// earlier question. 0 has no weight.
    pub weights: Vec<f64>,
    /// Adjacent `terms` joined by one space, each once, in order of first appearance; at most 256.
    pub bigrams: Vec<String>,
    /// The weight of each of `bigrams`, in its order.
    pub bigram_weights: Vec<f64>,
    /// Words of the text, those without meaning too.
    pub words: usize,
    /// Synonyms of terms. Those that the question does not have themselves are in `distinct` or `bigrams` with weight 0.
    pub others: Vec<OtherWord>,
}

/// The form of a synonym in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// One term.
    Word(String),
    /// Two adjacent terms, joined by one space.
    Bigram(String),
    /// One term that a typo may stand for. It counts if no entry has the term that was typed.
    Repaired(String),
}

/// A synonym of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherWord {
    /// The place of the term in [`QueryTerms::distinct`].
    pub of: usize,
    /// Where the synonym is.
    pub place: Place,
    /// The weight of the synonym, relative to that of the term.
    pub weight: f64,
    /// It counts only if no entry has the term.
    pub is_repair: bool,
}

/// The place of a word or phrase in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In [`QueryTerms::distinct`].
    Word(usize),
    /// In [`QueryTerms::bigrams`].
    Bigram(usize),
}

impl QueryTerms {
    /// The terms of one text, each with weight 1 for each occurrence.
    #[must_use]
    pub fn new(terms: impl IntoIterator<Item = String>) -> Self {
        let mut query = Self::default();
        query.append(terms.into_iter().map(|term| (term, 1.0)));
        query
    }

    /// The same question with some terms replaced, each counting `weight` times what it counted, or left out.
    #[must_use]
    pub fn repaired(&self, repairs: &HashMap<String, Repair>, weight: f64) -> Self {
        let mut query = Self { words: self.words, ..Self::default() };
        query.append(self.terms.iter().filter_map(|term| match repairs.get(term) {
            Some(Repair::Word(repaired)) => Some((repaired.clone(), weight)),
            Some(Repair::StopWord) => None,
            None => Some((term.clone(), 1.0)),
        }));
        query
    }

    /// Adds the terms of another question, counting `factor` times what they count there. No bigram spans the two.
    pub fn add(&mut self, other: &Self, factor: f64) {
        for (term, weight) in other.distinct.iter().zip(&other.weights) {
            add_weight(&mut self.distinct, &mut self.weights, term, weight * factor, MAX_DISTINCT_TERMS);
        }
        for (bigram, weight) in other.bigrams.iter().zip(&other.bigram_weights) {
            add_weight(&mut self.bigrams, &mut self.bigram_weights, bigram, weight * factor, MAX_BIGRAMS);
        }
    }

    /// Adds a synonym of the term at place `of` of `distinct`, if there is room for it.
    pub fn add_synonym(&mut self, of: usize, form: &Form, weight: f64) {
        let place = match form {
            Form::Word(word) | Form::Repaired(word) => {
                place_of(&mut self.distinct, &mut self.weights, word, MAX_DISTINCT_TERMS).map(Place::Word)
            }
            Form::Bigram(pair) => {
                place_of(&mut self.bigrams, &mut self.bigram_weights, pair, MAX_BIGRAMS).map(Place::Bigram)
            }
        };
        if let Some(place) = place.filter(|place| *place != Place::Word(of)) {
            self.others.push(OtherWord { of, place, weight, is_repair: matches!(form, Form::Repaired(_)) });
        }
    }

    /// The weight of each of `distinct` and of `bigrams` in a search for candidates, if a bigram that is asked for
    /// counts `bigram_weight`: what it counts for itself, or as a synonym if that is more.
    #[must_use]
    pub fn search_weights(&self, bigram_weight: f64) -> (Vec<f64>, Vec<f64>) {
        let mut words = self.weights.clone();
        let mut bigrams: Vec<f64> = self.bigram_weights.iter().map(|weight| weight * bigram_weight).collect();
        for other in &self.others {
            let asked = self.weights.get(other.of).copied().unwrap_or_default();
            let known = match other.place {
                Place::Word(place) => words.get_mut(place),
                Place::Bigram(place) => bigrams.get_mut(place),
            };
            known.into_iter().for_each(|known| *known = known.max(asked * other.weight));
        }
        (words, bigrams)
    }

    /// Adds one run of terms with their weights.
    fn append(&mut self, run: impl Iterator<Item = (String, f64)>) {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut pairs: HashMap<String, usize> = HashMap::new();
        let mut before: Option<(String, f64)> = None;
        for (term, weight) in run {
            if !count(&mut places, &mut self.distinct, &mut self.weights, &term, weight, MAX_DISTINCT_TERMS) {
                continue;
            }
            if let Some((first, first_weight)) = &before {
                let bigram = format!("{first} {term}");
                let weight = first_weight.min(weight);
                count(&mut pairs, &mut self.bigrams, &mut self.bigram_weights, &bigram, weight, MAX_BIGRAMS);
            }
            self.terms.push(term.clone());
            before = Some((term, weight));
        }
    }
}

/// Adds `weight` to a new or known word; false if it is new and there is no room for another.
fn count(
    places: &mut HashMap<String, usize>,
    words: &mut Vec<String>,
    weights: &mut Vec<f64>,
    word: &str,
    weight: f64,
    room: usize,
) -> bool {
    let Some(place) = places.get(word) else {
        if words.len() == room {
            return false;
        }
        places.insert(word.to_owned(), words.len());
        words.push(word.to_owned());
        weights.push(weight);
        return true;
    };
    if let Some(known) = weights.get_mut(*place) {
        *known += weight;
    }
    true
}

fn add_weight(words: &mut Vec<String>, weights: &mut Vec<f64>, word: &str, weight: f64, room: usize) {
    if let Some(known) = place_of(words, weights, word, room).and_then(|place| weights.get_mut(place)) {
        *known += weight;
    }
}

/// The place of `word`, which is added with weight 0 if it is missing; none if there is no room.
fn place_of(words: &mut Vec<String>, weights: &mut Vec<f64>, word: &str, room: usize) -> Option<usize> {
    let known = words.iter().position(|known| known == word);
    if known.is_none() && words.len() < room {
        words.push(word.to_owned());
        weights.push(0.0);
        return Some(words.len() - 1);
    }
    known
}

impl Analyzer {
    /// A question's terms: of the first [`crate::MAX_DISTINCT_TERMS`] distinct ones, all repetitions and their bigrams.
    #[must_use]
    pub fn query(&self, text: &str) -> QueryTerms {
        QueryTerms { words: word_count(text), ..QueryTerms::new(self.terms(text)) }
    }
}

/// A part of a text that matches as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Segment {
    /// The part, as written; all parts together are the text.
    pub text: String,
    /// Whether its words are among the question's terms.
    #[serde(rename = "match")]
    pub matched: bool,
}

/// Cuts `text` into segments that match `query` and segments that do not; together they are the text.
#[must_use]
pub fn highlight(analyzer: &Analyzer, query: &QueryTerms, text: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut at = 0;
    for matched in matches(analyzer, query, text) {
        push(&mut segments, text, at..matched.start, false);
        at = matched.end;
        push(&mut segments, text, matched, true);
    }
    push(&mut segments, text, at..text.len(), false);
    segments
}

/// The byte ranges of words whose term, or a part, is in `query`, in order, without overlap.
fn matches(analyzer: &Analyzer, query: &QueryTerms, text: &str) -> Vec<Range<usize>> {
    let wanted: HashSet<&str> = query.distinct.iter().map(String::as_str).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    analyzer.each_indexed_term(text, |range, term| found.extend(wanted.contains(term.as_str()).then_some(range)));
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in found {
        match ranges.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges
}

fn push(segments: &mut Vec<Segment>, text: &str, range: Range<usize>, matched: bool) {
    if let Some(part) = text.get(range).filter(|part| !part.is_empty()) {
        segments.push(Segment { text: part.to_owned(), matched });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> QueryTerms {
        QueryTerms::new(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn words_and_neighbours_count_as_often_as_they_stand_there() {
        let query = query("gift card gift card");
        assert_eq!((query.distinct.join(" "), query.weights), ("gift card".to_owned(), vec![2.0, 2.0]));
        assert_eq!(query.bigrams, ["gift card", "card gift"]);
        assert_eq!(query.bigram_weights, [2.0, 1.0]);
    }

    #[test]
    fn a_repaired_word_counts_less_and_joins_the_word_it_was_meant_to_be() {
        let card = Repair::Word("card".to_owned());
        let repairs = HashMap::from([("crad".to_owned(), card), ("waht".to_owned(), Repair::StopWord)]);
        let repaired = query("gift waht crad card").repaired(&repairs, 0.5);
        assert_eq!((repaired.distinct.join(" "), repaired.weights), ("gift card".to_owned(), vec![1.0, 1.5]));
        assert_eq!(repaired.bigrams, ["gift card", "card card"]);
        assert_eq!(repaired.bigram_weights, [0.5, 0.5]);
    }

    #[test]
    fn an_earlier_question_adds_its_words_for_less_and_no_bigram_across() {
        let mut both = query("price card");
        both.add(&query("card fee"), 0.5);
        assert_eq!((both.distinct.join(" "), both.weights), ("price card fee".to_owned(), vec![1.0, 1.5, 0.5]));
        assert_eq!(both.bigrams, ["price card", "card fee"]);
        assert_eq!(both.bigram_weights, [1.0, 0.5]);
        assert_eq!(both.terms, ["price", "card"]);
    }

    #[test]
    fn a_synonym_is_searched_for_less_and_is_not_asked_for_itself() {
        let mut asked = query("refund fee");
        asked.add_synonym(0, &Form::Bigram("money back".into()), 0.5);
        asked.add_synonym(1, &Form::Word("price".into()), 0.5);
        asked.add_synonym(1, &Form::Word("refund".into()), 0.5);
        asked.add_synonym(1, &Form::Word("fee".into()), 0.5);
        assert_eq!((asked.distinct.join(" "), &asked.weights), ("refund fee price".to_owned(), &vec![1.0, 1.0, 0.0]));
        assert_eq!(asked.others.len(), 3, "a word is no synonym of itself");
        assert_eq!(asked.search_weights(0.25), (vec![1.0, 1.0, 0.5], vec![0.25, 0.5]));
    }

    #[test]
    fn several_questions_together_stay_within_what_an_index_takes() {
        let many = |from: usize| QueryTerms::new((from..from + 200).map(|n| format!("w{n}")));
        let mut all = many(0);
        all.add(&many(100), 1.0);
        all.add(&many(300), 1.0);
        assert_eq!((all.distinct.len(), all.weights.len()), (MAX_DISTINCT_TERMS, MAX_DISTINCT_TERMS));
        assert!(all.bigrams.len() <= MAX_BIGRAMS && all.bigrams.len() == all.bigram_weights.len());
    }
}
