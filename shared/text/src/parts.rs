//! The terms of an entry besides its words: parts of compounds and codes, codes without what separates their parts, and
//! single characters of scripts without spaces.
//!
//! They stand behind the words, each with a mark that no word has. So they are searched and counted as words are, but
//! have no length and no neighbours. A question looks for them with its own words ([`crate::Spelling`]).

use std::ops::Range;

use super::compounds::{has_compounds, splits};
use super::words::{is_han, is_hangul, is_name, lacks_spaces};
use crate::Language;

/// Begins a part; no word begins with it.
const MARK: char = '~';

/// A longer code is no code, in characters.
const MAX_CODE_CHARS: usize = 64;
/// Digits that are grouped by spaces or as thousands are one number from so many on.
const MIN_GROUPED_DIGITS: usize = 4;
/// The most digits of the code of a country in a phone number.
const MAX_COUNTRY_CODE: usize = 3;

/// A word of a text: its bytes, and its spelling before it is stemmed.
pub(super) type Word = (Range<usize>, String);

/// `word` as a part of a longer one.
pub(super) fn part(word: &str) -> String {
    format!("{MARK}{word}")
}

/// The words among the terms of a text, without the parts behind them.
#[must_use]
pub fn without_parts(terms: &[String]) -> &[String] {
    let words = terms.iter().position(|term| term.starts_with(MARK)).unwrap_or(terms.len());
    terms.get(..words).unwrap_or_default()
}

/// Calls `emit` with each part of `words`, the words of `text`, and the bytes of the word that it is a part of.
pub(super) fn each_part(
    language: Language,
    text: &str,
    words: &[Word],
    stem: impl Fn(&str) -> String,
    mut emit: impl FnMut(Range<usize>, String),
) {
    let mut before = 0;
    for (range, word) in words {
        let mut add = |word: &str| emit(range.clone(), part(word));
        if word.starts_with(lacks_spaces) {
            // The first character of a pair is the second of the one before, if that overlaps.
            let new = word.chars().skip(usize::from(range.start < before));
            new.filter(|c| is_han(*c) || is_hangul(*c)).for_each(|c| add(c.encode_utf8(&mut [0; 4])));
        } else if is_name(word) && word.chars().all(char::is_alphabetic) {
            add(&word.to_ascii_lowercase());
        } else {
            code_runs(word).into_iter().for_each(|run| add(&stem(run)));
            let mut found: Vec<String> =
                splits(language, word).flat_map(|(head, tail)| [stem(head), stem(tail)]).collect();
            found.sort_unstable();
            found.dedup();
            found.iter().for_each(|part| add(part));
        }
        before = range.end;
    }
    for (places, code) in codes(language, text, words) {
        let all = words.get(places).unwrap_or_default();
        let Some(range) = all.first().zip(all.last()).map(|((first, _), (last, _))| first.start..last.end) else {
            continue;
        };
        emit(range.clone(), part(&stem(&code)));
        let country = all.first().map_or(0, |(_, digits)| digits.len());
        if text.get(..range.start).is_some_and(|before| before.ends_with('+')) && country <= MAX_COUNTRY_CODE {
            emit(range, part(&format!("0{}", code.get(country..).unwrap_or_default())));
        }
    }
}

/// The runs of letters and of digits of a word that has both, or has signs: of two characters at least.
pub(super) fn code_runs(word: &str) -> Vec<&str> {
    if word.starts_with('.') {
        return Vec::new();
    }
    let class = |c: char| (c.is_numeric(), c.is_alphabetic());
    let mut runs = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| class(c) != class(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        runs.push(run);
        rest = after;
    }
    let is_one = runs.len() == 1;
    runs.retain(|run| !is_one && run.chars().nth(1).is_some() && run.chars().all(char::is_alphanumeric));
    runs
}

/// The places of adjacent words that are one code, and the code: `05145-8841815`, `PPR_9087`, `10 000`, `1.000`; in a
/// language with compounds also `E-Mail`.
pub(super) fn codes(language: Language, text: &str, words: &[Word]) -> Vec<(Range<usize>, String)> {
    let mut codes = Vec::new();
    let mut from = 0;
    while from < words.len() {
        let pairs = words.iter().zip(words.iter().skip(1)).skip(from);
        let to = from + 1 + pairs.take_while(|(first, second)| are_joined(text, first, second)).count();
        let code: String = words.get(from..to).into_iter().flatten().map(|(_, word)| word.as_str()).collect();
        let digits = code.chars().filter(|c| c.is_numeric()).count();
        let is_number = digits >= MIN_GROUPED_DIGITS;
        let is_code = digits > 0 && code.chars().any(char::is_alphabetic);
        let is_compound = digits == 0 && has_compounds(language);
        if to > from + 1 && (is_number || is_code || is_compound) && code.chars().nth(MAX_CODE_CHARS).is_none() {
            codes.push((from..to, code));
        }
        from = to;
    }
    codes
}

/// Whether two words are parts of one code by what stands between them.
fn are_joined(text: &str, (first, before): &Word, (second, after): &Word) -> bool {
    let mut between = text.get(first.end..second.start).unwrap_or_default().chars();
    let (Some(joint), None) = (between.next(), between.next()) else { return false };
    if before.starts_with(lacks_spaces) || after.starts_with(lacks_spaces) {
        return false;
    }
    let numbers = [before, after].into_iter().all(|word| word.chars().all(char::is_numeric));
    match joint {
        '-' | '_' | '/' | '\u{2010}'..='\u{2013}' => true,
        ' ' | '\u{A0}' | '\u{202F}' => numbers,
        '.' | ',' | '\'' | '\u{2019}' => numbers && before.len() <= 3 && after.len() == 3,
        _ => false,
    }
}
