//! Word boundaries in any script, the form of a word before it is stemmed, and stop words.
//!
//! For ASCII text of an English wiki this is the formula's `[a-z0-9]+('[a-z]+)?` over lower-cased text, and names with
//! signs: `C++`, `C#`, `.NET`. Beyond ASCII a word is a run of letters and digits of any script. Scripts without spaces
//! between words (Chinese, Japanese, Thai, …) and Hangul, which attaches particles to words, give overlapping pairs of
//! characters. Abbreviations in capitals that are another word in small letters stay in capitals: `IT`, `US`.
//!
//! The stop words of a language are data in `stop_words/`. The English list is the one that the confidence formula was
//! fitted with. Most others are Snowball's.

use std::collections::HashSet;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::accents::fold_accents;
use crate::{ByLanguage, Language};

/// Abbreviations that are stop words of some language in small letters.
const ABBREVIATIONS: [&str; 7] = ["AI", "EU", "IT", "OS", "UN", "US", "WHO"];
/// A text of at most so many bytes may be such an abbreviation alone, with its marks.
const MAX_ALONE_BYTES: usize = 5;

/// A longer run of letters says nothing; it is cut here, in characters, so that no index refuses the term.
const LONGEST_WORD_CHARS: usize = 64;

/// The words and phrases of the section `[name]` of a file, in which commas and ends of lines separate them. Lines that begin
/// with `#` say nothing.
#[must_use]
pub fn section(file: &'static str, name: &str) -> Vec<&'static str> {
    let head = format!("[{name}]");
    let lines = file.lines().skip_while(|line| *line != head).skip(1).take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).flat_map(|line| line.split(", ")).collect()
}

/// A static for each named [`section()`] of a file, and a test that the file has them.
#[macro_export]
macro_rules! lists {
    ($file:literal: $($name:ident)+) => {
        $(
            static $name: std::sync::LazyLock<Vec<&str>> =
                std::sync::LazyLock::new(|| $crate::section(include_str!($file), stringify!($name)));
        )+

        #[cfg(test)]
        #[test]
        fn every_list_is_in_its_file() {
            $(assert!(!$name.is_empty(), stringify!($name));)+
        }
    };
}

/// The role of an apostrophe inside a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Apostrophe {
    /// English: one part of letters after it belongs to the word (`can't`, `customer's`).
    Joins,
    /// French, Italian: it ends an elided word (`l'offre` is two words).
    Splits,
    /// Elsewhere: what follows is an inflection and is dropped (`Ankara'da`, `foto's`).
    Ends,
}

const fn apostrophe_of(language: Language) -> Apostrophe {
    match language {
        Language::English => Apostrophe::Joins,
        Language::French | Language::Italian => Apostrophe::Splits,
        _ => Apostrophe::Ends,
    }
}

