//! Markdown: the metadata at the start of a file (YAML, TOML, or JSON), and the text as HTML, so that HTML inside it,
//! footnotes and links by reference are read as pages are.

use std::borrow::Cow;
use std::collections::HashMap;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag as Mark, TagEnd, html};

use super::dialect;
use super::tree::{Tag, tag};

/// The `title` and the rest of the text, also if a heading stands above the metadata: sites that name a page by its file
/// are exported so.
pub(super) fn without_metadata(text: &str) -> (Option<String>, Cow<'_, str>) {
    let (title, rest) = split_metadata(text);
    if rest.len() < text.len() {
        return (title, Cow::Borrowed(rest));
    }
    let below = below_heading(text).map(|(heading, rest)| Cow::Owned(format!("{heading}\n\n{rest}")));
    (None, below.unwrap_or(Cow::Borrowed(text)))
}

/// Names that metadata has, and hardly a text between two rules.
const NAMES: &[&str] = words![title aliases permalink publish tags cssclass cssclasses description created modified
    layout slug draft sidebar_label sidebar_position mobile];

/// The heading of the first line, and what follows the metadata under it. A blank line, a heading or a name that no
/// metadata has makes it text between thematic breaks.
fn below_heading(text: &str) -> Option<(&str, &str)> {
    let (heading, below) = text.trim_start().split_once('\n').filter(|(heading, _)| heading.starts_with("# "))?;
    let below = below.trim_start();
    let (_, rest) = split_metadata(below);
    let metadata = below.get(..below.len() - rest.len())?;
    let mut lines = metadata.lines().map(str::trim_end);
    let is_known = |line: &str| line.split_once(':').is_some_and(|(name, _)| NAMES.contains(&name));
    let opens = lines.next() == Some("---") && lines.next().is_some_and(is_known);
    (opens && lines.all(|line| !line.is_empty() && !line.starts_with('#'))).then_some((heading, rest))
}

/// The `title` and the rest of a text that begins with metadata.
///
/// YAML stands between `---` and `---` or `...`, TOML between `+++` and `+++`, and JSON is an object that begins the
/// text. Lines between `---` that cannot be YAML are text between thematic breaks.
pub(super) fn split_metadata(text: &str) -> (Option<String>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_end() {
        "---" => lines(rest, &["---", "..."], ':').unwrap_or((None, text)),
        "+++" => lines(rest, &["+++"], '=').unwrap_or((None, text)),
        start if start.starts_with('{') => json(text).unwrap_or((None, text)),
        _ => (None, text),
    }
}

/// Lines of names and values up to one of `ends`.
fn lines<'t>(text: &'t str, ends: &[&str], sign: char) -> Option<(Option<String>, &'t str)> {
    let mut at = 0;
    let (mut title, mut last) = (None, "");
    let mut is_empty = true;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end();
        if ends.contains(&line) {
            return text.get(at..).filter(|_| !last.is_empty() || is_empty).map(|rest| (title, rest));
        }
        is_empty = false;
        let is_nested = line.starts_with([' ', '\t', '#', '-', '[', ']', '}']) || line.is_empty();
        match line.split_once(sign) {
            _ if is_nested => {
                // A long title may begin on the next line: `title: >-`.
                if last == "title" && title.is_none() {
                    title = value(line.trim());
                }
                continue;
            }
            Some((name, written)) if is_name(name) => {
                last = name.trim().trim_matches('"');
                if last == "title" {
                    title = value(written.trim());
                }
            }
            // TOML and quoted YAML may go on without indentation.
            _ if sign == '=' => {}
            _ => return None,
        }
    }
    None
}

fn is_name(name: &str) -> bool {
    let name = name.trim();
    !name.is_empty()
        && name.len() <= 100
        && !name.contains(['.', '!', '?', '*', '<'])
        && name.split_whitespace().count() <= 3
}

/// A value without its quotation marks and a comment behind it.
fn value(written: &str) -> Option<String> {
    let value = match written.chars().next()? {
        '"' => unescaped(written.strip_prefix('"')?, '"'),
        '\'' => unescaped(written.strip_prefix('\'')?, '\''),
        '>' | '|' => return None,
        _ => written.split(" #").next().unwrap_or_default().to_owned(),
    };
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// The text up to the quotation mark. `\` escapes in double ones, and a single one is doubled.
fn unescaped(text: &str, quote: char) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quote == '"' => out.extend(chars.next().and_then(|c| escape(c, &mut chars))),
            '\'' if quote == c && chars.next_if_eq(&'\'').is_some() => out.push('\''),
            c if c == quote => break,
            c => out.push(c),
        }
    }
    out
}

/// The character of an escape of YAML, TOML and JSON.
fn escape(c: char, rest: &mut impl Iterator<Item = char>) -> Option<char> {
    let digits = match c {
        'n' | 't' | 'r' => return Some(' '),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        c => return Some(c),
    };
    let number: String = rest.take(digits).collect();
    char::from_u32(u32::from_str_radix(&number, 16).ok()?)
}

