//! Corrects typos: replaces a word that the wiki does not contain by a similar word that it contains.
//!
//! An index finds similar words by its own fuzzy search. [`nearest`] chooses among them, so every index chooses the
//! same.

/// The most words of one question that are corrected; the lookup of similar words is the most expensive part of a
/// search.
pub const MAX_REPAIRS: usize = 16;

/// A shorter word is as near to many others as to the one that was meant.
const MIN_CHARS: usize = 4;
/// From this many letters on, two edits are allowed.
const TWO_EDITS_MIN_CHARS: usize = 8;

/// Whether a word that no entry has may be taken for a typo: letters alone, at least 4.
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
/// then the most entries, then alphabetical. The first letter is kept. None where no word is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = (&'a str, u64)>) -> Option<&'a str> {
    let first = word.chars().next();
    let letters = sorted(word);
    let near = known.into_iter().filter(|(other, _)| other.chars().next() == first && *other != word);
    let ranked = near.filter_map(|(other, entries)| {
        let distance = strsim::osa_distance(word, other);
        let swapped = sorted(other) == letters;
        (distance <= usize::from(max_edits(word))).then_some((distance, !swapped, u64::MAX - entries, other))
    });
    ranked.min().map(|(.., other)| other)
}

fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_numbers_are_left_as_they_are() {
        let repaired = |word| can_be_repaired(word);
        assert!(repaired("crad") && repaired("größe"));
        assert!(!repaired("api") && !repaired("v2beta") && !repaired("2026"));
    }

    #[test]
    fn the_nearest_word_has_the_fewest_edits_and_the_same_first_letter() {
        let nearest = |word, known: &[&'static str]| nearest(word, known.iter().map(|word| (*word, 1)));
        assert_eq!(nearest("invoic", &["invest", "invoice", "involve"]), Some("invoice"));
        assert_eq!(nearest("sutdio", &["studio", "audio"]), Some("studio"));
        assert_eq!(nearest("subscripton", &["subscript"]), Some("subscript"));
        assert_eq!(nearest("plan", &["clan", "flan"]), None);
        assert_eq!(nearest("card", &["crane"]), None);
    }

    #[test]
    fn a_swap_comes_before_another_letter_and_then_the_more_frequent_word() {
        assert_eq!(nearest("saet", [("set", 9), ("seat", 1)]), Some("seat"));
        assert_eq!(nearest("tial", [("trial", 9), ("dial", 99), ("tidal", 1)]), Some("trial"));
    }
}
