//! Pages in the forms of real help sites, with entries that a person reviewed; and hostile pages.

use super::*;

/// The bytes of a page as a server without a charset sends them.
fn fixture(name: &str) -> String {
    let path = format!("{}/tests/pages/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|b| windows_1252(*b)).collect())
}

/// Enough of the code page for the one page that is written in it.
fn windows_1252(byte: u8) -> char {
    match byte {
        0x80 => '€',
        0x84 => '„',
        0x93 => '“',
        0x96 => '–',
        other => char::from(other),
    }
}

fn kind_of(name: &str) -> Kind {
    match name.rsplit('.').next() {
        Some("md") => Kind::Markdown,
        Some("txt") => Kind::Plain,
        _ => Kind::Html,
    }
}

fn read(name: &str, text: &str) -> Result<Vec<SectionDraft>, ReadError> {
    let url = Url::parse("https://help.example.com/articles/page").unwrap();
    drafts(&Page { text, kind: Some(kind_of(name)), url: Some(&url), name: "Page" })
}

/// The entries of a Markdown text that has no address, each with its title on the first line.
pub(super) fn entries_of(text: &str) -> Vec<String> {
    let drafts = drafts(&Page { text, kind: Some(Kind::Markdown), url: None, name: "Page" }).unwrap();
    drafts.into_iter().map(|draft| format!("{}\n{}", draft.title, draft.content)).collect()
}

/// The text of a Markdown text that is one entry.
pub(super) fn entry_of(text: &str) -> String {
    let [entry] = entries_of(text).try_into().unwrap();
    entry.split_once('\n').unwrap().1.to_owned()
}

fn shown(result: &Result<Vec<SectionDraft>, ReadError>) -> String {
    match result {
        Err(why) => format!("{why:?}\n"),
        Ok(drafts) => drafts
            .iter()
            .map(|draft| format!("=== {}\n--- {}\n{}\n\n", draft.slug, draft.title, draft.content))
            .collect(),
    }
}

/// Compares with the committed entries; `UPDATE_PAGES=1` writes them again, to be read before they are committed.
#[allow(clippy::disallowed_methods, reason = "a switch for developers")]
fn check(name: &str) {
    let text = fixture(name);
    let result = read(name, &text);
    assert_eq!(read(name, &text), result, "the same page makes the same entries");
    let shown = shown(&result);
    let path = format!("{}/tests/pages/{name}.entries", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &shown).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, expected, "{name}");
}

macro_rules! pages {
    ($($test:ident: $file:literal),+ $(,)?) => { $(
        #[test]
        fn $test() {
            check($file);
        }
    )+ };
}

pages! {
    an_faq_of_accordions_becomes_an_entry_a_question: "faq_accordion.html",
    a_long_manual_is_cut_by_its_headings: "manual_long.html",
    a_page_of_prices_keeps_its_tables: "pricing_tables.html",
    documentation_keeps_its_code: "code_docs.html",
    a_forum_thread_keeps_what_was_said: "forum_thread.html",
    of_a_page_of_links_only_the_text_is_kept: "mostly_navigation.html",
    a_japanese_page_is_read: "japanese.html",
    an_arabic_page_is_read: "arabic.html",
    a_russian_page_is_read: "russian.html",
    a_page_in_a_code_page_of_old_is_read: "windows_1252.html",
    a_broken_page_is_read_as_far_as_a_person_could: "broken.html",
    an_empty_shell_has_no_entries: "spa_shell.html",
    a_page_behind_a_consent_dialog_is_read: "consent_heavy.html",
    of_a_page_of_zendesk_the_article_is_read: "zendesk_guide.html",
    of_a_page_of_intercom_the_article_is_read: "intercom_article.html",
    of_a_page_of_help_scout_the_article_is_read: "help_scout_docs.html",
    of_a_page_of_document360_the_article_is_read: "document360.html",
    of_a_page_of_confluence_the_article_is_read: "confluence_view.html",
    of_an_export_of_confluence_the_article_is_read: "confluence_export.html",
    of_an_export_of_notion_the_page_is_read: "notion_export.html",
    of_a_published_page_of_notion_the_text_is_read: "notion_page.html",
    a_markdown_file_is_read: "guide.md",
    a_plain_text_is_read: "notes.txt",
}