/// Calls `emit` with the byte range and the lower-cased spelling of every word of `text`, in order.
///
/// Ranges never go back; those of neighbouring character pairs overlap.
pub(crate) fn each_word(language: Language, text: &str, mut emit: impl FnMut(Range<usize>, &str)) {
    let apostrophe = apostrophe_of(language);
    let is_small = |c: char| c.is_alphabetic() && !c.is_uppercase();
    let in_capitals = text.len() > MAX_ALONE_BYTES && !text.chars().any(is_small);
    let mut chars = text.char_indices().peekable();
    let mut before = None;
    while let Some((start, first)) = chars.next() {
        let follows_word = before.replace(first).is_some_and(begins_word);
        if first == '.' && !follows_word && begins_dot_net(text.get(start..).unwrap_or_default()) {
            chars.nth(DOT_NET.len() - 2);
            emit(start..start + DOT_NET.len(), DOT_NET);
            before = Some('t');
            continue;
        }
        if !begins_word(first) {
            continue;
        }
        let glued = lacks_spaces(first);
        let mut end = start + first.len_utf8();
        while let Some(&(at, c)) = chars.peek()
            && continues_word(c, glued)
        {
            end = at + c.len_utf8();
            chars.next();
            before = Some(c);
        }
        if glued {
            each_pair(text, start..end, &mut emit);
            continue;
        }
        let sign = text.get(start..).map_or("", |rest| sign_after(rest, end - start));
        if !sign.is_empty() {
            end += sign.len();
            chars.nth(sign.len() - 1);
        }
        let stem_end = end;
        if sign.is_empty() && apostrophe != Apostrophe::Splits && chars.peek().is_some_and(|&(_, c)| is_apostrophe(c)) {
            let mut ahead = chars.clone();
            ahead.next();
            while let Some(&(at, c)) = ahead.peek()
                && continues_part(c)
            {
                end = at + c.len_utf8();
                ahead.next();
                chars = ahead.clone();
            }
        }
        let spelled_to = if apostrophe == Apostrophe::Joins { end } else { stem_end };
        if let Some(slice) = text.get(start..spelled_to) {
            if !in_capitals && is_abbreviation(language, slice) {
                emit(start..end, slice);
            } else {
                emit(start..end, &normalize_word(language, slice));
            }
        }
    }
}

const DOT_NET: &str = ".net";

/// Whether a word is a name with signs or an abbreviation in capitals, which has no stem.
pub(crate) fn is_name(word: &str) -> bool {
    word.ends_with(['+', '#']) || word == DOT_NET || ABBREVIATIONS.contains(&word)
}

/// Whether a text begins with `.NET`, in any case, as a word.
fn begins_dot_net(text: &str) -> bool {
    let is_name = text.get(..DOT_NET.len()).is_some_and(|name| name.eq_ignore_ascii_case(DOT_NET));
    is_name && !text.get(DOT_NET.len()..).and_then(|after| after.chars().next()).is_some_and(begins_word)
}

/// The signs that belong to the word that takes the first `length` bytes of `text`: `C#`, `C++`, `Notepad++`, `C++17`.
fn sign_after(text: &str, length: usize) -> &str {
    let (word, after) = text.split_at_checked(length).unwrap_or((text, ""));
    let of_two = after.starts_with("++") && word.chars().all(char::is_alphabetic);
    let of_one = after.starts_with('#') && word.len() == 1 && word.chars().all(char::is_alphabetic);
    let length = if of_two { 2 } else { usize::from(of_one) };
    let (sign, next) = after.split_at_checked(length).unwrap_or_default();
    let next = next.chars().next();
    let ends = next.is_none_or(|c| !begins_word(c) && c != '+' && c != '#');
    if ends || (of_two && next.is_some_and(|c| c.is_ascii_digit())) { sign } else { "" }
}

/// Whether a word in capitals means something else than in small letters.
fn is_abbreviation(language: Language, word: &str) -> bool {
    ABBREVIATIONS.contains(&word)
        && ((language, word) == (Language::English, "US") || stop_words(language).contains(&word.to_ascii_lowercase()))
}

/// Pairs of neighbouring characters of a run without spaces, or its only character.
fn each_pair(text: &str, run: Range<usize>, emit: &mut impl FnMut(Range<usize>, &str)) {
    let Some(slice) = text.get(run.clone()) else { return };
    let mut starts = slice.char_indices().filter(|(_, c)| !is_combining_mark(*c) && !is_joiner(*c)).map(|(at, _)| at);
    let (Some(mut before), mut here) = (starts.next(), starts.next()) else { return };
    loop {
        let after = starts.next();
        let end = if here.is_some() { after.unwrap_or(slice.len()) } else { slice.len() };
        if let Some(pair) = slice.get(before..end) {
            let spelled: String = pair
                .chars()
                .filter(|c| !is_joiner(*c))
                .take(LONGEST_WORD_CHARS)
                .nfkc()
                .flat_map(char::to_lowercase)
                .collect();
            emit(run.start + before..run.start + end, &spelled);
        }
        match (here, after) {
            (Some(middle), Some(_)) => {
                before = middle;
                here = after;
            }
            _ => return,
        }
    }
}

