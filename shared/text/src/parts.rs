//! The terms of an entry besides its words: parts of compounds and codes, codes without what separates their parts, and
//! single characters of scripts without spaces.
//!
//! They stand behind the words, each with a mark that no word has. So they are searched and counted as words are, but
//! have no length and no neighbours. A question looks for them with its own words ([`crate::Spelling`]).
//!
//! Compounds of German, Dutch and the Scandinavian languages ("Rückgabefrist") are split at the syllables where two words
//! may meet. A split proposes words and does not need a dictionary: a part counts only if a question, or an entry, has it as
//! a word of its own.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use hypher::Lang;

use crate::Language;
use crate::words::{is_han, is_hangul, is_name, lacks_spaces, section};

crate::lists! { "lists.txt": PREFIXES }

/// Begins a part; no word begins with it.
const MARK: char = '~';

/// A longer code is no code, in characters.
const MAX_CODE_CHARS: usize = 64;
/// Digits that are grouped by spaces or as thousands are one number from so many on.
const MIN_GROUPED_DIGITS: usize = 4;
/// The most digits of the code of a country in a phone number.
const MAX_COUNTRY_CODE: usize = 3;

/// A word of a text: its bytes, and its spelling before it is stemmed.
pub(crate) type Word = (Range<usize>, String);

/// `word` as a part of a longer one.
pub(crate) fn part(word: &str) -> String {
    format!("{MARK}{word}")
}

/// The words among the terms of a text, without the parts behind them.
#[must_use]
pub fn without_parts(terms: &[String]) -> &[String] {
    let words = terms.iter().position(|term| term.starts_with(MARK)).unwrap_or(terms.len());
    terms.get(..words).unwrap_or_default()
}

/// Calls `emit` with each part of `words`, the words of `text`, and the bytes of the word that it is a part of.
pub(crate) fn each_part(
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
pub(crate) fn code_runs(word: &str) -> Vec<&str> {
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
pub(crate) fn codes(language: Language, text: &str, words: &[Word]) -> Vec<(Range<usize>, String)> {
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

/// A shorter word is no compound, in characters.
const MIN_CHARS: usize = 7;
/// A longer one is not split.
const MAX_BYTES: usize = 80;
/// A shorter first part is a prefix more often than a word.
const MIN_HEAD_CHARS: usize = 4;
/// A shorter last part is an ending.
const MIN_TAIL_CHARS: usize = 3;

/// Last parts that make adjectives and nouns of words ("fristlos" is no sort of "Frist").
static ENDINGS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| section(include_str!("lists.txt"), "ENDINGS").into_iter().collect());

const fn patterns(language: Language) -> Option<Lang> {
    match language {
        Language::Danish => Some(Lang::Danish),
        Language::Dutch => Some(Lang::Dutch),
        Language::German => Some(Lang::German),
        Language::Norwegian => Some(Lang::Norwegian),
        Language::Swedish => Some(Lang::Swedish),
        _ => None,
    }
}

/// Whether a language writes compounds as one word.
pub(crate) const fn has_compounds(language: Language) -> bool {
    patterns(language).is_some()
}

/// The first and last parts of a word in small letters, for each place where it may be a compound.
pub(crate) fn splits(language: Language, word: &str) -> impl Iterator<Item = (&str, &str)> {
    let may_be_one =
        word.len() <= MAX_BYTES && word.chars().count() >= MIN_CHARS && word.chars().all(char::is_alphabetic);
    let patterns = patterns(language).filter(|_| may_be_one);
    let syllables = patterns.map(|patterns| hypher::hyphenate(word, patterns));
    let ends = syllables.into_iter().flatten().scan(0, |end, syllable| {
        *end += syllable.len();
        Some(*end)
    });
    ends.filter_map(|end| word.split_at_checked(end)).filter(|(head, tail)| may_be_words(head, tail))
}

fn may_be_words(head: &str, tail: &str) -> bool {
    let long = head.chars().count() >= MIN_HEAD_CHARS && tail.chars().count() >= MIN_TAIL_CHARS;
    long && !PREFIXES.contains(&head) && !ENDINGS.contains(tail) && !is_inflection(tail)
}

/// Whether a last part is one syllable of an inflection: consonants around "e" ("ten"), or around "ung" ("lung").
fn is_inflection(tail: &str) -> bool {
    let rest = tail.trim_start_matches(|c: char| !"aeiouyäöüåæø".contains(c));
    tail.len() < 4 && rest.starts_with('e') || rest == "ung" || rest == "ungen"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(language: Language, word: &str) -> Vec<(&str, &str)> {
        splits(language, word).collect()
    }

    #[test]
    fn a_compound_is_split_where_its_words_meet() {
        for (language, word, parts) in [
            (Language::German, "rückgabefrist", ("rückgabe", "frist")),
            (Language::German, "versandkostenpauschale", ("versandkosten", "pauschale")),
            (Language::German, "versandkostenpauschale", ("versand", "kostenpauschale")),
            (Language::German, "zahlungsart", ("zahlungs", "art")),
            (Language::Dutch, "retourtermijn", ("retour", "termijn")),
            (Language::Danish, "leveringstid", ("leverings", "tid")),
            (Language::Swedish, "fraktkostnad", ("frakt", "kostnad")),
            (Language::Norwegian, "betalingsmetode", ("betalings", "metode")),
        ] {
            assert!(split(language, word).contains(&parts), "{word}: {:?}", split(language, word));
        }
    }

    #[test]
    fn endings_prefixes_and_syllables_of_one_word_are_no_parts() {
        for (language, word) in [
            (Language::German, "fristlose"),
            (Language::German, "kostenlos"),
            (Language::German, "kartoffel"),
            (Language::German, "freundschaft"),
            (Language::German, "unterschrift"),
            (Language::Dutch, "kosteloos"),
            (Language::Swedish, "kostnadslös"),
            (Language::English, "lighthouse"),
            (Language::German, "a1b2c3d4e5"),
        ] {
            let heads = ["frist", "kosten", "karte", "kart", "freund", "unter", "koste", "kostnads", "light"];
            let found = split(language, word);
            assert!(found.iter().all(|(head, _)| !heads.contains(head)), "{word}: {found:?}");
        }
    }
}
