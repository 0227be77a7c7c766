//! Detects the format of a text that comes without one.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as Mark};

use super::markdown::{PARSER_OPTIONS, split_metadata};
use super::parse::{ReadError, parse};
use super::tree::Tree;
use super::tree::{Tag, tag};

/// This many start tags without a single end tag are HTML too: `<p>` and `<li>` may be left open.
const OPEN_TAGS: usize = 3;
/// Two lines of Markdown in one paragraph of HTML were not written by hand.
const WRAPPED_MARKS: usize = 2;

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A web page.
    Html,
    /// Markdown.
    Markdown,
    /// Text without marks.
    Plain,
}

/// The format of a text, and the text in that format: what is HTML as a whole but escaped is unescaped once, and
/// Markdown leaves the paragraph of HTML that an editor put around it.
pub(super) fn detect(text: &str) -> Result<(Kind, Cow<'_, str>), ReadError> {
    if is_data(text) {
        return Err(ReadError::Data);
    }
    let kind = guess(text);
    if kind == Kind::Plain && !text.contains('<') && text.contains("&lt;") {
        let tree = parse(text)?;
        let unescaped = tree.whole_text(Tree::ROOT);
        if guess(&unescaped) == Kind::Html {
            return Ok((Kind::Html, Cow::Owned(unescaped)));
        }
    }
    let wrapped = if kind == Kind::Plain { None } else { unwrapped(text) };
    Ok(wrapped.map_or((kind, Cow::Borrowed(text)), |inner| (Kind::Markdown, Cow::Borrowed(inner))))
}

fn guess(text: &str) -> Kind {
    let start: String = text.trim_start().chars().take(1_000).collect::<String>().to_ascii_lowercase();
    if ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag)) {
        return Kind::Html;
    }
    let marks = Marks::of(text);
    match () {
        () if marks.headings > 0 || split_metadata(text).1.len() < text.len() => Kind::Markdown,
        () if marks.items > 1 && marks.elements > 0 => Kind::Markdown,
        () if marks.is_html() => Kind::Html,
        () if marks.inline > 0 => Kind::Markdown,
        () => Kind::Plain,
    }
}

/// How often a text has marks of each kind.
#[derive(Debug, Default, Clone, Copy)]
struct Marks {
    /// Headings with `#`.
    headings: usize,
    /// Items of lists at the beginning of lines; plain text has them, too, but no HTML outside of its elements.
    items: usize,
    /// Fences, tables, links, `**`, code, footnotes: what nobody writes who does not mean Markdown.
    inline: usize,
    /// Tags of any element, outside of code.
    elements: usize,
    /// Start tags of blocks, outside of code.
    opening: usize,
    /// End tags of blocks, outside of code.
    closing: usize,
    /// Preformatted text of HTML is open: what looks like Markdown in it is none.
    in_pre: bool,
}

impl Marks {
    fn of(text: &str) -> Self {
        let mut marks = Self::default();
        let mut fenced = false;
        for (event, range) in Parser::new_ext(text, PARSER_OPTIONS).into_offset_iter() {
            let begins_line = text.get(..range.start).is_none_or(|before| before.is_empty() || before.ends_with('\n'));
            let source = text.get(range).unwrap_or_default();
            match event {
                Event::Start(Mark::Heading { .. }) if !marks.in_pre => {
                    marks.headings += usize::from(source.starts_with('#'));
                }
                Event::Start(Mark::Item) if !marks.in_pre => marks.items += usize::from(begins_line),
                Event::Start(Mark::Strong) => marks.inline += usize::from(source.starts_with("**")),
                Event::Start(Mark::Table(_) | Mark::Image { .. }) | Event::Code(_) | Event::FootnoteReference(_) => {
                    marks.inline += 1;
                }
                Event::Start(Mark::Link { .. }) => marks.inline += usize::from(source.starts_with('[')),
                Event::Start(Mark::CodeBlock(kind)) => {
                    fenced = matches!(kind, CodeBlockKind::Fenced(_));
                    marks.inline += usize::from(fenced);
                }
                Event::Html(_) | Event::InlineHtml(_) => marks.add_tags(source),
                // Pages are indented, which Markdown takes for code.
                Event::Text(_) if !fenced => marks.add_tags(source),
                Event::End(_) => fenced = false,
                _ => {}
            }
        }
        marks
    }

