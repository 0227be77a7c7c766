//! Markdown (CommonMark) without raw HTML, links of other schemes than `https:`, `http:`, `mailto:` and `tel:`, and
//! images, or images that are not safe.
//!
//! A parser gives their positions in the source, and only there the source is edited. An edit can create new markup, so
//! the result is parsed again. If a text is still not clean after [`MAX_PASSES`], it is hostile, and all its brackets
//! are escaped.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::links;
use crate::images;

/// Texts that people write take one; nested links take one for each that becomes text.
const MAX_PASSES: usize = 6;
/// The schemes of links.
const SCHEMES: [&str; 4] = ["https:", "http:", "mailto:", "tel:"];
/// CommonMark, and what most widgets render in addition: a cell of a table ends a code span.
const DIALECTS: [Options; 2] = [Options::empty(), Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH)];

/// The links that stay links.
#[derive(Debug, Clone, Copy)]
pub(super) enum Links<'a> {
    /// Those of the schemes.
    Web,
    /// The same, and images of safe addresses stay images.
    WebAndImages,
    /// Those to the addresses, also addresses in running text.
    Known(&'a HashSet<String>),
}

/// `text` with markup that may be shown, the rest of it as text.
pub(super) fn sanitise_markdown(text: &str, links: Links<'_>) -> String {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_PASSES {
        let known = match links {
            Links::Web | Links::WebAndImages => text.clone(),
            Links::Known(known) => Cow::Owned(links::known_addresses(&text, known)),
        };
        // HTML begins with the one, links and images with the other: most texts need no reading.
        if !known.contains(['<', '[']) {
            return known.into_owned();
        }
        let edits = DIALECTS.iter().map(|dialect| edits(&known, *dialect, links)).find(|edits| !edits.is_empty());
        match edits {
            Some(edits) => text = Cow::Owned(applied(&known, edits)),
            None => return known.into_owned(),
        }
    }
    let text = match links {
        Links::Web | Links::WebAndImages => text,
        Links::Known(_) => Cow::Owned(links::known_addresses(&text, &HashSet::new())),
    };
    escape_all(&text)
}

/// `text` with every character that could begin markup of a tag, a link or an image written as text.
pub(super) fn escape_all(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '<' if opens_tag(text, at) => out.push_str("&lt;"),
            '[' => out.push_str("&#91;"),
            c => out.push(c),
        }
    }
    out
}

/// `text` as a reader sees it: no markup, no HTML.
pub(super) fn to_plain_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for event in Parser::new(text) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item) => out.push('\n'),
            _ => {}
        }
    }
    out
}