/// An object of JSON, and what follows it: the object has names and ends its line, and there is text behind it.
fn json(text: &str) -> Option<(Option<String>, &str)> {
    let mut object = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Map<String, serde_json::Value>>();
    let read = object.next()?.ok()?;
    let rest = text.get(object.byte_offset()..)?;
    let title = read.get("title").and_then(serde_json::Value::as_str).map(|title| title.trim().to_owned());
    let after = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    let is_metadata = !read.is_empty() && !after.trim().is_empty();
    is_metadata.then(|| (title.filter(|title| !title.is_empty()), after))
}

/// The extensions of CommonMark that are read.
pub(super) const PARSER_OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_FOOTNOTES);

/// The HTML of a Markdown text, in any dialect of a documentation site, without its front matter.
pub(super) fn to_html(body: &str) -> String {
    let text = dialect::to_commonmark(body);
    let (main, notes) = without_notes(Parser::new_ext(&text, PARSER_OPTIONS));
    let mut writer = Writer { notes, ..Writer::default() };
    for event in main {
        writer.event(event);
    }
    let mut out = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut out, writer.events.into_iter());
    out
}

type Notes<'t> = HashMap<CowStr<'t>, Vec<Event<'t>>>;

/// The events outside of footnotes, and those of each footnote by its label.
fn without_notes<'t>(events: impl Iterator<Item = Event<'t>>) -> (Vec<Event<'t>>, Notes<'t>) {
    let (mut main, mut notes) = (Vec::new(), Notes::new());
    let mut open: Vec<(CowStr<'t>, Vec<Event<'t>>)> = Vec::new();
    for event in events {
        match event {
            Event::Start(Mark::FootnoteDefinition(label)) => open.push((label, Vec::new())),
            Event::End(TagEnd::FootnoteDefinition) => {
                if let Some((label, content)) = open.pop() {
                    notes.entry(label).or_insert(content);
                }
            }
            event => open.last_mut().map_or(&mut main, |(_, content)| content).push(event),
        }
    }
    (main, notes)
}

/// Changes events for a reader of text.
#[derive(Default)]
struct Writer<'t> {
    events: Vec<Event<'t>>,
    /// How many blocks are open around the place that is written.
    depth: usize,
    /// The footnotes that were not written yet.
    notes: Notes<'t>,
    /// The numbers of footnotes, in the order of their first references.
    numbers: HashMap<CowStr<'t>, usize>,
    /// Footnotes that follow the block that is written, because it refers to them first.
    referred: Vec<CowStr<'t>>,
    /// Indented code that is read.
    code: Option<String>,
}

impl<'t> Writer<'t> {
    fn event(&mut self, event: Event<'t>) {
        match event {
            Event::FootnoteReference(label) => self.reference(label),
            Event::TaskListMarker(done) => self.events.push(Event::Text(if done { "☑ " } else { "☐ " }.into())),
            Event::Html(source) | Event::InlineHtml(source) if is_placeholder(&source) => {
                self.events.push(Event::Text(source));
            }
            Event::Start(Mark::CodeBlock(CodeBlockKind::Indented)) => self.code = Some(String::new()),
            Event::Text(text) if self.code.is_some() => self.code.iter_mut().for_each(|code| code.push_str(&text)),
            Event::End(TagEnd::CodeBlock) if self.code.is_some() => self.indented_code(),
            Event::Start(_) => {
                self.depth += 1;
                self.events.push(event);
            }
            Event::End(_) => {
                self.depth = self.depth.saturating_sub(1);
                self.events.push(event);
                if self.depth == 0 {
                    self.notes();
                }
            }
            event => self.events.push(event),
        }
    }

    fn reference(&mut self, label: CowStr<'t>) {
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(label.clone()).or_insert(next);
        self.events.push(Event::InlineHtml(format!("<sup>{number}</sup>").into()));
        if number == next {
            self.referred.push(label);
        }
    }

    /// Writes the footnotes of a block behind it, so that they are in the same section.
    fn notes(&mut self) {
        for label in std::mem::take(&mut self.referred) {
            let (Some(content), Some(number)) = (self.notes.remove(&label), self.numbers.get(&label)) else { continue };
            let mark = format!("<sup>{number}</sup> ");
            let first = usize::from(matches!(content.first(), Some(Event::Start(Mark::Paragraph))));
            for (at, event) in content.into_iter().enumerate() {
                if at == first {
                    self.events.push(Event::InlineHtml(mark.clone().into()));
                }
                // Notes of this note follow it as those of any block do.
                self.event(event);
            }
        }
    }

    /// Pages are indented, which Markdown takes for code after a blank line.
    fn indented_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        if tag(code.trim_start()).is_block() {
            return self.events.push(Event::Html(code.into()));
        }
        self.events.extend([
            Event::Start(Mark::CodeBlock(CodeBlockKind::Indented)),
            Event::Text(code.into()),
            Event::End(TagEnd::CodeBlock),
        ]);
    }
}

