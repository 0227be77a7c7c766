//! What may be shown of a text that a model wrote: no hidden characters, no images, no HTML, known web links only.
//!
//! [`visible`] takes out what a reader cannot see and is used on the way in as well; [`answer`] is the whole cleaning
//! of an answer. [`characters`], [`html`] and [`links`] do one part each. Whatever is left renders as plain text and
//! simple Markdown, in a chat widget and in a terminal.

mod characters;
mod html;
mod links;

use std::collections::HashSet;

pub use characters::visible;
pub use links::web_links;

/// Cleans an answer; of its links only those in `known` stay links, the rest is shown as text.
#[must_use]
pub fn answer(text: &str, known: &HashSet<String>) -> String {
    let text = visible(text);
    let text = html::without_tags(&text);
    let text = links::known_only(&text, known);
    html::inert(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn known() -> HashSet<String> {
        HashSet::from(["https://ok.example".to_owned()])
    }

    proptest! {
        #[test]
        fn no_text_smuggles_an_image_a_tag_or_a_foreign_link(
            parts in prop::collection::vec(prop::sample::select(vec![
                "!", "[", "]", "(", ")", "<", ">", "/", ":", "\\", "\"", " ", "\n", "x", "&#58;", "\u{200B}", "\u{1B}[",
                "http", "s", "://", "https://", "www.", "evil.example", "https://ok.example", "javascript:", "mailto:",
                "script", "<b>", "<img ", "<!--", "-->", "![", "](", "]:", "é",
            ]), 0..40)
        ) {
            let text = parts.concat();
            let shown = answer(&text, &known());
            let without_known = shown.replace("https://ok.example", "");
            prop_assert!(!shown.contains("!["), "{text:?} -> {shown:?}");
            prop_assert!(!shown.contains("]:"), "{text:?} -> {shown:?}");
            prop_assert!(!without_known.contains("https://"), "{text:?} -> {shown:?}");
            prop_assert!(!without_known.contains("http://"), "{text:?} -> {shown:?}");
            for (at, _) in shown.match_indices("](") {
                prop_assert!(shown[at + 2..].starts_with("https://ok.example"), "{text:?} -> {shown:?}");
            }
            for (at, _) in shown.match_indices('<') {
                let next = shown[at + 1..].chars().next();
                prop_assert!(!next.is_some_and(|c| c.is_alphabetic() || "/!?".contains(c)), "{text:?} -> {shown:?}");
            }
        }
    }

    #[test]
    fn a_long_hostile_text_is_cleaned_in_a_moment() {
        for unit in ["![", "](", "http", "https://", "<b", "[a](", "(((", "www.", "<!--", "httphttps://s://"] {
            let text = unit.repeat(8_192 / unit.len());
            let started = std::time::Instant::now();
            let _shown = answer(&text, &known());
            assert!(started.elapsed() < std::time::Duration::from_secs(2), "{unit}: {:?}", started.elapsed());
        }
        let nested = format!("{}{}", "http".repeat(1_000), "s://".repeat(1_000));
        let started = std::time::Instant::now();
        let _shown = answer(&nested, &known());
        assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
    }
}
