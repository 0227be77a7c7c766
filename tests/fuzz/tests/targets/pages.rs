//! Pages, Markdown files and plain texts that become entries.

use std::collections::HashSet;

use domain::models::WikiPath;
use page::{Kind, Page, drafts};

const WORDS: &[&str] = &[
    "<html>",
    "<body>",
    "<main>",
    "</main>",
    "<h1>",
    "</h1>",
    "<h2>",
    "</h2>",
    "<p>",
    "</p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<pre>",
    "<code>",
    "</pre>",
    "<script>",
    "</script>",
    "<style>",
    "<!--",
    "-->",
    "<a href=\"",
    "\">",
    "</a>",
    "<br>",
    "<div class=\"nav\">",
    "</div>",
    "<template>",
    "<svg>",
    "<math>",
    "<select>",
    "<textarea>",
    "&amp;",
    "&#x0;",
    "&nbsp;",
    "# ",
    "## ",
    "\n\n",
    "\n",
    "- ",
    "1. ",
    "> ",
    "```\n",
    "~~~\n",
    "|a|b|\n|-|-|\n",
    "[x]: y\n",
    "---\ntitle: x\n---\n",
    "===\n",
    "    ",
    "\t",
    "*",
    "**",
    "_",
    "`",
    "![a](b)",
    "\\",
    "Refunds take five days.",
    "返金は5日かかります。",
    "\u{FEFF}",
    "\u{0}",
    "\u{202E}",
    "é",
];

fn check(text: &str, kind: Option<Kind>) {
    let Ok(drafts) = drafts(&Page { text, kind, url: None, name: "a page" }) else { return };
    assert!(!drafts.is_empty(), "{kind:?} {text:?}");
    let slugs: HashSet<&str> = drafts.iter().map(|draft| draft.slug.as_str()).collect();
    assert_eq!(slugs.len(), drafts.len(), "{kind:?} {text:?}");
    for draft in &drafts {
        assert!(WikiPath::parse(&format!("a/{}", draft.slug)).is_ok(), "{kind:?} {text:?}: {}", draft.slug);
        let title = draft.title.chars().count();
        assert!((1..=200).contains(&title) && !draft.title.contains('\n'), "{kind:?} {text:?}: {:?}", draft.title);
        let chars = draft.content.chars().count();
        assert!((1..=200_000).contains(&chars) && draft.content.len() <= 300 * 1024, "{kind:?} {text:?}");
    }
}

#[test]
fn html() {
    fuzz::texts!(WORDS, |text| check(text, Some(Kind::Html)));
}

#[test]
fn markdown() {
    fuzz::texts!(WORDS, |text| check(text, Some(Kind::Markdown)));
}

#[test]
fn guessed_texts() {
    fuzz::texts!(WORDS, |text| {
        check(text, Some(Kind::Plain));
        check(text, None);
    });
}