/// Whether a tag is none of an element, but a word in angle brackets that a reader is to fill in: `<username>`.
fn is_placeholder(source: &str) -> bool {
    let inner = source.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let is_word = |inner: &str| {
        inner.starts_with(|c: char| c.is_ascii_alphabetic())
            && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.'))
    };
    inner.is_some_and(is_word) && tag(source.trim()) == Tag::Other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{entries_of, entry_of};

    #[test]
    fn front_matter_of_every_kind_gives_its_title() {
        for (text, title, rest) in [
            ("---\ntitle: A b\n---\nc", Some("A b"), "c"),
            ("---\r\ntitle: A\r\n---\r\nc", Some("A"), "c"),
            ("---\ntitle: \"A: \\\"b\\\" \\u00e9\"\n...\nc", Some("A: \"b\" é"), "c"),
            ("---\ntitle: 'It''s' # d\nsidebar_label: B\npermalink: /x\n---\n", Some("It's"), ""),
            ("---\ntitle: A # d\ntags:\n- x: y\n-  z\nhero:\n  title: No\n---\nc", Some("A"), "c"),
            ("---\nabout: |\n  title: No\n  Words.\n\n  More: a\n# d\n---\nc", None, "c"),
            ("---\ntitle: >-\n  Long\n---\nc", Some("Long"), "c"),
            ("---\n\"title\": A\n---\nc", Some("A"), "c"),
            ("---\n---\nc", None, "c"),
            ("+++\ntitle = \"A \\\"b\\\"\"\n[menu]\n  title = 'x'\ntags = [\n\"y\",\n]\n+++\nc", Some("A \"b\""), "c"),
            ("{\n  \"title\": \"A {b}\",\n  \"menu\": {\"title\": \"x\"}\n}\n\nc", Some("A {b}"), "\nc"),
        ] {
            assert_eq!(split_metadata(text), (title.map(str::to_owned), rest), "{text}");
        }
    }

    #[test]
    fn metadata_below_a_heading_is_left_out() {
        for (text, rest) in [
            ("# A\n\n---\naliases:\n  - b: c\npermalink: 2fa\n---\nc", "# A\n\nc"),
            ("# A\r\n---\r\ntitle: B\r\n---\r\nc", "# A\r\n\nc"),
        ] {
            assert_eq!(without_metadata(text), (None, rest.into()), "{text}");
        }
        for text in [
            "# A\n\n---\nnote: b\n---\nc",
            "# A\n\n---\nhttps://b.c/d\n---\ne",
            "# A\n\n---\ntags: b\n# C\n---\nd",
            "# A\n\n---\n\nnote: b\n\n---\nc",
            "# A\n\n---\nb\n---\nc",
            "# A\n---\n---\nc",
            "## A\n---\ntags: c\n---\nd",
            "# A",
        ] {
            assert_eq!(without_metadata(text), (None, text.into()), "{text}");
        }
    }

    #[test]
    fn a_thematic_break_and_braces_are_text() {
        for text in [
            "---\nWe open at nine.\n---\nc",
            "---\n\n# A\n\n---\nc: d",
            "---\ntitle: A\nc",
            "+++\ntitle = 'A'\nc",
            "{name} is yours.\nc",
            "{}\nc",
            "{\"a\": 1} and more",
            "{\"title\": \"A\"}\n",
            "----\ntitle: A\n---\n",
            "",
        ] {
            assert_eq!(split_metadata(text), (None, text), "{text}");
        }
    }

    #[test]
    fn a_footnote_is_in_the_section_that_refers_to_it() {
        let text = "# A\n\n5 devices[^a] or 6[^b].\n\n# B\n\nText.[^a]\n\n[^a]: Per *account*.[^c]\n[^b]: Each.\n[^c]: Or team.";
        let entries = entries_of(text);
        assert_eq!(
            entries,
            [
                "Page › A\n5 devices¹ or 6².\n\n¹ Per *account*.³\n\n³ Or team.\n\n² Each.".to_owned(),
                "Page › B\nText.¹".to_owned(),
            ]
        );
    }

    #[test]
    fn html_in_markdown_is_read_as_html() {
        for (text, expected) in [
            ("1. Put the feet on.\n\n   <img src=\"a.png\" alt=\"feet\">\n2. Go.", "1. Put the feet on.\n2. Go."),
            ("run <b>login</b> <username><br>now", "run **login** &lt;username>\\\nnow"),
            ("a\n\n<div>\n\n    <p>b</p>\n\n</div>\n\n    code", "a\n\nb\n\n```\ncode\n```"),
            ("<!-- hidden\n# no -->\n[![build](x)](y) ![z](w) so", "so"),
            (
                "See [the *guide*][g], [g][] and [x](y) or [z](#z).\n\n[g]: https://a.example/g \"Guide\"",
                "See [the *guide*](https://a.example/g), [g](https://a.example/g) and x or z.",
            ),
            ("- [x] a\n- [ ] b", "- ☑ a\n- ☐ b"),
            ("Term\n: Meaning", "Term\n\n- Meaning"),
            ("```sh\n# <b> [x](y)\n```", "```sh\n# <b> [x](y)\n```"),
            ("a `<!-- b -->` c<!-- d -->", "a `<!-- b -->` c"),
        ] {
            assert_eq!(entry_of(text), expected, "{text}");
        }
    }
}
