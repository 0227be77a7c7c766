//! Texts that customers are shown, and texts that are masked.

use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag};
use text::{privacy, sanitise};

const MARKDOWN: &[&str] = &[
    "<",
    ">",
    "<b>",
    "</b>",
    "<img src=x onerror=a>",
    "<!--",
    "-->",
    "<?",
    "<![CDATA[",
    "]]>",
    "![",
    "](",
    ")",
    "[",
    "]",
    "]: ",
    "[x]",
    "javascript:",
    "JaVaScRiPt:",
    "data:text/html,",
    "https://",
    "http://",
    "mailto:",
    "tel:",
    "sms:",
    "//",
    "ok.example",
    "evil.example",
    "&lt;",
    "&#60;",
    "&colon;",
    "&#x6A;",
    "\\",
    "`",
    "``",
    "```\n",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "*",
    "**",
    "_",
    "|",
    "|-|\n",
    "\u{200B}",
    "\u{202E}",
    "\u{1B}[31m",
    "\u{0}",
    "\u{AD}",
    "é",
    "x",
    " ",
    "\"",
    "'",
    "(",
    "@",
    "www.",
    "a@b.example",
    "<https://ok.example>",
    "<mailto:a@b.example>",
    "\r",
    "\u{85}",
    "\u{2028}",
    "~",
    "~~~",
];

/// A reader that knows CommonMark, tables and strikethrough sees no HTML, no image and no link of another scheme.
pub(crate) fn assert_safe(markdown: &str) {
    for options in [Options::empty(), Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH] {
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => panic!("{markdown:?} shows the HTML {html:?}"),
                Event::Start(Tag::Image { dest_url, .. }) => panic!("{markdown:?} shows the image {dest_url:?}"),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let scheme = dest_url.split(':').next().unwrap_or_default().to_ascii_lowercase();
                    let is_email = dest_url.contains('@') && !dest_url.contains(':');
                    assert!(
                        is_email || ["https", "http", "mailto", "tel"].contains(&scheme.as_str()),
                        "{markdown:?}: {dest_url:?}"
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn sanitiser_of_what_people_wrote() {
    fuzz::texts!(MARKDOWN, |text| {
        let shown = sanitise::shown(text);
        assert_safe(&shown);
        assert_eq!(sanitise::shown(&shown), shown, "{text:?}");
        let visible = sanitise::visible(text);
        assert_eq!(sanitise::visible(&visible), visible, "{text:?}");
        let words = |text: &str| text.split_inclusive(' ').map(str::to_owned).collect::<Vec<_>>();
        for part in sanitise::fragments(text, words, String::as_str) {
            assert_safe(&part);
        }
        drop(sanitise::to_plain_text(text));
    });
}

#[test]
fn sanitiser_of_what_a_model_wrote() {
    fuzz::texts!(MARKDOWN, |text| {
        let known = HashSet::from(["https://ok.example".to_owned()]);
        let shown = sanitise::answer(text, &known);
        assert_safe(&shown);
        let rest = shown.replace("https://ok.example", "");
        assert!(!rest.contains("https://") && !rest.contains("http://"), "{text:?} {shown:?}");
        assert_eq!(sanitise::answer(&shown, &known), shown, "{text:?}");
    });
}

const PERSONAL: &[&str] = &[
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "DE89 3704 0044 0532 0130 00",
    "GB82WEST12345698765432",
    "ann@example.org",
    "+49 30 1234567",
    "(030) 123-4567",
    "@",
    ".",
    "-",
    " ",
    "0",
    "1",
    "4",
    "9",
    "55",
    "1111",
    "+",
    "(",
    ")",
    "/",
    "[",
    "]",
    "[email]",
    "[card]",
    "[iban]",
    "[phone]",
    "order ",
    "é",
    "\n",
    "\u{A0}",
    "a",
    "Z",
    "_",
    "٤١١١",
    "４１１１",
    ":",
    "#",
];

#[test]
fn masks() {
    fuzz::texts!(PERSONAL, |text| {
        let masked = privacy::mask(text);
        assert_eq!(privacy::mask(&masked), masked, "{text:?}");
        for whole in ["4111 1111 1111 1111", "ann@example.org", "+49 30 1234567"] {
            let alone = format!("{text}\n{whole}\n");
            assert!(!privacy::mask(&alone).ends_with(&format!("{whole}\n")), "{alone:?}");
        }
        for max in [0, 1, 7, 40] {
            assert!(privacy::mask_prefix(text, max).chars().count() <= max, "{text:?}");
            assert!(privacy::remove_in_prefix(text, max).chars().count() <= 2 * max, "{text:?}");
        }
    });
}
