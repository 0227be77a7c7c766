//! Words that carry no question, one list per language, as data in `stop_words/`.
//!
//! English is the list the confidence formula was measured with and part of it; most others are Snowball's.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::words::fold;
use crate::Language;

/// The list of `language`, with its words also as typed without accents.
pub(super) fn stop_words(language: Language) -> &'static HashSet<String> {
    macro_rules! list {
        ($file:literal) => {{
            static SET: OnceLock<HashSet<String>> = OnceLock::new();
            SET.get_or_init(|| parse(include_str!(concat!("stop_words/", $file, ".txt"))))
        }};
    }
    match language {
        Language::Arabic => list!("ar"),
        Language::Danish => list!("da"),
        Language::Dutch => list!("nl"),
        Language::English => list!("en"),
        Language::Finnish => list!("fi"),
        Language::French => list!("fr"),
        Language::German => list!("de"),
        Language::Greek => list!("el"),
        Language::Hungarian => list!("hu"),
        Language::Italian => list!("it"),
        Language::Norwegian => list!("no"),
        Language::Portuguese => list!("pt"),
        Language::Romanian => list!("ro"),
        Language::Russian => list!("ru"),
        Language::Spanish => list!("es"),
        Language::Swedish => list!("sv"),
        Language::Tamil => list!("ta"),
        Language::Turkish => list!("tr"),
    }
}

fn parse(list: &str) -> HashSet<String> {
    let words = list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    words.flat_map(|word| [word.to_owned(), fold(word)]).collect()
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
