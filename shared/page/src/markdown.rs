//! Reads Markdown: headings, and blocks as they were written, without parts that are not for readers.
//!
//! `pulldown-cmark` gives the type and position of each element; the source between is copied. Images, comments and
//! tags are removed, links by reference get their targets, and HTML blocks are read as pages are.

use std::cmp::Reverse;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag as Mark, TagEnd};

use super::block::{Block, BlockKind, Piece};
use super::content_filter::{ContentFilter, EXPANSION_PER_BYTE};
use super::html_detection::{self, PARSER_OPTIONS};
use super::names::Tag;
use super::tree::Tree;
use super::{dialect, front_matter, parse, render};

/// A longer target of a link by reference is left out, in bytes: each use repeats it.
const MAX_TARGET_BYTES: usize = 500;

/// The content of a Markdown text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Markdown {
    /// The `title` of its front matter.
    pub(super) title: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

/// Reads a Markdown text.
pub(super) fn read(text: &str) -> Markdown {
    let (title, body) = front_matter::split(text);
    let body = dialect::to_commonmark(body);
    let body = body.as_ref();
    let mut reader = MarkdownReader { text: body, level: 1, ..MarkdownReader::default() };
    for (event, range) in Parser::new_ext(body, PARSER_OPTIONS).into_offset_iter() {
        reader.event(event, range);
    }
    Markdown { title, pieces: reader.pieces }
}

#[derive(Default)]
struct MarkdownReader<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    /// Of the last heading.
    level: u8,
    /// How many blocks are open around the place that is read.
    depth: usize,
    /// The text of the heading that is read.
    heading: Option<String>,
    /// The current code is fenced.
    fenced: bool,
    /// The ranges that are cut from the block, with the text that takes their place.
    edits: Vec<(Range<usize>, String)>,
    /// The links and images around the place that is read.
    links: Vec<Link>,
}

/// A link or an image that is being read.
#[derive(Default)]
struct Link {
    /// Where what it holds ends.
    inner_end: usize,
    /// The target, where the source does not say it in this place.
    target: Option<String>,
    has_image: bool,
    has_text: bool,
}

