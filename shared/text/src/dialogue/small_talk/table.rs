//! The phrases of all languages, in tables that `build.rs` made.

use std::sync::LazyLock;

use super::kinds::Kinds;
use super::phrase::{MIN_CORRECTED_BYTES, Phrase};
// The table names languages as `Debug` does.
use crate::CustomerLanguage::*;
use crate::dialogue::table::Table;

include!(concat!(env!("OUT_DIR"), "/small_talk.rs"));

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/small_talk.fst"))));

/// Whether a phrase has this word.
pub(super) fn is_known(word: &str) -> bool {
    TABLE.get(word).is_some()
}

/// The phrases with which `words` begin, shortest first: the number of words of each, and what it does in each language.
pub(super) fn phrases_from(
    words: impl Iterator<Item = impl AsRef<str>>,
) -> impl Iterator<Item = (usize, &'static [Phrase])> {
    let positions = words.scan(TABLE.start(), |position, word| {
        *position = position.and_then(|position| position.read(word.as_ref()));
        *position
    });
    let phrases = positions.enumerate().map(|(before, position)| (before + 1, at(position.value())));
    phrases.filter(|(_, phrases)| !phrases.is_empty())
}

/// The first word that is a phrase by itself and one typo away from `word`, if both are long.
pub(super) fn corrected(word: &str) -> Option<&'static str> {
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

/// The phrases with these letters, without blanks.
#[cfg(test)]
pub(super) fn phrases(letters: &str) -> &'static [Phrase] {
    at(TABLE.get(letters))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::collect::PhraseCollection;
    use super::*;
    use crate::dialogue::languages::ALL;

    #[test]
    fn the_built_table_has_the_phrases_and_words_of_all_lists_and_no_others() {
        let lists = PhraseCollection::new(ALL);
        assert!(lists.phrases.len() > 5_000, "{}", lists.phrases.len());
        let words = lists.words.iter().map(|word| (word.as_str(), [].as_slice()));
        let mut expected: BTreeMap<&str, &[Phrase]> = words.collect();
        expected.extend(lists.phrases.iter().map(|(letters, phrases)| (letters.as_str(), phrases.as_slice())));
        let entries = TABLE.entries();
        let built: BTreeMap<&str, &[Phrase]> =
            entries.iter().map(|(letters, number)| (letters.as_str(), at(Some(*number)))).collect();
        assert_eq!(built, expected);
        for (letters, phrases) in expected {
            assert_eq!((is_known(letters), super::phrases(letters)), (true, phrases), "{letters}");
        }
    }

    #[test]
    fn a_typo_is_corrected_to_the_word_that_the_lists_name_first() {
        let long_words = PhraseCollection::new(ALL).long_words;
        assert!(long_words.len() > 1_000, "{}", long_words.len());
        for word in &long_words {
            let typo: String = word.chars().enumerate().filter(|(at, _)| *at != 2).map(|(_, c)| c).collect();
            let near = |known: &&String| {
                known.chars().next() == typo.chars().next() && strsim::osa_distance(known, &typo) == 1
            };
            let first = long_words.iter().find(near).filter(|_| typo.len() >= MIN_CORRECTED_BYTES);
            assert_eq!(corrected(&typo), first.map(String::as_str), "{typo}");
        }
    }
}
