//! Detects the language of a short text in Latin letters by the words that hold sentences together.
//!
//! Words are compared without accents, as many people type them. A word that several languages have counts for each,
//! but less.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::super::languages::HUMAN;
use super::super::table::Table;
use super::super::words::words;
use crate::CustomerLanguage as L;

/// Letters that point to languages: no English word has one.
const LETTERS: &[(char, &[L])] = &[
    ('ß', &[L::German]),
    ('ä', &[L::German, L::Swedish, L::Finnish]),
    ('ö', &[L::German, L::Swedish, L::Finnish, L::Hungarian, L::Turkish]),
    ('ü', &[L::German, L::Turkish, L::Hungarian]),
    ('ñ', &[L::Spanish]),
    ('¿', &[L::Spanish]),
    ('¡', &[L::Spanish]),
    ('ã', &[L::Portuguese]),
    ('õ', &[L::Portuguese]),
    ('ç', &[L::French, L::Portuguese, L::Turkish]),
    ('œ', &[L::French]),
    ('è', &[L::French, L::Italian]),
    ('ù', &[L::French, L::Italian]),
    ('ì', &[L::Italian]),
    ('ò', &[L::Italian]),
    ('ê', &[L::French, L::Portuguese]),
    ('å', &[L::Danish, L::Swedish, L::Norwegian]),
    ('ø', &[L::Danish, L::Norwegian]),
    ('æ', &[L::Danish, L::Norwegian]),
    ('ő', &[L::Hungarian]),
    ('ű', &[L::Hungarian]),
    ('ı', &[L::Turkish]),
    ('ğ', &[L::Turkish]),
    ('ş', &[L::Turkish, L::Romanian]),
    ('ș', &[L::Romanian]),
    ('ț', &[L::Romanian]),
    ('ă', &[L::Romanian]),
];

/// Letters of languages that are not spoken here.
const FOREIGN: &str = "ąćęłńśźżčďěňřšťůžđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹāēģīķļņūėįų";

/// The weight of a word or letter that one language has. Several languages that have it share the weight.
const WEIGHT: usize = 60;
/// Fewer words and letters of one language are not enough.
const MIN_HITS: usize = 2;
/// Words that many languages share are not enough, either.
const MIN_WEIGHT: usize = 45;

/// For each word a set of languages, as bits in the order of [`HUMAN`]; `build.rs` made it.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/function_words.fst"))));

/// How much speaks for one language.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    words: usize,
    letters: usize,
    weight: usize,
}

/// The language of the function words of a text, if it has two or more and no other language comes near.
pub(super) fn language(text: &str) -> Option<L> {
    let lower = text.to_lowercase();
    if lower.chars().any(|c| FOREIGN.contains(c)) {
        return None;
    }
    let mut all = [Evidence::default(); L::ALL.len()];
    let mut add = |place: usize, shared: usize, is_word: bool| {
        if let Some(evidence) = all.get_mut(place) {
            evidence.weight += WEIGHT / shared.max(1);
            evidence.words += usize::from(is_word);
            evidence.letters += usize::from(!is_word);
        }
    };
    // A word that is said again says nothing more.
    let said: HashSet<String> = words(&lower).into_iter().collect();
    for word in said {
        let places: Vec<usize> = places_of(&word).collect();
        places.iter().for_each(|place| add(*place, places.len(), true));
    }
    for (_, languages) in LETTERS.iter().filter(|(letter, _)| lower.contains(*letter)) {
        let places = HUMAN.iter().enumerate().filter(|(_, (language, _))| languages.contains(language));
        places.for_each(|(place, _)| add(place, languages.len(), false));
    }
    clear_winner(&all)
}

/// Whether a text has a function word of a language.
pub(super) fn has_one(text: &str, language: L) -> bool {
    let is_its = |word: &String| places_of(word).any(|at| HUMAN.get(at).is_some_and(|(of, _)| *of == language));
    words(&text.to_lowercase()).iter().any(is_its)
}

/// The places in [`HUMAN`] of the languages that have `word`.
fn places_of(word: &str) -> impl Iterator<Item = usize> {
    let languages = TABLE.get(word).unwrap_or_default();
    (0..HUMAN.len()).filter(move |place| languages >> place & 1 == 1)
}

/// The language with the most evidence, a third more than the next.
fn clear_winner(all: &[Evidence]) -> Option<L> {
    let (place, best) = all.iter().enumerate().max_by_key(|(_, evidence)| evidence.weight)?;
    let others = all.iter().enumerate().filter(|(other, _)| *other != place);
    let next = others.map(|(_, evidence)| evidence.weight).max().unwrap_or_default();
    let enough = best.words > 0 && best.words + best.letters >= MIN_HITS && best.weight >= MIN_WEIGHT;
    (enough && best.weight * 3 >= next * 4).then(|| HUMAN.get(place).map(|(language, _)| *language))?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dialogue::languages::ALL;

    #[test]
    fn the_built_table_has_the_words_of_all_lists_and_no_others() {
        let lists: Vec<BTreeSet<String>> =
            ALL.iter().map(|book| words(book.function_words).into_iter().collect()).collect();
        let listed: BTreeSet<String> = lists.iter().flatten().cloned().collect();
        assert_eq!(TABLE.entries().into_keys().collect::<BTreeSet<_>>(), listed);
        for word in listed.iter().map(String::as_str).chain(["", "qqq"]) {
            let expected = (0..ALL.len()).filter(|place| lists[*place].contains(word));
            assert_eq!(places_of(word).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{word}");
        }
    }
}
