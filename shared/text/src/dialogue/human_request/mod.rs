//! Detects whether a message asks for a human.
//!
//! A message asks if one of its sentences does. Its other sentences are still answered. `reader` compares a sentence
//! with the phrases of one language.

mod matcher;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::{languages, words};
pub(super) use matcher::Classification;
use matcher::HumanRequestMatcher;

static MATCHERS: LazyLock<Vec<HumanRequestMatcher>> =
    LazyLock::new(|| languages::ALL.iter().copied().map(HumanRequestMatcher::new).collect());

/// What a sentence says about a human, in the first language in which it says anything.
pub(super) fn classify(sentence: &str) -> Classification {
    let said = words::without_quotations(sentence);
    let clauses = words::clauses(&said);
    let mut refused = Vec::new();
    for reader in MATCHERS.iter() {
        match reader.classify(&clauses) {
            Classification::Refuses(clauses) => refused = clauses,
            Classification::Neither => {}
            asks @ Classification::Asks(_) => return asks,
        }
    }
    // A question whether a human is needed is not a refusal; and without quotations, the clauses differ.
    let refuses = !refused.is_empty() && said == sentence && !sentence.trim_end().ends_with(['?', '？', '؟']);
    if refuses { Classification::Refuses(refused) } else { Classification::Neither }
}
