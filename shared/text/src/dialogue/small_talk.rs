//! Detects small talk: a message that phrases of small talk cover completely.
//!
//! The tables hold the phrases of all languages, which `collect` reads from the lists when the crate is built. Phrases are
//! compared without the spaces inside them, so `thankyou` is `thank you`, and `whats up` is `what's up`. Emoji and emoticons are
//! the same in every language.

#[cfg(test)]
mod collect;
mod phrase;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::tables::Table;
use super::words::Token;
use crate::CustomerLanguage;
// The table names languages as `Debug` does.
use crate::CustomerLanguage::*;
use phrase::MIN_CORRECTED_BYTES;
use phrase::Phrase;
pub(super) use phrase::{Kind, Kinds};

crate::lists! { "../lists.txt": EMOTICONS }

/// The most words of a clause of small talk.
const MAX_CLAUSE_WORDS: usize = 40;

/// A phrase that begins at a word of a clause.
struct Found {
    /// How many words it has.
    length: usize,
    /// The customer wrote one of them with an accent.
    accented: bool,
    /// The phrase in each language that has it.
    phrases: &'static [Phrase],
}

/// The kinds of the phrases that cover something, and their language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Covered {
    pub(super) kinds: Kinds,
    /// None if several languages have them and none of these is expected.
    pub(super) language: Option<CustomerLanguage>,
    /// No other language has them.
    pub(super) unshared: bool,
}

/// The kinds of a clause that phrases cover entirely: phrases of one expected language, of one other, or of several.
/// Phrases of several others tell no language, unless their accents do, and say only what people say in any.
pub(super) fn cover(clause: &[Token], expected: &[CustomerLanguage]) -> Option<Covered> {
    if clause.is_empty() || clause.len() > MAX_CLAUSE_WORDS {
        return None;
    }
    let words: Vec<String> = clause.iter().map(|token| known(&token.word)).collect();
    let found: Vec<Vec<Found>> = (0..words.len()).map(|start| found_at(clause, &words, start)).collect();
    let accented = clause.iter().any(|token| token.accented);
    let as_written = if accented { in_one_language(&found, expected, true) } else { None };
    let in_one = as_written.or_else(|| in_one_language(&found, expected, false));
    let in_several = || segments(&found, expected, |_, _| true).filter(|covered| covered.kinds.is_known_abroad());
    in_one.or_else(|| in_several().map(|covered| Covered { language: None, ..covered }))
}

fn found_at(clause: &[Token], words: &[String], start: usize) -> Vec<Found> {
    let accented = |length| clause.iter().skip(start).take(length).any(|token| token.accented);
    phrases_from(words.iter().skip(start))
        .map(|(length, phrases)| Found { length, accented: accented(length), phrases })
        .collect()
}

/// The kinds of a clause by phrases of one language: the first expected one that has them, else another; `as_written`
/// asks for the customer's accents.
fn in_one_language(found: &[Vec<Found>], expected: &[CustomerLanguage], as_written: bool) -> Option<Covered> {
    let cover_where = |expected: &[CustomerLanguage], language: &CustomerLanguage| {
        segments(found, expected, |phrase, accented| {
            phrase.language == *language && (phrase.accented || !accented || !as_written)
        })
    };
    let cover = |language: &CustomerLanguage| cover_where(expected, language);
    let others = CustomerLanguage::ALL.iter().filter(|language| !expected.contains(language));
    if let Some(likely) = expected.iter().find_map(cover) {
        let unshared = others.clone().all(|language| cover_where(CustomerLanguage::ALL, language).is_none());
        return Some(Covered { unshared, ..likely });
    }
    let mut in_others = preferred(others).filter_map(cover);
    let first = in_others.next()?;
    Some(if in_others.next().is_some() {
        Covered { language: None, ..first }
    } else {
        Covered { unshared: true, ..first }
    })
}

