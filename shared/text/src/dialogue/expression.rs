//! Regular expressions over words instead of characters.
//!
//! Each word in a language's tables is encoded as one character, every other word as [`UNKNOWN`]. A clause of a message
//! becomes a short string of such characters. A phrase ([`super::phrasebook`]) becomes an expression of the `regex` crate over
//! them, which takes linear time.

use std::collections::HashMap;

use regex::Regex;

use super::phrasebook::{Piece, pieces};
use super::words::{Clause, words};

/// Every word that no table uses.
const UNKNOWN: char = '\u{F8FF}';
/// The first character of the private use area, from which words are numbered.
const FIRST: u32 = 0xE000;
/// Ends each clause.
pub(super) const CLAUSE_END: char = '\n';

/// The words of one language's tables.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    exact: HashMap<String, char>,
    /// Beginnings of words, longest first.
    beginnings: Vec<(String, char)>,
}

impl Vocabulary {
    /// The words of all `phrases`.
    pub(super) fn of<'a>(phrases: impl Iterator<Item = &'a str>) -> Self {
        let mut vocabulary = Self::default();
        for phrase in phrases {
            for piece in pieces(phrase) {
                let Piece::Words { text, any_ending } = piece else { continue };
                for word in words(text) {
                    vocabulary.add(word, any_ending);
                }
            }
        }
        vocabulary.beginnings.sort_by_key(|(beginning, _)| std::cmp::Reverse(beginning.len()));
        vocabulary
    }

    fn add(&mut self, word: String, any_ending: bool) {
        let known = self.beginnings.iter().any(|(beginning, _)| *beginning == word);
        let next = u32::try_from(self.exact.len() + self.beginnings.len()).unwrap_or(u32::MAX);
        let symbol = char::from_u32(FIRST.saturating_add(next)).filter(|c| *c < UNKNOWN).unwrap_or(UNKNOWN);
        match any_ending {
            true if !known => self.beginnings.push((word, symbol)),
            true => {}
            false => {
                self.exact.entry(word).or_insert(symbol);
            }
        }
    }

    /// Whether a table uses `word`.
    #[cfg(test)]
    pub(super) fn has(&self, word: &str) -> bool {
        self.symbol(word) != UNKNOWN
    }

    /// Every word of the tables.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.exact.keys().chain(self.beginnings.iter().map(|(beginning, _)| beginning))
    }

    fn symbol(&self, word: &str) -> char {
        let begins = || self.beginnings.iter().find(|(beginning, _)| word.starts_with(beginning)).map(|(_, c)| *c);
        self.exact.get(word).copied().or_else(begins).unwrap_or(UNKNOWN)
    }

    /// Clauses as the string that expressions are compared with.
    pub(super) fn encode(&self, clauses: &[Clause]) -> String {
        let mut text = String::new();
        for clause in clauses {
            text.extend(clause.iter().map(|word| self.symbol(word)));
            text.push(CLAUSE_END);
        }
        text
    }

    /// A phrase as an expression over encoded clauses; `lists` are expressions already.
    pub(super) fn expression(&self, phrase: &str, lists: &HashMap<&str, String>) -> String {
        let mut all = String::new();
        for piece in pieces(phrase) {
            match piece {
                Piece::Words { text, any_ending: true } => all.push_str(&self.beginning(text)),
                Piece::Words { text, any_ending: false } => {
                    let symbols: String = words(text).iter().map(|word| self.symbol(word)).collect();
                    all.push_str(&format!("(?:{symbols})"));
                }
                Piece::List(name) => all.push_str(lists.get(name).map_or("", String::as_str)),
                Piece::Syntax(syntax) => all.push_str(syntax),
            }
        }
        all
    }

    /// One of a list's alternatives, the longest that fits; none for an empty list.
    pub(super) fn list(&self, alternatives: &str) -> Option<String> {
        let none = HashMap::new();
        let mut all: Vec<(usize, String)> = alternatives
            .split('|')
            .filter(|phrase| !phrase.trim().is_empty())
            .map(|phrase| (words(phrase).len(), self.expression(phrase, &none)))
            .collect();
        all.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        let all: Vec<String> = all.into_iter().map(|(_, expression)| expression).collect();
        (!all.is_empty()).then(|| format!("(?:{})", all.join("|")))
    }

    /// The symbols of a list's alternatives of one word, for a class of characters.
    pub(super) fn symbols(&self, alternatives: &str) -> String {
        let single = alternatives.split('|').map(words).filter(|words| words.len() == 1);
        single.flatten().map(|word| self.symbol(&word)).filter(|symbol| *symbol != UNKNOWN).collect()
    }

    /// Every word that begins so, those included that have a symbol of their own.
    fn beginning(&self, text: &str) -> String {
        let beginning = words(text).concat();
        let exact = self.exact.iter().filter(|(word, _)| word.starts_with(&beginning)).map(|(_, symbol)| *symbol);
        let longer = self.beginnings.iter().filter(|(word, _)| word.starts_with(&beginning)).map(|(_, symbol)| *symbol);
        let symbols: String = exact.chain(longer).collect();
        format!("[{symbols}]")
    }
}

/// Compiles an expression; a table that does not compile is logged and matches nothing. A test compiles every table.
pub(super) fn compile(expression: &str) -> Option<Regex> {
    let compiled = Regex::new(expression);
    if let Err(error) = &compiled {
        tracing::error!(error = %error, "a phrase table does not compile; correct it in shared/text/src/dialogue/languages");
    }
    compiled.ok()
}