impl MarkdownReader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Mark::Link { link_type, dest_url, .. }) => {
                self.open_link(&range, target(link_type, &dest_url))
            }
            Event::Start(Mark::Image { .. }) => self.open_link(&range, None),
            Event::End(TagEnd::Link) => self.close_link(range),
            Event::End(TagEnd::Image) => self.close_image(range),
            Event::Start(Mark::Emphasis | Mark::Strong | Mark::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            Event::Start(block) => self.open_block(&block),
            Event::End(block) => self.close_block(block, range),
            Event::Text(text) | Event::Code(text) => self.inline_text(&text, range.end),
            Event::SoftBreak | Event::HardBreak => self.inline_text(" ", range.end),
            Event::InlineHtml(tag) => self.inline_html(&tag, range),
            _ => {}
        }
    }

    fn open_link(&mut self, range: &Range<usize>, target: Option<String>) {
        self.links.push(Link { inner_end: range.start + 1, target, ..Link::default() });
    }

    /// A link by reference gets its target; a link around an image only is removed with it.
    fn close_link(&mut self, range: Range<usize>) {
        let Some(link) = self.links.pop() else { return };
        if link.has_image && !link.has_text {
            self.edits.push((range, String::new()));
        } else if let Some(target) = link.target {
            let bracket = self.text.get(link.inner_end..range.end).and_then(|rest| rest.find(']'));
            // The brackets of `[name][]` are after the link.
            let after = self.text.get(range.end..).is_some_and(|after| after.starts_with("[]"));
            let end = range.end + if after { 2 } else { 0 };
            self.edits.push((link.inner_end + bracket.unwrap_or(0)..end, format!("]({target})")));
        }
    }

    fn close_image(&mut self, range: Range<usize>) {
        self.links.pop();
        if let Some(link) = self.links.last_mut() {
            link.has_image = true;
            link.inner_end = link.inner_end.max(range.end);
        }
        self.edits.push((range, String::new()));
    }

    fn inline_text(&mut self, text: &str, end: usize) {
        match (self.links.last_mut(), &mut self.heading) {
            (Some(link), heading) => {
                link.has_text |= !text.trim().is_empty();
                link.inner_end = link.inner_end.max(end);
                heading.as_mut().into_iter().for_each(|heading| heading.push_str(text));
            }
            (None, Some(heading)) => heading.push_str(text),
            (None, None) => {}
        }
    }

    /// Comments and the tags of elements go; other words in angle brackets are placeholders that a reader is to fill
    /// in.
    fn inline_html(&mut self, tag: &str, range: Range<usize>) {
        let name = html_detection::tag(tag);
        if let Some(link) = self.links.last_mut() {
            link.inner_end = link.inner_end.max(range.end);
        }
        if tag.starts_with("<!") || tag.starts_with("<?") || name != Tag::Other {
            let by = if name == Tag::Br { " " } else { "" };
            self.edits.push((range, by.to_owned()));
        }
    }

    fn open_block(&mut self, block: &Mark<'_>) {
        self.depth += 1;
        if self.depth == 1 {
            self.heading = matches!(block, Mark::Heading { .. }).then(String::new);
            self.fenced = matches!(block, Mark::CodeBlock(CodeBlockKind::Fenced(_)));
        }
    }

    /// Only a top-level block becomes a block of the page; what is in a list or a quotation belongs to it.
    fn close_block(&mut self, block: TagEnd, range: Range<usize>) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 {
            return;
        }
        let edits = std::mem::take(&mut self.edits);
        let kind = match block {
            TagEnd::Heading(level) => {
                self.level = level as u8;
                let text = self.heading.take().unwrap_or_default();
                return self.push_heading(self.level, &text);
            }
            TagEnd::HtmlBlock => return self.html(range),
            TagEnd::CodeBlock if self.fenced => return self.push(BlockKind::Code, &close_fence(self.source(&range))),
            TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::CodeBlock => BlockKind::Lines,
            TagEnd::Table => BlockKind::Table,
            _ => BlockKind::Prose,
        };
        let range = self.line_start(range.start)..range.end;
        let text = applied(self.text, range, edits);
        self.push(kind, &text);
    }

    fn source(&self, range: &Range<usize>) -> &'_ str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Where the line of `at` begins, when there is only white space between.
    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).len()
    }

    fn push(&mut self, kind: BlockKind, text: &str) {
        self.pieces.extend(Block::of(kind, text).map(Piece::Block));
    }

    fn push_heading(&mut self, level: u8, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.pieces.push(Piece::Heading { level, text });
        }
    }

    /// A block of HTML is read as a page is, but for what unfolds: its text is Markdown and follows the block.
    fn html(&mut self, range: Range<usize>) {
        let source = self.source(&range).to_owned();
        if !["<details", "<summary", "</details"].iter().any(|tag| source.contains(tag)) {
            let Ok(tree) = parse::parse(&source) else { return };
            let kept = ContentFilter::of(&tree, source.len().saturating_mul(EXPANSION_PER_BYTE));
            let pieces = render::render(&kept, Tree::ROOT, None);
            return self.pieces.extend(pieces);
        }
        let inner = self.level.saturating_add(1).min(6);
        for line in source.lines() {
            if let Some((_, rest)) = line.split_once("<summary>") {
                let (summary, rest) = rest.split_once("</summary>").unwrap_or((rest, ""));
                self.push_heading(inner, &without_tags(summary));
                self.push(BlockKind::Prose, &without_tags(rest));
            } else {
                self.push(BlockKind::Prose, &without_tags(line));
            }
            if line.contains("</details") {
                self.pieces.push(Piece::End { level: inner });
            }
        }
    }
}

/// The target of a link by reference, if it can be written in the text.
fn target(kind: LinkType, target: &str) -> Option<String> {
    let referred = matches!(kind, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut);
    let unsound = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '\\');
    (referred && target.len() <= MAX_TARGET_BYTES && !target.contains(unsound)).then(|| target.to_owned())
}