#[test]
fn a_page_of_three_megabytes_is_read_whole() {
    let chapters: Vec<String> = (0..600)
        .map(|n| {
            let text =
                format!("Chapter {n} is about the number {n}, which nobody had thought about before. ").repeat(60);
            format!("<h2>Chapter {n}</h2><p>{text}</p><ul class=x><li>first of {n}<li>last of {n}</ul>")
        })
        .collect();
    let html =
        format!("<html><body><nav>menu</nav><main><h1>The book</h1>{}</main></body></html>", chapters.join("\n"));
    assert!(html.len() > 3_000_000 - 500_000, "{}", html.len());
    let drafts = read("book.html", &html).unwrap();
    assert!(drafts.len() <= 1_000, "{}", drafts.len());
    let all: String = drafts.iter().map(|draft| draft.content.as_str()).collect();
    for n in [0, 1, 299, 599] {
        assert!(all.contains(&format!("- last of {n}")), "chapter {n}");
    }
    assert!(!all.contains("menu"));
}

/// Pages that take a naive reader minutes, its stack or all memory.
#[test]
fn pages_that_are_made_to_hurt_are_read_and_stay_small() {
    let deep = |tag: &str, n: usize| {
        format!("<body><p>Some text to be found in all of this.</p>{}x", format!("<{tag}>").repeat(n))
    };
    let attrs: Vec<String> = (0..200_000).map(|n| format!("a{n}=x")).collect();
    let with = |rest: String| format!("<body><p>Some text to be found in all of this.{rest}");
    // With each page: how many times its own size its entries may have. More than once if the reader adds to the
    // text, which is bounded for a page as a whole: addresses of links, repeated cells, indentation, names of tabs.
    let pages = [
        (1, deep("div", 100_000)),
        (1, deep("b", 100_000)),
        (1, deep("sup", 100_000) + "raised text of more than a mark"),
        (1, deep("ul><li", 60_000)),
        (1, deep("table><tr><td", 40_000)),
        (1, deep("a href=/x", 60_000)),
        (1, deep("details><summary>q?</summary", 40_000)),
        (1, deep("dl><dt>x<dd", 40_000)),
        (1, deep("blockquote", 60_000) + &deep("svg", 100_000) + &deep("x-y", 100_000)),
        (1, deep("/div", 100_000)),
        (1, format!("<body><p {}>Some text to be found in all of this.", attrs.join(" "))),
        (1, format!("{}<p>Some text to be found in all of this.{}", "<b a=1>".repeat(3_000), "<p>y".repeat(100_000))),
        (2, with("<div role=tabpanel aria-labelledby=t id=t>z".repeat(40_000))),
        (4, with("<ul><li><a href=/>a</a><li><a href=/>b</a></ul>".repeat(20_000))),
        (4, with(format!("<table>{}</table>", "<tr><td rowspan=9999 colspan=9999>c".repeat(3_000)))),
        (2, with(format!("<table><tr><td rowspan=200>{}{}", "x ".repeat(50_000), "<tr><td>y".repeat(199)))),
        (
            6,
            with(
                format!("<table><tr>{}{}", "<td rowspan=200>many words".repeat(40), "<tr><td>y".repeat(199)).repeat(20),
            ),
        ),
        (6, with(format!("<table><tr>{}{}", "<td>y".repeat(40), "<tr><td>y".repeat(50_000)))),
        (2, with(format!("<table><tr><td>{}<td>z{}", "x ".repeat(200_000), "<tr><td>y<td>z".repeat(20_000)))),
        (1, with(format!("<h1>{}</h1>{}", "x ".repeat(200_000), "<h2>q?</h2>a".repeat(20_000)))),
        (1, format!("<title>{}</title>{}", "x ".repeat(200_000), with("<h2>q?</h2>a".repeat(20_000)))),
        (6, with(format!("{}{}", "<ul><li>".repeat(150), "<li>y".repeat(60_000)))),
        (6, with(format!("{}{}", "<blockquote>".repeat(150), "<p>y".repeat(60_000)))),
        (1, with("<h2>q?</h2>a".repeat(50_000))),
        (2, with(format!("<pre>{}</pre>", "`".repeat(500_000)))),
        (1, with(format!(" {}", "x".repeat(2_000_000)))),
    ];
    let check = |(factor, page): &(usize, String)| {
        let start: String = page.chars().take(120).collect();
        let drafts = read("hostile.html", page).unwrap_or_else(|why| panic!("{why:?}: {start}"));
        assert!(drafts.iter().all(|draft| draft.content.chars().count() <= CONTENT_CHARS), "{start}");
        let found = drafts.iter().any(|draft| draft.content.contains("Some text to be found in all of this."));
        assert!(found, "the text is lost: {start}");
        let (written, there) = (drafts.iter().map(|draft| draft.content.len()).sum::<usize>(), page.len());
        assert!(written <= factor * there, "{written} bytes of {there}: {start}");
    };
    // Large pages, on all cores.
    std::thread::scope(|scope| {
        for some in pages.chunks(4) {
            scope.spawn(move || some.iter().for_each(check));
        }
    });
    let full = "<p>x".repeat(500_000);
    assert_eq!(read("hostile.html", &full), Err(ReadError::TooLarge));
}