/// English first: what several languages share was most likely taken from it.
fn preferred<'a>(others: impl Iterator<Item = &'a CustomerLanguage>) -> impl Iterator<Item = &'a CustomerLanguage> {
    let (english, rest): (Vec<_>, Vec<_>) = others.partition(|language| **language == CustomerLanguage::English);
    english.into_iter().chain(rest)
}

/// How many words at the start of a clause only greet or thank.
pub(super) fn leading(clause: &[Token], expected: &[CustomerLanguage]) -> usize {
    let mut at = 0;
    while let Some(length) = longest_at(clause, at, expected, |kinds| {
        kinds.has_any(&[Kind::Greeting, Kind::Thanks]) || (at > 0 && kinds.has(Kind::Addition))
    }) {
        at += length;
    }
    at
}

/// How many words at the end of a clause only thank.
pub(super) fn trailing(clause: &[Token], expected: &[CustomerLanguage]) -> usize {
    let first = clause.len().saturating_sub(MAX_CLAUSE_WORDS);
    let thanks_from = |start: &usize| {
        let tail = clause.get(*start..).unwrap_or_default();
        cover(tail, expected).is_some_and(|covered| {
            covered.kinds.has(Kind::Thanks) && covered.kinds.is_only(&[Kind::Thanks, Kind::Filler, Kind::Addition])
        })
    };
    (first.max(clause.len().saturating_sub(6))..clause.len()).find(thanks_from).map_or(0, |start| clause.len() - start)
}

/// Whether a clause has a phrase of a kind in an expected language.
pub(super) fn has(clause: &[Token], kind: Kind, expected: &[CustomerLanguage]) -> bool {
    let words: Vec<String> = clause.iter().map(|token| known(&token.word)).collect();
    let is_it = |phrase: &Phrase| phrase.kinds.has(kind) && !phrase.ambiguous && expected.contains(&phrase.language);
    (0..words.len()).any(|start| phrases_from(words.iter().skip(start)).any(|(_, phrases)| phrases.iter().any(is_it)))
}

/// A word as a phrase has it: without drawn-out letters, and with one typo corrected in a long one.
fn known(word: &str) -> String {
    let (twice, once) = (collapse_repeats(word, 2), collapse_repeats(word, 1));
    let as_written = [word, &twice, &once].into_iter().find(|word| is_known(word));
    as_written.or_else(|| corrected(&once)).unwrap_or(word).to_owned()
}