/// A part of the source and its replacement.
type Replacement = (Range<usize>, Cow<'static, str>);

fn edits(text: &str, dialect: Options, links: Links<'_>) -> Vec<Replacement> {
    let mut reader = Scanner { text, links, edits: Vec::new(), open: Vec::new(), in_code: false };
    for (event, range) in Parser::new_ext(text, dialect).into_offset_iter() {
        reader.event(event, range);
    }
    let mut edits = reader.edits;
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

/// The text after the edits; of those that overlap, the first.
fn applied(text: &str, edits: Vec<Replacement>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, by) in edits.into_iter().filter(|(range, _)| range.start < range.end) {
        if range.start < done {
            continue;
        }
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push_str(&by);
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

struct Scanner<'a> {
    text: &'a str,
    links: Links<'a>,
    edits: Vec<Replacement>,
    /// The links and images that are being read.
    open: Vec<OpenElement>,
    in_code: bool,
}

/// A link or an image.
struct OpenElement {
    start: usize,
    /// Where what it holds ends.
    inner_end: usize,
    end: usize,
    /// Bytes of the mark that opens it; none if it stays as it is.
    mark: Option<usize>,
    /// A number, a name or a mail address that the target says.
    contact: Option<String>,
}

impl Scanner<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                let stays = matches!(self.links, Links::WebAndImages) && images::is_safe(&dest_url);
                self.open(&self.link_range(link_type, &range), 2, !stays, None);
            }
            Event::Start(Tag::Link { link_type: kind @ (LinkType::Autolink | LinkType::Email), dest_url, .. }) => {
                // The target of `<name@host>` comes without its scheme.
                let mail = kind == LinkType::Email && !matches!(self.links, Links::Known(_));
                if !mail && !self.is_allowed(&dest_url) {
                    self.edits.push((range.start..range.start + 1, Cow::Borrowed("")));
                    self.edits.push((range.end - 1..range.end, Cow::Borrowed("")));
                }
                self.open(&range, 1, false, None);
            }
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let contact = links::contact(&dest_url);
                self.open(&self.link_range(link_type, &range), 1, !self.is_allowed(&dest_url), contact);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => return self.close(),
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Html(_) | Event::InlineHtml(_) => self.tags(range.clone(), true),
            Event::Text(_) if !self.in_code => self.tags(range.clone(), false),
            _ => {}
        }
        if let Some(last) = self.open.last_mut().filter(|last| last.start < range.start) {
            last.inner_end = last.inner_end.max(range.end);
        }
    }

    fn open(&mut self, range: &Range<usize>, mark: usize, becomes_text: bool, contact: Option<String>) {
        let mark_bytes = becomes_text.then_some(mark);
        let inner_end = range.start + mark;
        self.open.push(OpenElement { start: range.start, inner_end, end: range.end, mark: mark_bytes, contact });
    }

    /// The range of a link or an image, including the brackets of `[name][]`.
    fn link_range(&self, kind: LinkType, range: &Range<usize>) -> Range<usize> {
        let brackets =
            kind == LinkType::Collapsed && self.text.get(range.end..).is_some_and(|after| after.starts_with("[]"));
        range.start..range.end + if brackets { 2 } else { 0 }
    }

    /// Takes the marks around what a link or an image holds, and its target.
    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        if let Some(above) = self.open.last_mut() {
            above.inner_end = above.inner_end.max(closed.end);
        }
        let Some(mark) = closed.mark else { return };
        let bracket = self.text.get(closed.inner_end..closed.end).and_then(|rest| rest.find(']'));
        let inner_end = closed.inner_end + bracket.unwrap_or(0);
        let inner = self.text.get(closed.start + mark..inner_end).unwrap_or_default();
        // It cannot leak data, and may be the whole answer.
        let contact = closed.contact.filter(|contact| !links::says_contact(inner, contact));
        let by = contact.map_or(Cow::Borrowed(""), |contact| Cow::Owned(format!(" ({})", literal(&contact))));
        self.edits.push((closed.start..closed.start + mark, Cow::Borrowed("")));
        self.edits.push((inner_end..closed.end, by));
    }

    fn is_allowed(&self, target: &CowStr<'_>) -> bool {
        let has = |scheme: &str| target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        match self.links {
            Links::Web | Links::WebAndImages => SCHEMES.into_iter().any(has),
            Links::Known(known) => known.contains(links::trim_punctuation(target)),
        }
    }

    /// Escapes each `<` that would open a tag, a comment or a declaration.
    fn tags(&mut self, range: Range<usize>, html: bool) {
        let part = self.text.get(range.clone()).unwrap_or_default();
        for (at, _) in part.match_indices('<') {
            let at = range.start + at;
            if opens_tag(self.text, at) && (html || !is_escaped(self.text, at)) {
                self.edits.push((at..at + 1, Cow::Borrowed("&lt;")));
            }
        }
    }
}

/// A number or a name as Markdown.
fn literal(contact: &str) -> String {
    contact.replace('*', "\\*").replace('_', "\\_").replace('~', "\\~")
}

/// Whether the `<` at `at` is the start of a tag, a comment or a declaration (HTML, 13.2.5.6, tag open state).
fn opens_tag(text: &str, at: usize) -> bool {
    let next = text.as_bytes().get(at + 1);
    next.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
}

