//! Corrects typos: replaces a word that the wiki does not contain by a similar word that it contains.
//!
//! An index finds similar words by its own fuzzy search. [`nearest`] chooses among them, so every index chooses the
//! same. Stop words are in no index: [`Repair::of`] compares a word with them, too.

use crate::Language;
use crate::words::stop_words;

/// The most words of one question that are corrected; the lookup of similar words is the most expensive part of a
/// search.
pub const MAX_REPAIRS: usize = 16;

/// A shorter word is as near to many others as to the one that was meant.
const MIN_CHARS: usize = 3;
/// Up to so many letters, only a letter that is missing and two that are swapped are corrected.
const SHORTEST_CHARS: usize = 3;
/// A shorter stop word that lacks a letter may be any other word.
const MIN_CUT_STOP_WORD_CHARS: usize = 4;
/// From this many letters on, two edits are allowed.
const TWO_EDITS_MIN_CHARS: usize = 8;

/// Up to so many letters, another letter makes another word as often as a typo ("talk" and "tank", "main" and "mail").
const SHORT_CHARS: usize = 5;
/// The rows of letters of a keyboard, each shifted half a key to the right of the one above.
const KEYBOARD: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
/// Letters that are written for each other by how they sound.
const SOUND_ALIKE: [&str; 6] = ["aeiouy", "ckqs", "szc", "fvw", "bp", "dt"];

/// A word that was meant by another which no entry has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// This word of an entry.
    Word(String),
    StopWord,
}

/// A way to misspell a word, the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Swap,
    MissingLetter,
    Other,
}

impl Slip {
    fn of(word: &str, meant: &str) -> Self {
        // Lengths come first: most words differ in them, and a customer's may be as long as a message.
        let lacks = meant.chars().count().checked_sub(word.chars().count());
        let distance = || strsim::osa_distance(word, meant);
        match lacks {
            Some(0) if distance() <= 1 && sorted(word) == sorted(meant) => Self::Swap,
            Some(1) if distance() == 1 => Self::MissingLetter,
            _ => Self::Other,
        }
    }
}

impl Repair {
    /// The correction of a term that no entry has, in a question in `language`: `near`, the nearest word of an entry, or
    /// a stop word, whichever is misspelt so more often ("waht" and "hwo"; "wher"). None if neither is.
    #[must_use]
    pub fn of(language: Language, word: &str, near: Option<String>) -> Option<Self> {
        let slips = stop_words(language).iter().map(|stop| (Slip::of(word, stop), stop.chars().count()));
        let stop = slips.filter(|(slip, chars)| *slip == Slip::Swap || *chars >= MIN_CUT_STOP_WORD_CHARS);
        let stop = stop.map(|(slip, _)| slip).min().filter(|slip| *slip != Slip::Other);
        match near {
            Some(near) if stop.is_none_or(|stop| Slip::of(word, &near) <= stop) => Some(Self::Word(near)),
            _ => stop.map(|_| Self::StopWord),
        }
    }
}

/// Whether a word that no entry has may be taken for a typo: letters alone, at least 3.
#[must_use]
pub fn can_be_repaired(word: &str) -> bool {
    word.chars().count() >= MIN_CHARS && word.chars().all(char::is_alphabetic)
}

/// The most edits (insertion, deletion, replacement, swap of neighbours) of a correction of `word`: 1, from 8 letters
/// on 2.
#[must_use]
pub fn max_edits(word: &str) -> u8 {
    if word.chars().count() < TWO_EDITS_MIN_CHARS { 1 } else { 2 }
}

/// The nearest of `known`, words with how many entries have them: fewest edits, then the same letters in another order,
/// then the most entries, then alphabetical. The first letter is kept, and of a word of at most 5 letters a letter is
/// replaced only by one beside it on the keyboard or of a similar sound. A word of 3 letters has two swapped or lacks one.
/// None if no word is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = (&'a str, u64)>) -> Option<&'a str> {
    let first = word.chars().next();
    let letters = sorted(word);
    let near = known.into_iter().filter(|(other, _)| other.chars().next() == first && *other != word);
    let ranked = near.filter_map(|(other, entries)| {
        let distance = strsim::osa_distance(word, other);
        let swapped = sorted(other) == letters;
        let near = distance <= usize::from(max_edits(word)) && !is_another_short_word(word, other);
        near.then_some((distance, !swapped, u64::MAX - entries, other))
    });
    ranked.min().map(|(.., other)| other)
}

