//! Whether the words of a customer ask for a human, in the languages most customers write.
//!
//! No model decides this: a table of phrases does, [`speech`], that a reader can check and a test holds to what people
//! write and to what only sounds like it. [`pattern`] reads the phrases, [`tokens`] the message. A message asks where
//! one of its sentences does; what its other sentences ask is still answered.

mod pattern;
mod speech;
#[cfg(test)]
mod tests;
mod tokens;

use std::sync::LazyLock;

use crate::text::{paragraphs, sentences};
use pattern::Reader;

/// Somebody wants a human.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HumanRequest {
    /// What else was written, without the sentences that ask; empty where there is nothing else.
    pub(super) rest: String,
    /// What is said to that, in the language in which it was asked.
    pub(super) reply: &'static str,
}

static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| speech::ALL.iter().copied().map(Reader::new).collect());

/// Reads a message.
pub(super) fn read(text: &str) -> Option<HumanRequest> {
    let mut reply = None;
    let mut rest = Vec::new();
    for sentence in paragraphs(text).into_iter().flat_map(sentences) {
        match asks(sentence) {
            Some(reader) => reply = reply.or(Some(reader.reply())),
            None => rest.push(sentence),
        }
    }
    reply.map(|reply| HumanRequest { rest: worth_asking(&rest), reply })
}

/// What a message asks besides a human: all of it where it asks for none.
#[must_use]
pub fn besides(text: &str) -> String {
    read(text).map_or_else(|| text.to_owned(), |request| request.rest)
}

/// The first language in which a sentence asks for a human.
fn asks(sentence: &str) -> Option<&'static Reader> {
    let clauses = tokens::clauses(&tokens::without_quotations(sentence));
    READERS.iter().find(|reader| clauses.iter().any(|clause| reader.asks(clause)))
}

/// Sentences joined, but for what is only a greeting or a word of thanks.
fn worth_asking(rest: &[&str]) -> String {
    let says_something = rest.iter().any(|sentence| crate::text::word_count(sentence) > 2);
    if says_something { rest.join(" ") } else { String::new() }
}