/// Whether an unescaped backslash is before `at`.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn web(text: &str) -> String {
        sanitise_markdown(text, Links::Web)
    }

    #[test]
    fn tags_are_text_and_everything_else_stays_as_it_is() {
        for (text, expected) in [
            (
                "<img src=x onerror=alert(1)> <script>x</script>",
                "&lt;img src=x onerror=alert(1)> &lt;script>x&lt;/script>",
            ),
            ("<div>\n<b>x</b>\n</div>\n\n*a*", "&lt;div>\n&lt;b>x&lt;/b>\n&lt;/div>\n\n*a*"),
            ("a<!-- b -->c <?php ?> <!DOCTYPE html>", "a&lt;!-- b -->c &lt;?php ?> &lt;!DOCTYPE html>"),
            ("run login <username>", "run login &lt;username>"),
            ("<img src=x onerror=alert(1)", "&lt;img src=x onerror=alert(1)"),
            ("Settings > Billing, 3 < 4, x <- y, a <= b, <3", "Settings > Billing, 3 < 4, x <- y, a <= b, <3"),
            ("`<b>` and\n\n```html\n<script>\n```\n\n    <i>", "`<b>` and\n\n```html\n<script>\n```\n\n    <i>"),
            ("&lt;img src=x&gt; \\<b> \\\\<b>", "&lt;img src=x&gt; \\<b> \\\\&lt;b>"),
            (
                "| `a | <img src=x onerror=y> ` |\n|---|---|\n| x | y |",
                "| `a | &lt;img src=x onerror=y> ` |\n|---|---|\n| x | y |",
            ),
            (
                "# A\n\n- *b* **c** _d_\n1. e\n\n> f\n\n| g |\n| - |\n\r\n\\* h",
                "# A\n\n- *b* **c** _d_\n1. e\n\n> f\n\n| g |\n| - |\n\r\n\\* h",
            ),
        ] {
            assert_eq!(web(text), expected, "{text}");
        }
    }

    #[test]
    fn a_link_of_another_scheme_is_its_text_and_an_image_its_description() {
        for (text, expected) in [
            ("[a](javascript:alert(1)) b", "a b"),
            ("[a](JaVaScript&#58;alert(1))", "a"),
            ("[*a* `]` \\] b](data:text/html,x \"t\")", "*a* `]` \\] b"),
            ("[a](/here) [b](#there) [c](//evil.example) [d](ftp://x.example)", "a b c d"),
            ("[a](me@x.example) [b][x]\n\n[x]: me@x.example", "a b\n\n[x]: me@x.example"),
            ("[a][x] [x][] [x]\n\n[x]: javascript:y", "a x x\n\n[x]: javascript:y"),
            ("<javascript:alert(1)> <ftp://x.example>", "javascript:alert(1) ftp://x.example"),
            ("![A cat](https://x.example/cat.png) b", "A cat b"),
            ("![](https://x.example/?q=1)b", "b"),
            ("![a ![b](u) c](v) ![d][x]\n\n[x]: https://x.example", "a b c d\n\n[x]: https://x.example"),
            ("[![logo](https://x.example/l.png)](https://x.example)", "[logo](https://x.example)"),
            ("[[a](x:y)](javascript:b)", "a"),
            ("<[a](x:y)b>", "&lt;ab>"),
            ("[a](https://x.example/?a=1&b=<2> \"t\")", "[a](https://x.example/?a=1&b=<2> \"t\")"),
            (
                "[a](<http://x.example>) <https://x.example> <me@x.example>",
                "[a](<http://x.example>) <https://x.example> <me@x.example>",
            ),
            ("[a](mailto:me@x.example) [b](HTTPS://x.example)", "[a](mailto:me@x.example) [b](HTTPS://x.example)"),
            ("[a](tel:+49123) [b](TEL:+49123) <tel:+49123>", "[a](tel:+49123) [b](TEL:+49123) <tel:+49123>"),
            ("[Text us](sms:+49123456) today", "Text us (+49123456) today"),
            ("[Text 0123 456](sms:+49123456) today", "Text 0123 456 today"),
            ("[a](callto:+49123456) [b](whatsapp://send?phone=+49123456)", "a (+49123456) b (+49123456)"),
            ("[a](tg://resolve?domain=b_c) [d](sms:*100%23)", "a (b\\_c) d (\\*100#)"),
            ("[a][x]\n\n[x]: sms:+49123456", "a (+49123456)\n\n[x]: sms:+49123456"),
            ("[*a*](sms:123) <sms:123> ![b](sms:123)", "*a* (123) sms:123 b"),
            ("[a](whatsapp://send?text=b) [c](skype:%5Bd%5D%28e%29)", "a c"),
            ("[a] (b) [c]: d ![e", "[a] (b) [c]: d ![e"),
        ] {
            assert_eq!(web(text), expected, "{text}");
        }
    }

    #[test]
    fn of_an_article_safe_images_stay_and_others_are_their_description() {
        for (text, expected) in [
            ("![a](https://x.example/a.png \"t\") b", "![a](https://x.example/a.png \"t\") b"),
            ("![a](http://x.example/a.png) ![b](//x.example) ![c](data:image/png,x)", "a b c"),
            ("![a [b](javascript:c)](https://x.example/a.png)", "![a b](https://x.example/a.png)"),
            ("![a](https://me:secret@x.example/a.png) <img src=x>", "a &lt;img src=x>"),
            ("[![a](https://x.example/a.png)](javascript:b)", "![a](https://x.example/a.png)"),
        ] {
            let shown = sanitise_markdown(text, Links::WebAndImages);
            assert_eq!(shown, expected, "{text}");
            assert_eq!(sanitise_markdown(&shown, Links::WebAndImages), shown);
        }
    }

    /// Checks `shown` with another renderer: no HTML, no image, no link of another scheme.
    fn assert_harmless(shown: &str) -> Result<(), TestCaseError> {
        for dialect in DIALECTS {
            for event in Parser::new_ext(shown, dialect) {
                match event {
                    Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                        prop_assert!(false, "{shown:?} has {event:?}");
                    }
                    Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                        let sound = link_type == LinkType::Email
                            || ["https:", "http:", "mailto:", "tel:"]
                                .iter()
                                .any(|s| dest_url.to_ascii_lowercase().starts_with(s));
                        prop_assert!(sound, "{shown:?} links to {dest_url:?}");
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn nasty() -> impl Strategy<Value = String> {
        let short = [
            "!", "[", "]", "(", ")", "<", ">", "/", ":", "\\", "\"", "'", " ", "\n", "\n\n", "    ", "x", "&#58;",
            "&lt;", "`", "```\n", "~~~", "|", "|-|-|\n", "*", "_", "~~", "- ", "1. ", "> ", "# ", "---\n", "\t", "é",
            "一", "mailto:", "tel:", "sms:", "+49123", "%5B", "%3C", "data:", "<b>", "</b>", "<img ", "<!--", "-->",
            "<script>", "]]>", "<?", "?>", "<!X>", "![", "](", "][", "]: ", "[x]", "[y]", "<div>\n",
        ];
        let long = [
            "javascript:",
            "https://x.example",
            "whatsapp://send?phone=",
            "a@b.example",
            "onerror=x>",
            "</script>",
            "<![CDATA[",
            "[x]: javascript:y\n",
            "[y]: <data:z> 'a'\n",
            "<javascript:z>",
        ];
        prop::collection::vec(prop::sample::select([short.as_slice(), &long].concat()), 0..40)
            .prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn no_text_renders_as_html_an_image_or_a_foreign_link(text in nasty()) {
            let shown = web(&text);
            assert_harmless(&shown)?;
            prop_assert_eq!(web(&shown), shown.clone(), "cleaning twice changes more");
            assert_harmless(&escape_all(&text))?;
        }

        #[test]
        fn a_text_without_markup_stays_byte_for_byte(text in "([a-zA-Z0-9 .,;:?>()'\"#*_|\n\r\t-]|< |<[0-9=-]|é|漢|👩)*") {
            prop_assert_eq!(web(&text), text);
        }
    }
}
