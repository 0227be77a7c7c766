//! Turns Markdown into HTML, so that HTML inside it, footnotes and links by reference are read as pages are.

use std::collections::HashMap;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag as Mark, TagEnd, html};

use super::dialect;
use super::names::{Tag, tag};

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
    use super::super::tests::{entries_of, entry_of};

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