/// Lower case, composed, with an English possessive and the apostrophe gone; accents stay, stemmers want them.
fn normalize_word(language: Language, word: &str) -> String {
    let mut spelled: String = if word.is_ascii() && language != Language::Turkish {
        word.chars().take(LONGEST_WORD_CHARS).map(|c| c.to_ascii_lowercase()).collect()
    } else {
        word.chars()
            .filter(|c| !is_joiner(*c))
            .take(LONGEST_WORD_CHARS)
            .flat_map(|c| lower(language, c))
            .nfc()
            .collect()
    };
    if spelled.contains(is_apostrophe) {
        let possessive = spelled.strip_suffix('s').and_then(|rest| rest.strip_suffix(is_apostrophe)).map(str::len);
        if let Some(length) = possessive {
            spelled.truncate(length);
        }
        spelled.retain(|c| !is_apostrophe(c));
    }
    spelled
}

fn lower(language: Language, c: char) -> impl Iterator<Item = char> {
    let c = match (language, c) {
        (Language::Turkish, 'I') => 'ı',
        (Language::Turkish, 'İ') => 'i',
        (_, _) => ascii_digit(c).unwrap_or(c),
    };
    let wide_or_ligature = matches!(c, '\u{FB00}'..='\u{FB06}' | '\u{FF00}'..='\u{FFEF}');
    let compatible: String = if wide_or_ligature { c.to_string().nfkc().collect() } else { c.to_string() };
    compatible.to_lowercase().chars().collect::<Vec<_>>().into_iter()
}

/// The ASCII digit of a decimal digit of another script.
fn ascii_digit(c: char) -> Option<char> {
    let zero = match c {
        '\u{660}'..='\u{669}' => 0x660,
        '\u{6F0}'..='\u{6F9}' => 0x6F0,
        '\u{966}'..='\u{96F}' => 0x966,
        '\u{BE6}'..='\u{BEF}' => 0xBE6,
        _ => return None,
    };
    char::from_digit(u32::from(c).checked_sub(zero)?, 10)
}

fn begins_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (!c.is_ascii()
            && !is_apostrophe(c)
            && !is_combining_mark(c)
            && (c.is_alphabetic() || ascii_digit(c).is_some() || is_wide_digit(c)))
}

fn continues_word(c: char, glued: bool) -> bool {
    (begins_word(c) && lacks_spaces(c) == glued) || (!c.is_ascii() && (is_combining_mark(c) || is_joiner(c)))
}

/// The part after an English apostrophe is letters only.
fn continues_part(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && !is_apostrophe(c) && c.is_alphabetic() && !lacks_spaces(c))
}

const fn is_wide_digit(c: char) -> bool {
    matches!(c, '\u{FF10}'..='\u{FF19}')
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02BC}' | '\u{FF07}')
}

/// Soft hyphen and the invisible joiners: inside a word they are nothing.
const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}')
}

/// A Chinese character, also in Japanese and Korean.
pub(crate) const fn is_han(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// A syllable of Korean.
pub(crate) const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

/// Scripts without spaces between words, and Hangul.
pub(crate) const fn lacks_spaces(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{318F}'
        | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FFDC}'
        | '\u{20000}'..='\u{3FFFF}')
}

include!(concat!(env!("OUT_DIR"), "/stop_words.rs"));

