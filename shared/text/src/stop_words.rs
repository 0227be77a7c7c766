//! Stop words, one list per language, as data in `stop_words/`.
//!
//! The English list is the one that the confidence formula was fitted with. Most others are Snowball's.

use std::collections::HashSet;

use super::accents::fold_accents;
use crate::{ByLanguage, Language};

/// The list of `language`, with its words also as typed without accents.
pub(super) fn stop_words(language: Language) -> &'static HashSet<String> {
    static WORDS: ByLanguage<HashSet<String>> = ByLanguage::new();
    WORDS.get(language, || parse(list(language)))
}

const fn list(language: Language) -> &'static str {
    match language {
        Language::Arabic => include_str!("stop_words/ar.txt"),
        Language::Danish => include_str!("stop_words/da.txt"),
        Language::Dutch => include_str!("stop_words/nl.txt"),
        Language::English => include_str!("stop_words/en.txt"),
        Language::Finnish => include_str!("stop_words/fi.txt"),
        Language::French => include_str!("stop_words/fr.txt"),
        Language::German => include_str!("stop_words/de.txt"),
        Language::Greek => include_str!("stop_words/el.txt"),
        Language::Hungarian => include_str!("stop_words/hu.txt"),
        Language::Italian => include_str!("stop_words/it.txt"),
        Language::Norwegian => include_str!("stop_words/no.txt"),
        Language::Portuguese => include_str!("stop_words/pt.txt"),
        Language::Romanian => include_str!("stop_words/ro.txt"),
        Language::Russian => include_str!("stop_words/ru.txt"),
        Language::Spanish => include_str!("stop_words/es.txt"),
        Language::Swedish => include_str!("stop_words/sv.txt"),
        Language::Tamil => include_str!("stop_words/ta.txt"),
        Language::Turkish => include_str!("stop_words/tr.txt"),
    }
}

fn parse(list: &str) -> HashSet<String> {
    let words = list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    words.flat_map(|word| [word.to_owned(), fold_accents(word)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
