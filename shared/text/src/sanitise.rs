//! Makes text safe to show to a customer: Markdown without hidden characters, HTML, images, and links of other schemes.
//!
//! [`visible`] removes what a reader cannot see; it is also used on input. [`shown`] cleans what people wrote:
//! quotations and excerpts. [`with_images`] does so for articles, whose images stay. [`fragments`] cleans the highlights
//! of a search. [`answer`] cleans what a model wrote, whose links must also be known. [`links`] and [`markdown`] do one part each.

mod links;
mod markdown;

use std::collections::HashSet;

pub use crate::invisible::visible;
pub use links::{contact, find_links, says_contact};
use markdown::Links;

/// Answers take one; each image at the beginning of a block of code takes one more.
const MAX_TRIMS: usize = 6;

/// Cleans a text that people wrote.
///
/// Only a `<` that would open a tag, a comment or a declaration is escaped; a link of another scheme than `https:`,
/// `http:`, `mailto:` and `tel:` becomes its text, with the number or name of one that calls or writes to somebody, an
/// image its description; all other visible characters stay.
#[must_use]
pub fn shown(text: &str) -> String {
    markdown::sanitise_markdown(&visible(text), Links::Web)
}

/// The same, but an image stays if its address is safe ([`crate::images::is_safe`]).
#[must_use]
pub fn with_images(text: &str) -> String {
    markdown::sanitise_markdown(&visible(text), Links::WebAndImages)
}

/// Cleans an answer that a model wrote; of its links only those in `known` stay links, the rest is shown as text.
#[must_use]
pub fn answer(text: &str, known: &HashSet<String>) -> String {
    let mut text = visible(text).trim().to_owned();
    // A block of code that loses its indentation is no code: what was trimmed is cleaned again.
    for _ in 0..MAX_TRIMS {
        let clean = markdown::sanitise_markdown(&text, Links::Known(known));
        if clean.trim() == clean {
            return clean;
        }
        text = clean.trim().to_owned();
    }
    // Nothing is left of it that could be markup, and no address.
    markdown::sanitise_markdown(&markdown::escape_all(&text), Links::Known(&HashSet::new())).trim().to_owned()
}

/// Markdown as a reader sees it, without any markup, to search an answer for forbidden text.
#[must_use]
pub fn to_plain_text(text: &str) -> String {
    markdown::to_plain_text(&visible(text))
}

/// Cleans a text that is shown in the parts that `cut` makes of it, so that each part alone is clean too: a part may
/// begin inside a span of code.
#[must_use]
pub fn fragments<T>(text: &str, cut: impl Fn(&str) -> Vec<T>, part: impl Fn(&T) -> &str) -> Vec<T> {
    let text = shown(text);
    let parts = cut(&text);
    if parts.iter().all(|one| shown(part(one)) == part(one)) { parts } else { cut(&markdown::escape_all(&text)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn known() -> HashSet<String> {
        HashSet::from(["https://ok.example".to_owned(), "tel:+49301234".to_owned()])
    }

    #[test]
    fn of_a_models_links_only_the_known_stay() {
        for (text, expected) in [
            (
                "[c](https://ok.example/ \"t\") and https://ok.example.",
                "[c](https://ok.example/ \"t\") and https://ok.example.",
            ),
            ("[x](https://evil.example/?q=1) z", "x z"),
            ("[x](//evil.example) [y](/relative)", "x y"),
            ("[us](mailto:help@ok.example)", "us (help@ok.example)"),
            ("[help@ok.example](mailto:help@ok.example)", "help@ok.example"),
            ("[us](mailto:help@ok.example?subject=x)", "us (help@ok.example)"),
            ("[call](tel:+49301234) <tel:+49301234>", "[call](tel:+49301234) <tel:+49301234>"),
            ("[call](tel:+49309999) <tel:+49309999>", "call (+49309999) tel:+49309999"),
            ("[030 9999](tel:+49309999) Hotel: 5", "030 9999 Hotel: 5"),
            ("[text](sms:+49309999) [x](skype:www.evil.example?call)", "text (+49309999) x (evil.example)"),
            ("<https://evil.example> <https://ok.example>", "&lt;evil.example> <https://ok.example>"),
            ("[https://ok.example](x:).evil.example", "ok.example.evil.example"),
            ("a ![x](https://evil.example/?q=1) b", "a x b"),
            ("    <img src=x>", "&lt;img src=x>"),
            ("![](u)\n\n    <b>", "&lt;b>"),
        ] {
            assert_eq!(answer(text, &known()), expected, "{text}");
        }
    }

    #[test]
    fn every_part_of_a_cut_text_is_clean() {
        let words = |text: &str| text.split_inclusive(' ').map(str::to_owned).collect::<Vec<String>>();
        for text in ["`a <img src=x>`", "`x [a](javascript:b)` c", "<b> c", "![a b](u) d"] {
            let parts = fragments(text, words, String::as_str);
            assert!(parts.iter().all(|part| shown(part) == *part), "{text}: {parts:?}");
            assert_eq!(shown(&parts.concat()), parts.concat(), "{text}");
        }
        assert_eq!(fragments("a < b, 3 [c]", words, String::as_str).concat(), "a < b, 3 [c]");
    }

    proptest! {
        #[test]
        fn no_text_smuggles_an_image_a_tag_or_a_foreign_link(
            parts in prop::collection::vec(prop::sample::select(vec![
                "!", "[", "]", "(", ")", "<", ">", "/", ":", "\\", "\"", " ", "\n", "x", "&#58;", "\u{200B}", "\u{1B}[",
                "http", "s", "://", "https://", "www.", "evil.example", "https://ok.example", "javascript:", "mailto:",
                "tel:", "sms:", "123", "script", "<b>", "<img ", "<!--", "-->", "![", "](", "]:", "é",
            ]), 0..40)
        ) {
            let text = parts.concat();
            let shown = answer(&text, &known());
            let without_known = shown.replace("https://ok.example", "");
            prop_assert!(!without_known.contains("https://"), "{text:?} -> {shown:?}");
            prop_assert!(!without_known.contains("http://"), "{text:?} -> {shown:?}");
            let again = super::shown(&shown);
            prop_assert_eq!(again.trim(), &shown, "{:?}", text);
        }
    }

    #[test]
    fn cleaning_is_linear() {
        let own = [
            "![",
            "](",
            "[a](",
            "[a](x:y)",
            "![a](b)",
            "[x]\n\n[x]: y:z\n\n",
            "http",
            "https://",
            "www.",
            "<b",
            "<b>",
            "<!--",
            "-->",
            "<div>\n",
            "</",
            "<?",
            "<![CDATA[",
            "(((",
            "httphttps://s://",
            "`a``",
            "**a",
            "_a*",
            "|a|b|\n|-|-|\n",
            "> ",
            "- ",
            "1. ",
            "&lt;",
            "&#",
            "```\n",
            "\u{1B}[",
            "\u{1B}]",
            "https://ok.example ",
            "https://ok.example)",
            "<https://a.b>",
            "]:",
            "\\<",
            "[[a](x:y)](x:z)",
            "[a](sms:1)",
            "(tel:",
            "<tel:1> ",
        ];
        let known = known();
        growth::linear("shown and rendered", 9_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((shown(text), to_plain_text(text)));
        });
        growth::linear("answer", 9_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((answer(text, &known), find_links(text).count()));
        });
        growth::linear("fragments", 9_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(fragments(text, |text| vec![text.to_owned()], String::as_str));
        });
    }
}
