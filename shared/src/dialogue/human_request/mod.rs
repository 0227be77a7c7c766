//! Whether the words of a customer ask for a human.
//!
//! A message asks where one of its sentences does; what its other sentences ask is still answered. [`Tables`] is what a
//! language says, `reader` compares it with a sentence.

mod reader;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::languages::{self, Phrasebook};
use super::words;
use crate::text::{paragraphs, sentences};
use reader::Reader;

/// How people ask for a human in one language. Lists hold words or expressions of several words, parted by `|`;
/// phrases are written as [`super::expression`] reads them.
#[derive(Debug)]
pub(super) struct Tables {
    /// Words for a human in a team; alone they are a request.
    pub(super) who: &'static str,
    /// Words that are also used for others.
    pub(super) some: &'static str,
    /// Words without either that a request may still hold; a sentence without any of the three asks for nobody.
    pub(super) mentions: &'static str,
    /// What may stand before such a word.
    pub(super) a: &'static str,
    /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
    pub(super) phrases: &'static [&'static str],
    /// What may stand beside a word for a human that is a request alone.
    pub(super) alone: &'static str,
    /// Single words that go on after a request: the matter, courtesies.
    pub(super) leads_on: &'static str,
    /// What makes a request none when it stands before it: who says so wants no human.
    pub(super) not: &'static str,
    /// What makes it a question whether a human is needed.
    pub(super) whether: &'static str,
    /// What makes a request none when it stands after it.
    pub(super) not_after: &'static str,
    /// What may stand between a denial and the request.
    pub(super) links: &'static str,
    /// Of whom it is said, where not of the customer.
    pub(super) others: &'static str,
    /// What makes a word for a human one for something else.
    pub(super) not_followed: &'static str,
}

/// Somebody wants a human.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanRequest {
    /// What else was written, without the sentences that ask; empty where there is nothing else.
    pub rest: String,
    /// What is said to that, in the language in which it was asked.
    pub reply: &'static str,
}

static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| languages::ALL.iter().copied().map(Reader::new).collect());

/// The request for a human that a message holds.
#[must_use]
pub fn human_request(text: &str) -> Option<HumanRequest> {
    let mut asked_in = None;
    let mut rest = Vec::new();
    for sentence in paragraphs(text).into_iter().flat_map(sentences) {
        match asks(sentence) {
            Some(phrasebook) => asked_in = asked_in.or(Some(phrasebook)),
            None => rest.push(sentence),
        }
    }
    asked_in.map(|phrasebook| HumanRequest { rest: worth_asking(&rest), reply: phrasebook.handover })
}

/// What a message asks besides a human: all of it where it asks for none.
#[must_use]
pub fn besides(text: &str) -> String {
    human_request(text).map_or_else(|| text.to_owned(), |request| request.rest)
}

/// The first language in which a sentence asks for a human.
fn asks(sentence: &str) -> Option<&'static Phrasebook> {
    let clauses = words::clauses(&words::without_quotations(sentence));
    READERS.iter().find(|reader| reader.asks(&clauses)).map(Reader::phrasebook)
}

/// Sentences joined, but for what is only a greeting or a word of thanks.
fn worth_asking(rest: &[&str]) -> String {
    let says_something = rest.iter().any(|sentence| crate::text::word_count(sentence) > 2);
    if says_something { rest.join(" ") } else { String::new() }
}