    /// Whether there are tags of blocks, more than marks of Markdown: that may hold some HTML.
    const fn is_html(self) -> bool {
        let holds = (self.closing > 0 && self.opening > 0) || self.opening >= OPEN_TAGS;
        holds && (self.opening > self.inline || self.closing > self.inline)
    }

    fn add_tags(&mut self, source: &str) {
        for (at, _) in source.match_indices('<') {
            let found = source.get(at..).unwrap_or_default();
            let name = tag(found);
            self.elements += usize::from(name != Tag::Other);
            if name == Tag::Pre {
                self.in_pre = !found.starts_with("</");
            }
            if name.is_block() && name != Tag::Br {
                *(if found.starts_with("</") { &mut self.closing } else { &mut self.opening }) += 1;
            }
        }
    }
}

/// The Markdown in the one element that is around all of a text.
fn unwrapped(text: &str) -> Option<&str> {
    let text = text.trim();
    let outer = tag(text);
    if !matches!(outer, Tag::P | Tag::Div | Tag::Span) {
        return None;
    }
    let (_, inner) = text.split_once('>')?;
    let (inner, end) = inner.rsplit_once("</")?;
    let is_closed = end.strip_suffix('>').is_some_and(|name| Tag::of(&name.trim().to_ascii_lowercase()) == outer);
    let inner = inner.trim();
    let marks = Marks::of(inner);
    (is_closed && marks.headings + marks.items >= WRAPPED_MARKS && marks.opening + marks.closing == 0).then_some(inner)
}

/// Whether a text is records of data.
fn is_data(text: &str) -> bool {
    let text = text.trim();
    let is_list = || text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '[', '"']));
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    (text.starts_with('{') || is_list()) && is_json() || is_csv(text)
}

/// Whether a text is records of CSV (RFC 4180, also with semicolons or tabs) with as many fields each, at least two. A
/// field of each is quoted, except in a head; of a single one all are.
fn is_csv(text: &str) -> bool {
    let mut rest = text;
    let mut records: Vec<(usize, usize)> = Vec::new();
    let (mut fields, mut quoted) = (0, 0);
    while let Some((is_quoted, after)) = csv_field(rest) {
        fields += 1;
        quoted += usize::from(is_quoted);
        rest = match after.strip_prefix([',', ';', '\t']) {
            Some(next) => next,
            None => {
                records.push((fields, quoted));
                (fields, quoted) = (0, 0);
                after.trim_start_matches(['\r', '\n'])
            }
        };
        if rest.is_empty() {
            break;
        }
    }
    let alike = records.iter().all(|(fields, _)| *fields > 1 && records.first().is_some_and(|(all, _)| all == fields));
    let is_quoted = match records.as_slice() {
        [(fields, quoted)] => fields == quoted,
        records => records.iter().skip(1).all(|(_, quoted)| *quoted > 0),
    };
    rest.is_empty() && !records.is_empty() && alike && is_quoted
}

