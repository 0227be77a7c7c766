//! Detects whether a message asks for a human.
//!
//! A message asks if one of its sentences does. Its other sentences are still answered. `mentions` finds the languages in
//! which a sentence may ask, and `matcher` compares it with the phrases of one language.

mod matcher;
mod mentions;
#[cfg(test)]
mod tests;
mod typos;

use std::sync::LazyLock;

use super::words::Clause;
use super::{languages, words};
use crate::CustomerLanguage;
pub(super) use matcher::Classification;
use matcher::HumanRequestMatcher;
use mentions::Mentions;

static MATCHERS: LazyLock<Vec<HumanRequestMatcher>> =
    LazyLock::new(|| languages::HUMAN.iter().map(HumanRequestMatcher::new).collect());

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
        Classification::Neither => match typos::corrected(&clauses).map(|clauses| compare(&clauses, expected)) {
            Some(asks @ Classification::Asks(_)) => asks,
            _ => Classification::Neither,
        },
        found => found,
    }
}

fn compare(clauses: &[Clause], expected: &[CustomerLanguage]) -> Classification {
    let mut refused = None;
    let mentions = Mentions::of(clauses);
    let place = |reader: &&HumanRequestMatcher| expected.iter().position(|language| *language == reader.language());
    let mentioned = MATCHERS.iter().enumerate().filter(|(number, _)| mentions.has(*number));
    let mut readers: Vec<&HumanRequestMatcher> = mentioned.map(|(_, reader)| reader).collect();
    readers.sort_by_key(|reader| place(reader).unwrap_or(usize::MAX));
    for reader in readers {
        match reader.classify(clauses) {
            Classification::Refuses(clauses) => refused = Some(clauses),
            Classification::Denies => refused = refused.or_else(|| Some(Vec::new())),
            Classification::Neither => {}
            asks @ Classification::Asks(_) => return asks,
        }
    }
    Classification::without_request(refused)
}
