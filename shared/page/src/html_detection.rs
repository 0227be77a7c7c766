//! Detects the format of a text by its markup.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag as Mark};

use super::names::Tag;

/// The extensions of CommonMark that are read.
pub(super) const PARSER_OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES);

/// This many start tags without a single end tag are HTML too: `<p>` and `<li>` may be left open.
const OPEN_TAGS: usize = 3;

/// How often a text has marks of each kind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct HtmlScore {
    /// Headings with `#`, fences, tables, web links, front matter.
    pub(super) markdown: usize,
    /// Start tags of blocks, outside of code.
    opening: usize,
    /// End tags of blocks, outside of code.
    closing: usize,
}

impl HtmlScore {
    /// Counts the marks of `text`.
    pub(super) fn of(text: &str) -> Self {
        let mut marks = Self { markdown: usize::from(text.starts_with("---\n")), ..Self::default() };
        let mut fenced = false;
        for (event, range) in Parser::new_ext(text, PARSER_OPTIONS).into_offset_iter() {
            let source = text.get(range).unwrap_or_default();
            match event {
                Event::Start(Mark::Heading { .. }) => marks.markdown += usize::from(source.starts_with('#')),
                Event::Start(Mark::Table(_)) => marks.markdown += 1,
                Event::Start(Mark::Link { dest_url, .. }) => {
                    marks.markdown += usize::from(dest_url.starts_with("http"))
                }
                Event::Start(Mark::CodeBlock(kind)) => {
                    fenced = matches!(kind, CodeBlockKind::Fenced(_));
                    marks.markdown += usize::from(fenced);
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
    pub(super) fn is_html(self) -> bool {
        let holds = (self.closing > 0 && self.opening > 0) || self.opening >= OPEN_TAGS;
        holds && self.opening.max(self.closing) > self.markdown
    }

    fn add_tags(&mut self, source: &str) {
        for (at, _) in source.match_indices('<') {
            let found = source.get(at..).unwrap_or_default();
            let name = tag(found);
            if name.is_block() && name != Tag::Br {
                *(if found.starts_with("</") { &mut self.closing } else { &mut self.opening }) += 1;
            }
        }
    }
}

/// The element whose start or end tag `source` begins with.
pub(super) fn tag(source: &str) -> Tag {
    let name = source.strip_prefix('<').unwrap_or(source);
    let name = name.strip_prefix('/').unwrap_or(name);
    let end = name.bytes().take(MAX_NAME_BYTES).take_while(u8::is_ascii_alphanumeric).count();
    Tag::of(&name.get(..end).unwrap_or_default().to_ascii_lowercase())
}

/// No element's name is longer.
const MAX_NAME_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::super::Kind;

    #[test]
    fn a_text_is_what_its_marks_say() {
        for (text, kind) in [
            ("<h2>Returns</h2><p>Within 30 days.</p>", Kind::Html),
            ("Our answers:\n\n<ul><li>one</li><li>two</li></ul>", Kind::Html),
            ("<p>a<p>b<p>c", Kind::Html),
            ("\n  <div>\n\n      <p>indented</p>\n\n  </div>", Kind::Html),
            ("<!DOCTYPE html>\n<title>x</title>", Kind::Html),
            ("# A\n\n<p align=center>b</p>\n\n## C\n\ntext", Kind::Markdown),
            ("# A\n\n```html\n<p>a</p>\n<p>b</p>\n```", Kind::Markdown),
            ("# A\n\nWrite `<p>a</p><p>b</p>`.", Kind::Markdown),
            ("---\ntitle: x\n---\ny", Kind::Markdown),
            ("Use <p> and <div> for text, <b>bold</b> for stress. 3 < 4.", Kind::Plain),
            ("One line.\n\nAnother line.", Kind::Plain),
        ] {
            assert_eq!(Kind::guess(text), kind, "{text}");
        }
    }
}
