//! Words that name no topic, besides numbers: quantity, time, place, pronouns, and verbs of any sentence.
//!
//! If the wiki lacks such a word, the question may still be about the wiki: "is there a minimum?" asks about the
//! previous topic, while "do you have parking?" asks about parking. Stop words are removed before and need not be
//! listed.

use std::collections::HashSet;

use domain::models::Language;
use text::{Analyzer, ByLanguage};

/// The terms of the generic words of a language.
pub(super) fn generic_terms(language: Language) -> &'static HashSet<String> {
    static TERMS: ByLanguage<HashSet<String>> = ByLanguage::new();
    TERMS.get(language, || Analyzer::new(language).terms(text::dialogue::generic_words(language)).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_generic_words_of_its_own() {
        for language in Language::ALL {
            assert!(generic_terms(*language).len() >= 12, "{language}");
        }
        let english = generic_terms(Language::English);
        let terms = |text: &str| Analyzer::new(Language::English).terms(text);
        for text in ["how much?", "is there a minimum", "and if it still won't work?", "and mine isn't?"] {
            assert!(terms(text).iter().all(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
        for text in ["do you have parking?", "where does the zebra sleep?", "do you sell kubernetes operators?"] {
            assert!(!terms(text).iter().any(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
    }
}