#[test]
fn a_long_address_is_not_added_to_every_link_of_a_page() {
    let url = Url::parse(&format!("https://help.example.com/{}/page", "a".repeat(400))).unwrap();
    let text = "<p>See <a href=x>this</a> and that.".repeat(20_000);
    let drafts = drafts(&Page { text: &text, kind: Some(Kind::Html), url: Some(&url), name: "Page" }).unwrap();
    assert!(drafts[0].content.starts_with("See [this](https://help.example.com/aaa"));
    let written: usize = drafts.iter().map(|draft| draft.content.len()).sum();
    assert!(written <= 5 * text.len(), "{written} bytes of {}", text.len());
}

#[test]
fn a_short_spanned_cell_is_repeated_and_a_long_one_is_not() {
    let long = "A long note that is told once. ".repeat(20);
    let table = format!(
        "<table><tr><th>Plan<th>Seats<th>Note<tr><td rowspan=2>Team<td>5<td rowspan=2>{long}<tr><td>10</table>"
    );
    let content = read("x.html", &table).unwrap().remove(0).content;
    assert_eq!(content.matches("| Team |").count(), 2, "{content}");
    assert_eq!(content.matches(long.trim()).count(), 1, "{content}");
}

#[test]
fn texts_that_are_made_to_hurt_are_read_in_time() {
    for unit in [
        "# a\n\nb\n\n",
        "> ",
        "![",
        "[a](",
        "- a\n",
        "|a",
        "```\n",
        "<!--",
        "<details>\n",
        "*a ",
        "Q: a?\nA: b\n\n",
        "A\n\n",
        "---\n",
    ] {
        let text = unit.repeat(400_000 / unit.len());
        for name in ["hostile.md", "hostile.txt"] {
            if let Ok(drafts) = read(name, &text) {
                assert!(drafts.len() <= 1_000 && drafts.iter().all(|draft| !draft.content.is_empty()), "{unit}");
            }
        }
    }
}

mod frames;
mod linear;
mod unfolding;

mod properties {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn markup() -> impl Strategy<Value = String> {
        let parts = [
            "<p>",
            "</p>",
            "<div>",
            "</div>",
            "<ul>",
            "<li>",
            "</ul>",
            "<table>",
            "<tr>",
            "<td colspan=3>",
            "<th rowspan=2>",
            "</table>",
            "<h1>",
            "<h2 id=x>",
            "</h2>",
            "<pre>",
            "</pre>",
            "<code>",
            "</code>",
            "<a href=\"/x?y\">",
            "</a>",
            "<details>",
            "<summary>",
            "</details>",
            "<dl>",
            "<dt>",
            "<dd>",
            "</dl>",
            "<br>",
            "<b>",
            "</b>",
            "<i>",
            "</i>",
            "<svg>",
            "</svg>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<button aria-controls=x>",
            "<select>",
            "</select>",
            "<nav>",
            "</nav>",
            "<main>",
            "</main>",
            "text ",
            "Why? ",
            "&amp;",
            "&#x0;",
            "&#128512;",
            "漢字。",
            "\u{202E}",
            "\0",
            "<",
            "\"",
            "=",
            "<x-y ",
            ">",
            "|",
            "#",
            "\n\n",
            "- ",
            "```",
            "====",
            "1. ",
        ];
        prop::collection::vec(prop::sample::select(parts.to_vec()), 0..80).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_500))]

        #[test]
        fn whatever_a_text_is_its_entries_are_entries(text in markup(), kind in 0..3_usize) {
            let name = ["x.html", "x.md", "x.txt"][kind];
            let Ok(drafts) = read(name, &text) else { return Ok(()) };
            let slugs: HashSet<&str> = drafts.iter().map(|draft| draft.slug.as_str()).collect();
            prop_assert_eq!(slugs.len(), drafts.len());
            for draft in &drafts {
                prop_assert!(domain::models::WikiPath::parse(&format!("a/{}", draft.slug)).is_ok(), "{:?}", draft);
                prop_assert!((1..=200).contains(&draft.title.chars().count()), "{:?}", draft);
                prop_assert!(!draft.title.chars().any(char::is_control) && !draft.title.trim().is_empty(), "{:?}", draft);
                prop_assert!(!draft.content.trim().is_empty() && !draft.content.contains('\0'), "{:?}", draft);
            }
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let text = String::from_utf8_lossy(&bytes);
            for name in ["x.html", "x.md", "x.txt"] {
                let _ = read(name, &text);
            }
        }
    }
}