/// Whether the field at the beginning of `text` is quoted, and what follows it; nothing if it is no field.
fn csv_field(text: &str) -> Option<(bool, &str)> {
    let is_end = |c: char| matches!(c, ',' | ';' | '\t' | '\r' | '\n');
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find(|c: char| is_end(c) || c == '"').unwrap_or(text.len());
        let after = text.get(end..).unwrap_or_default();
        return (!after.starts_with('"')).then_some((false, after));
    };
    loop {
        let (_, after) = rest.split_once('"')?;
        match after.strip_prefix('"') {
            Some(more) => rest = more,
            None => return (after.is_empty() || after.starts_with(is_end)).then_some((true, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_its_marks_say() {
        for (text, kind) in [
            ("<h2>Returns</h2><p>Within 30 days.</p>", Kind::Html),
            ("Our answers:\n\n<ul><li>one</li><li>two</li></ul>", Kind::Html),
            ("<p>a<p>b<p>c", Kind::Html),
            ("\n  <div>\n\n      <p>indented</p>\n\n  </div>", Kind::Html),
            ("<!DOCTYPE html>\n<title>x</title>", Kind::Html),
            ("<p>Run:</p>\n<pre>\n# comment\n\n- x\n- y\n</pre>", Kind::Html),
            ("<p># 5 Main Street</p>", Kind::Html),
            ("# A\n\n<p align=center>b</p>\n\n## C\n\ntext", Kind::Markdown),
            ("# A\n\n```html\n<p>a</p>\n<p>b</p>\n```", Kind::Markdown),
            ("# A\n\nWrite `<p>a</p><p>b</p>`.", Kind::Markdown),
            (
                "# Hours\n\nMost days.\n\n- Ring\n- Wait\n\n<figure><img src=\"x.png\"><figcaption>Door</figcaption></figure>",
                Kind::Markdown,
            ),
            ("Do this:\n\n- Ring\n- Wait\n\n<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", Kind::Markdown),
            ("---\ntitle: x\n---\ny", Kind::Markdown),
            ("+++\ntitle = \"x\"\n+++\n<p>y</p><p>z</p>", Kind::Markdown),
            ("Use <p> and <div> for text, <b>bold</b> for stress. 3 < 4.", Kind::Plain),
            ("1. Put the feet on.\n\n   <img src=\"a.png\">\n\n2. Turn it.", Kind::Markdown),
            ("**Note**\n\n- a\n- b", Kind::Markdown),
            ("A[^1].\n\n[^1]: Note.", Kind::Markdown),
            ("Office\n\n- a\n- b", Kind::Plain),
            ("Dial *21*0301234567# or __init__", Kind::Plain),
            ("- 5 degrees", Kind::Plain),
            ("One line.\n\nAnother line.", Kind::Plain),
            ("Write &lt;b&gt; for bold.", Kind::Plain),
            ("\"Hello,\" she said, and left.", Kind::Plain),
            ("[1] See below, \"there\"", Kind::Plain),
        ] {
            assert_eq!(detect(text).map(|(kind, _)| kind), Ok(kind), "{text}");
        }
    }

    #[test]
    fn what_an_export_put_around_a_text_is_taken_off() {
        for (text, kind, inner) in [
            ("<p># Reset\n\n1. Hold\n2. Wait</p>", Kind::Markdown, "# Reset\n\n1. Hold\n2. Wait"),
            ("<div class=\"md\">\n- a\n- b\n</div>", Kind::Markdown, "- a\n- b"),
            ("&lt;p&gt;30&amp;nbsp;days&lt;/p&gt;", Kind::Html, "<p>30&nbsp;days</p>"),
        ] {
            assert_eq!(detect(text), Ok((kind, Cow::Borrowed(inner))), "{text}");
        }
    }

    #[test]
    fn records_of_data_are_no_text() {
        for text in [
            "\"Refunds\",\"<p>30 days</p>\"",
            "title,body\n\"Refunds\",\"<p>30 \"\"days\"\"\n</p>\"\nFees,\"<p>None</p>\"\n",
            "title;body\r\nFees;\"None; never\"\r\n",
            "{\"title\": \"Refunds\", \"body\": \"<p>30 days</p>\"}",
            "[{\"title\": \"Refunds\"}]",
        ] {
            assert_eq!(detect(text), Err(ReadError::Data), "{text}");
        }
    }

    #[test]
    fn detecting_a_format_is_linear() {
        let own = ["\"", "\",\"", "a,\"b\"\n", "{\"a\":", "[", "&lt;p&gt;", "<p>", "- a\n", "# a\n", "</"];
        growth::linear("format", 60_000, growth::UNITS.into_iter().chain(own), |text| {
            let _ = std::hint::black_box(detect(text));
        });
    }
}