/// Whether a short word differs in one letter that is hardly typed for the other's.
fn is_another_short_word(word: &str, other: &str) -> bool {
    if word.chars().count() <= SHORTEST_CHARS {
        return Slip::of(word, other) == Slip::Other;
    }
    let mut differing = word.chars().zip(other.chars()).filter(|(typed, meant)| typed != meant);
    let replaced = word.chars().count() == other.chars().count() && differing.clone().count() == 1;
    let chars = word.chars().count();
    replaced && chars <= SHORT_CHARS && differing.any(|(typed, meant)| !may_be_typed_for(typed, meant))
}

/// Whether a letter may stand for another by a slip of the finger or by its sound. Letters of other keyboards may.
fn may_be_typed_for(typed: char, meant: char) -> bool {
    if !typed.is_ascii_lowercase() || !meant.is_ascii_lowercase() {
        return true;
    }
    let key = |letter: char| KEYBOARD.iter().zip(0_i32..).find_map(|(keys, row)| Some((row, keys.find(letter)?)));
    let beside = key(typed).zip(key(meant)).is_some_and(|((row, place), (other_row, other_place))| {
        let x = |row: i32, place: usize| 2 * i32::try_from(place).unwrap_or(i32::MAX / 4) + row;
        (row - other_row).abs() <= 1 && (x(row, place) - x(other_row, other_place)).abs() <= 2
    });
    beside || SOUND_ALIKE.iter().any(|letters| letters.contains(typed) && letters.contains(meant))
}

/// The letters of a word in the order of their codes.
pub(crate) fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_two_letters_and_numbers_are_left_as_they_are() {
        assert!(["dya", "crad", "größe"].into_iter().all(can_be_repaired));
        assert!(!["qr", "v2beta", "2026"].into_iter().any(can_be_repaired));
    }

    #[test]
    fn a_misspelt_stop_word_is_one_unless_a_word_of_the_wiki_is_as_near() {
        let repair = |word, near: Option<&str>| Repair::of(Language::English, word, near.map(str::to_owned));
        for word in ["waht", "hwo", "yuo", "adn", "wher", "wich", "what"] {
            assert_eq!(repair(word, None), Some(Repair::StopWord), "{word}");
        }
        for word in ["th", "card", "refnud", "invoice"] {
            assert_eq!(repair(word, None), None, "{word}");
        }
        assert_eq!(repair("waht", Some("wait")), Some(Repair::StopWord), "a swap comes before another letter");
        assert_eq!(repair("ther", Some("tier")), Some(Repair::StopWord));
        assert_eq!(repair("frm", Some("farm")), Some(Repair::Word("farm".to_owned())), "both lack a letter");
        assert_eq!(Repair::of(Language::German, "wei", None), Some(Repair::StopWord), "\"wie\"");
    }

    #[test]
    fn a_word_is_compared_with_the_stop_words_in_linear_work() {
        growth::linear("repair", 8_000, growth::UNITS, |text| {
            std::hint::black_box(Repair::of(Language::English, text, None));
        });
    }

    #[test]
    fn the_nearest_word_has_the_fewest_edits_and_the_same_first_letter() {
        let nearest = |word, known: &[&'static str]| nearest(word, known.iter().map(|word| (*word, 1)));
        assert_eq!(nearest("invoic", &["invest", "invoice", "involve"]), Some("invoice"));
        assert_eq!(nearest("sutdio", &["studio", "audio"]), Some("studio"));
        assert_eq!(nearest("subscripton", &["subscript"]), Some("subscript"));
        assert_eq!(nearest("plan", &["clan", "flan"]), None);
        assert_eq!(nearest("card", &["crane"]), None);
        assert_eq!(nearest("dya", &["day", "dry"]), Some("day"));
        assert_eq!(nearest("pln", &["plan", "pin"]), Some("plan"));
        assert_eq!(nearest("api", &["app", "ape"]), None, "three letters: no other letter");
    }

    #[test]
    fn a_short_word_is_not_taken_for_another_that_is_hardly_typed_for_it() {
        for (word, known) in [("talk", "tank"), ("main", "mail"), ("bank", "bark"), ("light", "limit")] {
            assert_eq!(nearest(word, [(known, 1)]), None, "{word}");
        }
        for (word, known) in
            [("cord", "card"), ("plam", "plan"), ("refind", "refund"), ("pland", "plan"), ("größe", "große")]
        {
            assert_eq!(nearest(word, [(known, 1)]), Some(known), "{word}");
        }
    }

    #[test]
    fn a_swap_comes_before_another_letter_and_then_the_more_frequent_word() {
        assert_eq!(nearest("saet", [("set", 9), ("seat", 1)]), Some("seat"));
        assert_eq!(nearest("tial", [("trial", 9), ("dial", 99), ("tidal", 1)]), Some("trial"));
    }
}
