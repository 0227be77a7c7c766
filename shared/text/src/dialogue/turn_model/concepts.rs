//! The meanings of words in a chat with a company, in every language: `concepts.txt`, of which `build.rs` makes a
//! table.

use std::sync::LazyLock;

use super::tokens::{QUESTION_MARK, is_run, tokens};
use crate::dialogue::table::Table;

/// By word two concepts: in the lower eight bits that of the word itself, above it that of every word that begins so;
/// 0 is none.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/concepts.fst"))));

/// A word of no concept, a number and a question mark; those of `concepts.txt` follow in its order.
pub(super) const UNKNOWN: u8 = 1;
const NUMBER: u8 = 2;
pub(super) const QUESTION: u8 = 3;

include!(concat!(env!("OUT_DIR"), "/concepts.rs"));

/// The concepts of some tokens; several of a run of characters.
pub(super) fn concepts(tokens: &[String]) -> Vec<u8> {
    let mut found = Vec::new();
    for token in tokens {
        match token.as_str() {
            QUESTION_MARK => found.push(QUESTION),
            run if is_run(run) => add_of_run(run, &mut found),
            word => found.push(of_word(word)),
        }
    }
    found
}

/// Whether a text has a word of praise.
pub(in crate::dialogue) fn praises(text: &str) -> bool {
    concepts(&tokens(text)).contains(&GOOD)
}

/// Whether a text has a word of regret.
pub(in crate::dialogue) fn apologises(text: &str) -> bool {
    concepts(&tokens(text)).contains(&SORRY)
}

/// The concept of the word, else of the longest beginning that is listed.
fn of_word(word: &str) -> u8 {
    let (mut found, mut position) = (None, TABLE.start());
    for byte in word.bytes() {
        position = position.and_then(|position| position.step(byte));
        let Some(position) = position else { break };
        found = position.value().and_then(|value| concept(value >> 8)).or(found);
    }
    let whole = position.and_then(|position| position.value()).and_then(concept);
    let is_number = word.chars().all(char::is_numeric);
    whole.or(found).unwrap_or(if is_number { NUMBER } else { UNKNOWN })
}

/// Those of the longest words in turn; characters between them are one unknown word.
fn add_of_run(run: &str, found: &mut Vec<u8>) {
    let mut rest = run;
    let mut in_unknown = false;
    while let Some(first) = rest.chars().next() {
        let (length, concept) = longest_word(rest).unwrap_or((first.len_utf8(), UNKNOWN));
        if concept != UNKNOWN || !in_unknown {
            found.push(concept);
        }
        in_unknown = concept == UNKNOWN;
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// The length in bytes of the longest listed word with which a run begins, and its concept.
fn longest_word(run: &str) -> Option<(usize, u8)> {
    let (mut longest, mut position) = (None, TABLE.start()?);
    for (at, byte) in run.bytes().enumerate() {
        let Some(next) = position.step(byte) else { break };
        position = next;
        longest = position.value().and_then(concept).map(|concept| (at + 1, concept)).or(longest);
    }
    longest
}

fn concept(value: u64) -> Option<u8> {
    u8::try_from(value & 0xFF).ok().filter(|concept| *concept != 0)
}
