//! Detects whether a message asks for a human.
//!
//! A message asks if one of its sentences does. Its other sentences are still answered. A table tells the languages in
//! which a sentence may ask, and `matcher` compares it with the phrases of one language. What a corrected typo makes counts only
//! if it is a request.

mod matcher;
#[cfg(test)]
mod tests;

use std::sync::{LazyLock, OnceLock};

use super::tables::{self, Table};
use super::words::{self, Clause};
use crate::CustomerLanguage;
use crate::repair::sorted;
pub(super) use matcher::Classification;
use matcher::HumanRequestMatcher;

/// In the order of `tables::HUMAN`; made when a sentence first mentions a human in the language.
static MATCHERS: [OnceLock<HumanRequestMatcher>; CustomerLanguage::ALL.len()] =
    [const { OnceLock::new() }; CustomerLanguage::ALL.len()];

/// The classification of a sentence in the first language in which it says anything about a human. The expected
/// languages come first, because languages share words such as `agent`.
pub(super) fn classify(sentence: &str, expected: &[CustomerLanguage]) -> Classification {
    let said = words::without_quotations(sentence);
    let clauses = words::clauses(&said);
    match compare(&clauses, expected) {
        // Without quotations the clauses differ, and a question whether a human is needed is not a refusal.
        Classification::Refuses(_) if said != sentence || sentence.trim_end().ends_with(['?', '？', '؟']) => {
            Classification::Denies
        }
        Classification::Neither => match corrected(&clauses).map(|clauses| compare(&clauses, expected)) {
            Some(asks @ Classification::Asks(_)) => asks,
            _ => Classification::Neither,
        },
        found => found,
    }
}

fn compare(clauses: &[Clause], expected: &[CustomerLanguage]) -> Classification {
    let mut refused = None;
    let mentioned = languages_of_mentions(clauses);
    let all = tables::HUMAN.iter().zip(&MATCHERS).enumerate();
    let mut all: Vec<_> = all.filter(|(number, _)| mentioned >> number & 1 == 1).collect();
    all.sort_by_key(|(_, ((spoken, _), _))| {
        expected.iter().position(|language| language == spoken).unwrap_or(usize::MAX)
    });
    for (_, ((language, phrases), matcher)) in all {
        match matcher.get_or_init(|| HumanRequestMatcher::new(phrases)).classify(clauses, *language) {
            Classification::Refuses(clauses) => refused = Some(clauses),
            Classification::Denies => refused = refused.or_else(|| Some(Vec::new())),
            Classification::Neither => {}
            asks @ Classification::Asks(_) => return asks,
        }
    }
    Classification::without_request(refused)
}

/// By word two sets of languages: in the lower half those that list the word, in the upper half those that list every
/// word that begins so.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/mentions.fst"))));

/// The languages of which some word occurs that a request contains, as bits in the order of `tables::HUMAN`.
fn languages_of_mentions(clauses: &[Clause]) -> u64 {
    clauses.iter().flatten().fold(0, |all, word| all | languages_of(word))
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

/// Shorter words have other words one letter away.
const MIN_CHARS_OF_ANY_TYPO: usize = 5;

/// The clauses with their typos corrected; none if there are none. A single word is too little to correct it.
fn corrected(clauses: &[Clause]) -> Option<Vec<Clause>> {
    if clauses.iter().map(Vec::len).sum::<usize>() < 2 {
        return None;
    }
    let mut changed = false;
    let all: Vec<Clause> = clauses
        .iter()
        .map(|clause| {
            let correct =
                |word: &String| near(word).inspect(|_| changed = true).map_or_else(|| word.clone(), str::to_owned);
            clause.iter().map(correct).collect()
        })
        .collect();
    changed.then_some(all)
}

/// The word of the list that is one typo away.
fn near(word: &str) -> Option<&'static str> {
    let one_typo = |known: &&str| {
        known.as_bytes().first() == word.as_bytes().first()
            && known.len().abs_diff(word.len()) <= 1
            && (known.len() >= MIN_CHARS_OF_ANY_TYPO || known.len() == word.len() && sorted(known) == sorted(word))
            && strsim::osa_distance(known, word) == 1
    };
    let mut words = tables::HUMAN.iter().flat_map(|(_, human)| human.corrected.split('|'));
    if words.clone().any(|known| known == word) { None } else { words.find(one_typo) }
}
