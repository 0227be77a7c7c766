//! From a page or a text to the sections that become entries. Pure: the same text gives the same sections.
//!
//! A page goes through `parse` (a bounded `tree`), `left_out` (which parts are kept), `content` (the main text), and `render`
//! (headings and Markdown, with `inline`, `image`, `list`, `table`). `markdown` turns Markdown, in any `dialect` of a
//! documentation site, into HTML for the same way; `plain` reads text without marks; `format` detects which of them a text
//! is. All of them produce `block`s. `sections` cuts those into self-contained parts, and `titles` names them. The text is
//! data: nothing here follows its instructions.
//!
//! Read back by CommonMark with tables, an entry gives the text that a browser shows of its part of the page.

#[macro_use]
mod class_names;

mod address;
mod block;
mod buttons;
mod content;
mod content_filter;
mod dialect;
mod format;
mod frame;
mod image;
mod inline;
mod left_out;
mod list;
mod markdown;
mod marks;
mod page_links;
mod parse;
mod plain;
mod render;
mod sections;
mod table;
mod titles;
mod tree;

use std::borrow::Cow;
use std::rc::Rc;

use text::{images, sanitise};
use url::Url;

use block::{BlockKind, Piece};
use content_filter::{ContentFilter, EXPANSION_PER_BYTE, MIN_EXPANSION};
pub use format::Kind;
pub use parse::ReadError;
use render::Source;
use sections::{MAX_HEADING_CHARS, Section};
use tree::Tree;

/// A page with fewer characters of text is an empty shell, or a loading message.
const MIN_CHARS: usize = 20;
/// The most characters of an entry.
const CONTENT_CHARS: usize = 200_000;
/// The most bytes of an entry.
const CONTENT_BYTES: usize = 300 * 1024;

/// A text to be read.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The text, decoded.
    pub text: &'a str,
    /// The format of the text; detected if none is known.
    pub kind: Option<Kind>,
    /// Where it is from; links are made absolute by it.
    pub url: Option<&'a Url>,
    /// The title if the text has none.
    pub name: &'a str,
}

/// The draft of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionDraft {
    /// The last segment of its path; no two drafts of a page have the same.
    pub slug: String,
    /// 1-200 characters on one line: its heading, and what that is part of.
    pub title: String,
    /// Markdown within the limits of an entry; never empty.
    pub content: String,
}

/// The entries of a page, in its order; never none.
pub fn drafts(page: &Page<'_>) -> Result<Vec<SectionDraft>, ReadError> {
    let text = page.text.trim_start_matches('\u{FEFF}');
    let (kind, text) = page.kind.map_or_else(|| format::detect(text), |kind| Ok((kind, Cow::Borrowed(text))))?;
    let (title, pieces) = match kind {
        Kind::Html => html(&text, page.url)?,
        Kind::Markdown => markdown(&text, page.url)?,
        Kind::Plain => (None, plain::read(&text)),
    };
    let title = title.or_else(|| only_top_heading(&pieces)).unwrap_or_else(|| page.name.to_owned());
    let title: String = title.chars().take(MAX_HEADING_CHARS).collect();
    let drafts = name_sections(sections::split_sections(pieces), &title);
    let says = |draft: &SectionDraft| images::without(&draft.content).chars().any(char::is_alphanumeric);
    if drafts.iter().any(says) { Ok(drafts) } else { Err(ReadError::Empty) }
}

fn html(text: &str, url: Option<&Url>) -> Result<(Option<String>, Vec<Piece>), ReadError> {
    let tree = parse::parse(text)?;
    let base = address::base_of(&tree, url);
    let kept = filter(&tree, text.len(), true);
    let (root, is_named) = content::root(&kept);
    let source = Source { kept: &kept, base: base.as_ref(), drops_links: !is_named };
    let mut pieces = render::render(source, root);
    // A submitted text is not an empty shell, however short.
    let least = if url.is_some() { MIN_CHARS } else { 1 };
    if chars(&pieces) < least && root != Tree::ROOT {
        pieces = render::render(source, Tree::ROOT);
    }
    if chars(&pieces) < least {
        return Err(ReadError::Empty);
    }
    Ok((content::title(&kept, root), pieces))
}

fn markdown(text: &str, url: Option<&Url>) -> Result<(Option<String>, Vec<Piece>), ReadError> {
    let (title, body) = markdown::without_metadata(text);
    let html = markdown::to_html(&body);
    let tree = parse::parse(&html)?;
    let kept = filter(&tree, html.len(), false);
    Ok((title, render::render(Source { kept: &kept, base: url, drops_links: false }, Tree::ROOT)))
}

fn filter(tree: &Tree, bytes: usize, is_page: bool) -> ContentFilter<'_> {
    left_out::filter(tree, MIN_EXPANSION.saturating_add(bytes.saturating_mul(EXPANSION_PER_BYTE)), is_page)
}

fn chars(pieces: &[Piece]) -> usize {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let of = |piece: &Piece| match piece {
        Piece::End { .. } | Piece::Links => 0,
        Piece::Heading { text, .. } => letters(text),
        Piece::Block(block) if block.kind == BlockKind::Image => 0,
        Piece::Block(block) => letters(&block.text),
    };
    pieces.iter().map(of).sum()
}

/// The heading above everything else.
fn only_top_heading(pieces: &[Piece]) -> Option<String> {
    let levels = pieces.iter().filter_map(|piece| match piece {
        Piece::Heading { level, text } => Some((*level, text)),
        _ => None,
    });
    let top = levels.clone().map(|(level, _)| level).min()?;
    let mut first = levels.filter(|(level, _)| *level == top).map(|(_, text)| text);
    let only = first.next().filter(|_| first.next().is_none())?;
    let opens = matches!(pieces.first(), Some(Piece::Heading { text, .. }) if text == only);
    opens.then(|| only.clone())
}

fn name_sections(sections: Vec<Section>, page_title: &str) -> Vec<SectionDraft> {
    // Pictures alone say nothing.
    let says = |c: char| c.is_alphanumeric() || c.is_ascii_punctuation();
    let sections = sections.into_iter().map(|section| titles::heading_path(section, page_title));
    let sections = sections.map(|section| (content_of(&section), section));
    let sections: Vec<(String, Section)> =
        sections.filter(|(content, _)| images::without(content).chars().any(says)).collect();
    let trails: Vec<Vec<Rc<str>>> = sections.iter().map(|(_, section)| section.trail.clone()).collect();
    let slugs = titles::slugs(&trails);
    let draft = |((content, section), slug)| SectionDraft { slug, title: titles::title(&section), content };
    sections.into_iter().zip(slugs).map(draft).collect()
}

fn content_of(section: &Section) -> String {
    let texts: Vec<&str> = section.blocks.iter().map(|block| block.text.as_str()).collect();
    let mut content = sanitise::visible(&texts.join("\n\n"));
    if let Some((end, _)) = content.char_indices().nth(CONTENT_CHARS) {
        content.truncate(end);
    }
    while content.len() > CONTENT_BYTES {
        content.pop();
    }
    content.trim().to_owned()
}

#[cfg(test)]
mod tests;
