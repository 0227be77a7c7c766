//! From a page or a text to the sections that become entries. Pure: the same text gives the same sections.
//!
//! A page goes through `parse` (a bounded `tree`), `kept` (which parts are kept), `content` (the main text), and
//! `render` (`headings` and Markdown, with `inline`, `list`, `table`, `code`). `markdown` and `plain` read the other
//! two formats; `marks` detects the format. All of them produce `block`s. `sections` cuts those into self-contained
//! parts, each a `section`, `split` divides long ones, and `slug` names them. The text is data: nothing here follows
//! its instructions.

mod block;
mod class_names;
mod code;
mod content;
mod content_filter;
mod dialect;
mod escape;
mod front_matter;
mod headings;
mod html_detection;
mod inline;
mod list;
mod markdown;
mod names;
mod open_elements;
mod parse;
mod plain;
mod read_error;
mod render;
mod section;
mod sections;
pub(crate) mod slug;
mod split;
mod table;
mod title;
mod tree;

use std::rc::Rc;

use text::sanitise;
use url::Url;

use block::Piece;
use content_filter::{ContentFilter, EXPANSION_PER_BYTE, MIN_EXPANSION};
use html_detection::HtmlScore;
pub use read_error::ReadError;
use section::Section;
use sections::MAX_HEADING_CHARS;
use tree::Tree;

/// A page with fewer characters of text is an empty shell, or a loading message.
const MIN_CHARS: usize = 20;
/// The most characters of an entry.
const CONTENT_CHARS: usize = 200_000;
/// The most bytes of an entry.
const CONTENT_BYTES: usize = 300 * 1024;

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

impl Kind {
    /// The detected format of a text.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        let start: String = text.trim_start().chars().take(1_000).collect::<String>().to_ascii_lowercase();
        let page = ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag));
        let marks = HtmlScore::of(text);
        match () {
            () if page || marks.is_html() => Self::Html,
            () if marks.markdown > 0 => Self::Markdown,
            () => Self::Plain,
        }
    }
}

/// A text to be read.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The text, decoded.
    pub text: &'a str,
    /// The format of the text.
    pub kind: Kind,
    /// Where it is from; links are made absolute by it.
    pub url: Option<&'a Url>,
    /// The title where the text has none.
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
    let (title, pieces) = match page.kind {
        Kind::Html => html(page)?,
        Kind::Markdown => {
            let read = markdown::read(page.text.trim_start_matches('\u{FEFF}'));
            (read.title, read.pieces)
        }
        Kind::Plain => (None, plain::read(page.text.trim_start_matches('\u{FEFF}'))),
    };
    let title = title.or_else(|| only_top_heading(&pieces)).unwrap_or_else(|| page.name.to_owned());
    let title: String = title.chars().take(MAX_HEADING_CHARS).collect();
    let drafts = name_sections(sections::split_sections(pieces), &title);
    if drafts.is_empty() { Err(ReadError::Empty) } else { Ok(drafts) }
}

fn html(page: &Page<'_>) -> Result<(Option<String>, Vec<Piece>), ReadError> {
    let tree = parse::parse(page.text)?;
    let kept =
        ContentFilter::of(&tree, MIN_EXPANSION.saturating_add(page.text.len().saturating_mul(EXPANSION_PER_BYTE)));
    let root = content::root(&kept);
    let mut pieces = render::render(&kept, root, page.url);
    // A submitted text is not an empty shell, however short.
    let least = if page.url.is_some() { MIN_CHARS } else { 1 };
    if chars(&pieces) < least && root != Tree::ROOT {
        pieces = render::render(&kept, Tree::ROOT, page.url);
    }
    if chars(&pieces) < least {
        return Err(ReadError::Empty);
    }
    Ok((content::title(&kept, root), pieces))
}

fn chars(pieces: &[Piece]) -> usize {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let of = |piece: &Piece| match piece {
        Piece::End { .. } | Piece::Links => 0,
        Piece::Heading { text, .. } => letters(text),
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
    let mut sections: Vec<(Section, String)> =
        sections.into_iter().map(|section| (title::heading_path(section, page_title), String::new())).collect();
    for (section, content) in &mut sections {
        *content = content_of(section);
    }
    sections.retain(|(_, content)| content.chars().any(char::is_alphanumeric));
    let trails: Vec<Vec<Rc<str>>> = sections.iter().map(|(section, _)| section.trail.clone()).collect();
    let slugs = slug::make_unique(&trails);
    let draft = |((section, content), slug)| SectionDraft { slug, title: title::of(&section), content };
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