/// The list of `language`, with its words also as typed without accents.
pub(crate) fn stop_words(language: Language) -> &'static HashSet<String> {
    static WORDS: ByLanguage<HashSet<String>> = ByLanguage::new();
    WORDS.get(language, || {
        let words = list(language).lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        words.flat_map(|word| [word.to_owned(), fold_accents(word)]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(language: Language, text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each_word(language, text, |_, word| all.push(word.to_owned()));
        all
    }

    #[test]
    fn english_words_are_those_of_the_formula() {
        for (text, expected) in [
            ("What's the parcel's customs delay?", vec!["what", "the", "parcel", "customs", "delay"]),
            ("can't they’ve rock'n'roll", vec!["cant", "theyve", "rockn", "roll"]),
            ("a'b'c o'2 foo'b2 90's", vec!["ab", "c", "o", "2", "foob", "2", "90"]),
            ("sign-in e-mail foo_bar v2.1", vec!["sign", "in", "e", "mail", "foo", "bar", "v2", "1"]),
            ("'quoted' \"word\" --", vec!["quoted", "word"]),
            ("Windows™ 10²", vec!["windows", "10"]),
        ] {
            assert_eq!(words(Language::English, text), expected, "{text}");
        }
    }

    #[test]
    fn names_with_signs_are_words() {
        for (text, expected) in [
            ("C++, C# (F#) and .NET!", vec!["c++", "c#", "f#", "and", ".net"]),
            ("C++17 or .net 8", vec!["c++", "17", "or", ".net", "8"]),
            ("Notepad++'s", vec!["notepad++", "s"]),
            ("issue#12 a#b order# 3 a+b a+++ C##", vec!["issue", "12", "a", "b", "order", "3", "a", "b", "a", "c"]),
            ("example.net .network ASP.NET net.", vec!["example", "net", "network", "asp", "net", "net"]),
            ("..net", vec![".net"]),
        ] {
            assert_eq!(words(Language::English, text), expected, "{text}");
        }
    }

    #[test]
    fn an_abbreviation_in_capitals_is_no_stop_word_unless_all_is_in_capitals() {
        assert_eq!(words(Language::English, "Is it IT? Ask US, not us."), ["is", "it", "IT", "ask", "US", "not", "us"]);
        assert_eq!(words(Language::English, "HOW DO I RETURN IT"), ["how", "do", "i", "return", "it"]);
        assert_eq!(words(Language::English, "IT?"), ["IT"]);
        assert_eq!(words(Language::English, "IT部門"), ["IT", "部門"]);
        assert_eq!(words(Language::Italian, "AI e IVA ai clienti"), ["AI", "e", "iva", "ai", "clienti"]);
        assert_eq!(words(Language::German, "Die IT-Abteilung"), ["die", "it", "abteilung"]);
    }

    #[test]
    fn apostrophes_follow_the_language() {
        assert_eq!(words(Language::French, "L’abonnement d'essai"), ["l", "abonnement", "d", "essai"]);
        assert_eq!(words(Language::Turkish, "İADE ISI Ankara'da"), ["iade", "ısı", "ankara"]);
        assert_eq!(words(Language::Dutch, "foto's kopen"), ["foto", "kopen"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs_of_characters() {
        assert_eq!(
            words(Language::English, "返金方法 iPhone用ケース"),
            ["返金", "金方", "方法", "iphone", "用ケ", "ケー", "ース"]
        );
        assert_eq!(words(Language::English, "水"), ["水"]);
        assert_eq!(words(Language::English, "환불은"), ["환불", "불은"]);
        assert_eq!(words(Language::Tamil, "கட்டணம் ௨"), ["கட்டணம்", "2"]);
    }

    #[test]
    fn an_endless_word_is_cut() {
        assert_eq!(words(Language::English, &"x".repeat(5_000)), ["x".repeat(LONGEST_WORD_CHARS)]);
    }

    #[test]
    fn every_language_has_a_list_without_its_comment() {
        for language in Language::ALL {
            let words = stop_words(*language);
            assert!(words.len() > 80, "{language}");
            assert!(!words.contains("#") && !words.contains("Snowball"), "{language}");
        }
        assert_eq!(stop_words(Language::English).len(), 107);
    }
}
