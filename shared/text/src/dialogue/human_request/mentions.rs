//! The languages in which a sentence may ask for a human, by a table that `build.rs` made.

use std::sync::LazyLock;

use crate::dialogue::table::Table;
use crate::dialogue::words::Clause;

/// By word two sets of languages: in the lower half those that list the word, in the upper half those that list every
/// word that begins so.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/mentions.fst"))));

/// Languages, as bits in the order of `languages::HUMAN`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mentions(u64);

impl Mentions {
    /// The languages of which some word occurs that a request contains.
    pub(super) fn of(clauses: &[Clause]) -> Self {
        Self(clauses.iter().flatten().fold(0, |all, word| all | languages_of(word)))
    }

    /// Whether the language of this number is one of them.
    pub(super) const fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }
}

fn languages_of(word: &str) -> u64 {
    let (mut found, mut position) = (0, TABLE.start());
    for byte in word.bytes() {
        position = position.and_then(|position| position.step(byte));
        let Some(position) = position else { return found };
        found |= position.value().unwrap_or_default() >> 32;
    }
    let listed = position.and_then(|position| position.value()).unwrap_or_default();
    found | listed & u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::dialogue::expression::Vocabulary;
    use crate::dialogue::languages::ALL;

    use super::*;

    /// Listed words, beginnings of them, and words that begin with them.
    #[test]
    fn the_built_table_finds_the_languages_whose_lists_have_a_word() {
        let lists = |number: usize| {
            let human = &ALL[number].human;
            Vocabulary::of([human.who, human.some, human.mentions].into_iter())
        };
        let lists: Vec<Vocabulary> = (0..ALL.len()).map(lists).collect();
        let listed: Vec<String> = TABLE.entries().into_keys().collect();
        assert!(listed.len() > 500, "{}", listed.len());
        for word in &listed {
            let shorter: String = word.chars().take(word.chars().count() - 1).collect();
            for word in [word, &format!("{word}s"), &format!("{word}ность"), &shorter] {
                let found = Mentions::of(&[vec![word.clone()]]);
                for (number, list) in lists.iter().enumerate() {
                    assert_eq!(found.has(number), list.has(word), "{word} in {}", ALL[number].language);
                }
            }
        }
        let words: usize = lists.iter().map(|list| list.words().filter(|word| listed.contains(word)).count()).sum();
        assert_eq!(words, lists.iter().map(|list| list.words().count()).sum::<usize>(), "every word is in the table");
    }
}