/// The part of the text with its edits made; of those that overlap, the outer one.
fn applied(text: &str, part: Range<usize>, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, Reverse(range.end)));
    let mut out = String::new();
    let mut done = part.start;
    for (range, by) in edits {
        if range.start >= done {
            out.push_str(text.get(done..range.start).unwrap_or_default());
            out.push_str(&by);
            done = range.end;
        }
    }
    out.push_str(text.get(done..part.end).unwrap_or_default());
    out
}

/// Code with its closing fence, which may be missing in the source.
fn close_fence(source: &str) -> String {
    let source = source.trim_end();
    let mark = source.chars().next().unwrap_or('`');
    let fence: String = source.chars().take_while(|c| *c == mark).collect();
    let last = source.lines().skip(1).last().unwrap_or_default().trim();
    let closes = last.len() >= fence.len() && last.chars().all(|c| c == mark);
    if closes { source.to_owned() } else { format!("{source}\n{fence}") }
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> Vec<String> {
        let shown = |piece| match piece {
            Piece::Heading { level, text } => format!("h{level} {text}"),
            Piece::End { level } => format!("end {level}"),
            Piece::Links => "links".to_owned(),
            Piece::Block(block) => format!("{:?} {}", block.kind, block.text),
        };
        read(text).pieces.into_iter().map(shown).collect()
    }

    #[test]
    fn headings_of_both_kinds_are_found_and_nothing_else_is_one() {
        let text = "# A `b` [c](d) #\n\nE\n=\ntext\n\nF\n---\n```sh\n# no\n```\n#no\n    # no";
        assert_eq!(
            show(text),
            ["h1 A b c", "h1 E", "Prose text", "h2 F", "Code ```sh\n# no\n```", "Prose #no\n    # no"]
        );
    }

    #[test]
    fn lists_and_tables_stay_whole() {
        let text = "Intro:\n- a\n  more\n\n- b\nlazy\n\nend\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> q\n> r";
        let expected = [
            "Prose Intro:",
            "Lines - a\n  more\n\n- b\nlazy",
            "Prose end",
            "Table | x | y |\n|---|---|\n| 1 | 2 |",
            "Lines > q\n> r",
        ];
        assert_eq!(show(text), expected);
    }

    #[test]
    fn front_matter_images_and_comments_are_left_out() {
        let text = "---\ntitle: \"T\"\n---\n[![build](x)](y) ![z](w)\n<div align=center>\n\n<!-- hidden\n# no -->\n<details><summary>How?</summary>\n\nSo.\n\n</details>\nAfter";
        assert_eq!(read(text).title.as_deref(), Some("T"));
        assert_eq!(show(text), ["h2 How?", "Prose So.", "end 2", "Prose After"]);
    }

    #[test]
    fn a_fence_that_never_ends_is_ended() {
        assert_eq!(show("```\nx"), ["Code ```\nx\n```"]);
    }

    #[test]
    fn text_in_code_stays() {
        let code = "```html\n<!-- a comment -->\n![x](y) <b>z</b>\n```";
        assert_eq!(show(code), [format!("Code {code}")]);
        assert_eq!(show("a `<!-- b -->` c<!-- d -->"), ["Prose a `<!-- b -->` c"]);
    }

    #[test]
    fn tags_go_and_placeholders_stay() {
        let text = "<h2 align=center>Top</h2>\n\nrun <b>login</b> <username><br>now\n\n<table><tr><th>a<th>b<tr><td>1<td>2</table>";
        let expected = ["h2 Top", "Prose run login <username> now", "Table | a | b |\n| --- | --- |\n| 1 | 2 |"];
        assert_eq!(show(text), expected);
    }

    #[test]
    fn a_link_by_reference_gets_its_target() {
        let text = "See [the *guide*][g], [g][] and [x](y).\n\n[g]: https://a.example/g \"Guide\"";
        let expected = "Prose See [the *guide*](https://a.example/g), [g](https://a.example/g) and [x](y).";
        assert_eq!(show(text), [expected]);
    }
}