/// The phrases that cover all words, the longest first. A single word of a language that is not expected is likelier to
/// be a word of the expected one (`bad` is a bathroom in German) unless it does what people do in any language.
fn segments(
    found: &[Vec<Found>],
    expected: &[CustomerLanguage],
    usable: impl Fn(&Phrase, bool) -> bool,
) -> Option<Covered> {
    // For each start, from the end on, the longest phrase behind which the rest is covered.
    let mut next: Vec<Option<(usize, Phrase)>> = vec![None; found.len()];
    for (start, beginning) in found.iter().enumerate().rev() {
        for Found { length, accented, phrases } in beginning {
            let end = start + length;
            let goes_on = end == found.len() || next.get(end).is_some_and(Option::is_some);
            let phrase = phrases.iter().find(|phrase| usable(phrase, *accented));
            if let (true, Some(phrase), Some(slot)) = (goes_on, phrase, next.get_mut(start)) {
                *slot = Some((end, *phrase));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let (end, phrase) = next.get(at).copied().flatten()?;
        chosen.push(phrase);
        at = end;
    }
    let clear = chosen.iter().any(|phrase| !phrase.ambiguous || expected.contains(&phrase.language));
    let says = chosen.iter().max_by_key(|phrase| phrase.kinds.suffice()).filter(|_| clear)?;
    let kinds = chosen.iter().fold(Kinds::default(), |all, phrase| all.and(phrase.kinds));
    if found.len() == 1 && !expected.contains(&says.language) && !kinds.is_known_abroad() {
        return None;
    }
    Some(Covered { kinds, language: Some(says.language), unshared: false })
}

/// The words of the longest phrase at `at` of a kind that is wanted, if more words follow.
fn longest_at(
    clause: &[Token],
    at: usize,
    expected: &[CustomerLanguage],
    wanted: impl Fn(Kinds) -> bool,
) -> Option<usize> {
    let last = clause.len().checked_sub(1)?;
    let words = clause.get(at..last)?.iter().map(|token| known(&token.word));
    let fits = |phrase: &Phrase| wanted(phrase.kinds) && (!phrase.ambiguous || expected.contains(&phrase.language));
    let fitting = phrases_from(words).filter(|(_, phrases)| phrases.iter().any(fits));
    fitting.last().map(|(length, _)| length)
}

/// A word without runs of one letter longer than `most`.
fn collapse_repeats(word: &str, most: usize) -> String {
    let mut kept = String::new();
    let (mut last, mut run) = (None, 0);
    for c in word.chars() {
        run = if last == Some(c) { run + 1 } else { 1 };
        last = Some(c);
        if run <= most {
            kept.push(c);
        }
    }
    kept
}

include!(concat!(env!("OUT_DIR"), "/small_talk.rs"));

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/small_talk.fst"))));

/// Whether a phrase has this word.
fn is_known(word: &str) -> bool {
    TABLE.get(word).is_some()
}

/// The phrases with which `words` begin, shortest first: the number of words of each, and what it does in each language.
fn phrases_from(words: impl Iterator<Item = impl AsRef<str>>) -> impl Iterator<Item = (usize, &'static [Phrase])> {
    let positions = words.scan(TABLE.start(), |position, word| {
        *position = position.and_then(|position| position.read(word.as_ref()));
        *position
    });
    let phrases = positions.enumerate().map(|(before, position)| (before + 1, at(position.value())));
    phrases.filter(|(_, phrases)| !phrases.is_empty())
}

/// The first word that is a phrase by itself and one typo away from `word`, if both are long.
fn corrected(word: &str) -> Option<&'static str> {
    let first = word.chars().next().filter(|_| word.len() >= MIN_CORRECTED_BYTES)?;
    let place = LONG_WORDS.binary_search_by_key(&first, |(first, _)| *first).ok()?;
    let (_, words) = LONG_WORDS.get(place)?;
    words.split('|').find(|known| known.len().abs_diff(word.len()) <= 4 && strsim::osa_distance(known, word) == 1)
}

/// The phrases of a number of `build.rs`: above its lower eight bits the first of them, in these bits how many they
/// are.
fn at(number: Option<u64>) -> &'static [Phrase] {
    let place = |number: u64| {
        let (start, length) = (usize::try_from(number >> 8).ok()?, usize::try_from(number & 0xFF).ok()?);
        PHRASES.get(start..start + length)
    };
    number.and_then(place).unwrap_or_default()
}

/// The kinds of the emoji of a text.
pub(super) fn signs(text: &str) -> Kinds {
    text.chars().filter_map(emoticon_kind).fold(Kinds::default(), |all, kind| all.and(Kinds::of(kind)))
}

const fn emoticon_kind(c: char) -> Option<Kind> {
    match c {
        '👋' => Some(Kind::Greeting),
        '🙏' | '💐' => Some(Kind::Thanks),
        '👍' | '👌' | '🆗' | '✅' | '✔' | '🤝' => Some(Kind::Okay),
        '👎' | '❌' => Some(Kind::Unhelped),
        '😡' | '😠' | '🤬' | '🖕' | '😤' | '💩' | '🙄' => Some(Kind::Anger),
        '\u{1F300}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2B50}' => Some(Kind::Acknowledgement),
        _ => None,
    }
}

/// A text with blanks in place of its emoticons, as long as before.
pub(super) fn without_emoticons(text: &str) -> String {
    let blank =
        |piece: &str| if EMOTICONS.contains(&piece.trim_end()) { " ".repeat(piece.len()) } else { piece.to_owned() };
    text.split_inclusive(char::is_whitespace).map(blank).collect()
}
