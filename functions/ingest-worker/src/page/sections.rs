//! From pieces to sections that stand alone: cut at headings, short ones joined, long ones parted.

use super::block::{Block, BlockKind, Piece};
use super::split;

/// A section is joined with its neighbours while all of them together have at most so many characters.
const JOINED_CHARS: usize = 800;
/// A section of fewer characters does not stand alone, unless it answers a question.
const SHORT_CHARS: usize = 240;
/// Stands between the names of sections that are read together.
const AND: &str = " · ";
/// Such a name is no longer than this, in characters.
const NAME_CHARS: usize = 80;
/// A section of more characters is parted.
pub(super) const LONG_CHARS: usize = 6_000;
/// About so many sections are made of one text, and never twice as many; where there would be more, each holds more.
pub(super) const MAX_SECTIONS: usize = 500;

/// A part of a text, with the headings that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// The headings above and its own, outermost first; empty for a text without any.
    pub(super) trail: Vec<String>,
    pub(super) blocks: Vec<Block>,
    /// Which part of how many it is, where it was parted.
    pub(super) part: Option<(usize, usize)>,
}

impl Section {
    pub(super) fn chars(&self) -> usize {
        self.blocks.iter().map(|block| block.text.chars().count() + 2).sum()
    }

    fn asks(&self) -> bool {
        self.trail.last().is_some_and(|title| asks(title))
    }
}

/// Whether a heading is a question, in any script.
fn asks(title: &str) -> bool {
    title.trim_end().ends_with(['?', '？', '؟', '\u{37E}', '՞'])
}

/// The sections of a text, in its order.
pub(super) fn cut(pieces: Vec<Piece>) -> Vec<Section> {
    let mut sections = joined(Heading::tree(pieces), &[]);
    let mut limit = LONG_CHARS;
    while sections.len() > MAX_SECTIONS {
        sections = by_force(sections, limit);
        limit = limit.saturating_mul(2);
    }
    let all: usize = sections.iter().map(Section::chars).sum();
    let least = all * 2 / MAX_SECTIONS;
    sections.into_iter().flat_map(|section| split::parted(section, least)).collect()
}

/// A heading with what stands under it.
struct Heading {
    level: u8,
    title: Option<String>,
    own: Vec<Block>,
    below: Vec<Heading>,
}

impl Heading {
    const fn new(level: u8, title: Option<String>) -> Self {
        Self { level, title, own: Vec::new(), below: Vec::new() }
    }

    /// The whole text under one nameless heading.
    fn tree(pieces: Vec<Piece>) -> Self {
        let mut open = vec![Self::new(0, None)];
        for piece in pieces {
            match piece {
                Piece::Heading { level, text } => {
                    close(&mut open, level);
                    open.push(Self::new(level, Some(text)));
                }
                Piece::End { level } => close(&mut open, level),
                Piece::Block(block) => open.last_mut().into_iter().for_each(|last| last.own.push(block.clone())),
            }
        }
        close(&mut open, 1);
        open.pop().unwrap_or_else(|| Self::new(0, None))
    }

    fn chars(&self) -> usize {
        let own: usize = self.own.iter().map(|block| block.text.chars().count() + 2).sum();
        own + self.below.iter().map(|below| below.chars() + below.title_chars()).sum::<usize>()
    }

    fn title_chars(&self) -> usize {
        self.title.as_deref().map_or(0, |title| title.chars().count() + 6)
    }

    fn questions(&self) -> usize {
        let own = usize::from(self.title.as_deref().is_some_and(asks));
        own + self.below.iter().map(Self::questions).sum::<usize>()
    }

    /// Everything under the heading as blocks of one section, the headings below as headings of Markdown.
    fn flattened(self, depth: usize) -> Vec<Block> {
        let mut blocks = self.own;
        for below in self.below {
            let marks = "#".repeat((depth + 1).min(6));
            let title = below.title.clone().map(|title| format!("{marks} {title}"));
            blocks.extend(title.and_then(|title| Block::of(BlockKind::Prose, title)));
            blocks.extend(below.flattened(depth + 1));
        }
        blocks
    }
}

/// Closes the headings of `level` and below.
fn close(open: &mut Vec<Heading>, level: u8) {
    while open.len() > 1 && open.last().is_some_and(|last| last.level >= level) {
        if let (Some(done), Some(above)) = (open.pop(), open.last_mut()) {
            above.below.push(done);
        }
    }
}

/// The sections under a heading whose own trail is `above`.
fn joined(heading: Heading, above: &[String]) -> Vec<Section> {
    let mut trail = above.to_vec();
    trail.extend(heading.title.clone().filter(|title| !is_directory(title)));
    let questions: usize = heading.below.iter().map(Heading::questions).sum();
    if questions == 0 && heading.chars() <= JOINED_CHARS && heading.title.is_some() {
        let blocks = heading.flattened(1);
        return if blocks.iter().all(|block| block.links_only) {
            Vec::new()
        } else {
            vec![Section { trail, blocks, part: None }]
        };
    }
    let mut sections: Vec<Section> = Vec::new();
    let leads_away = heading.own.iter().all(|block| block.links_only) && !heading.title.as_deref().is_some_and(asks);
    if !leads_away {
        sections.push(Section { trail: trail.clone(), blocks: heading.own, part: None });
    }
    for below in heading.below {
        for section in joined(below, &trail) {
            match sections.last_mut() {
                Some(last) if goes_with(last, &section, &trail) => append(last, section, &trail),
                _ => sections.push(section),
            }
        }
    }
    sections
}

/// Whether a short section is better read together with the one before it, both under one heading.
fn goes_with(last: &Section, next: &Section, under: &[String]) -> bool {
    let siblings = next.trail.len() == under.len() + 1 && last.trail.len() == next.trail.len();
    let both_short = siblings && last.chars() < SHORT_CHARS;
    let under_its_heading = last.trail == under && !under.is_empty();
    next.chars() < SHORT_CHARS
        && (under_its_heading || both_short)
        && last.trail.starts_with(under)
        && !(next.asks() || last.asks())
        && last.chars() + next.chars() <= JOINED_CHARS
}

/// Adds a section to the end of another. Where neither is the heading of the other, both give the name.
fn append(last: &mut Section, next: Section, under: &[String]) {
    let title = next.trail.last();
    if last.trail != under
        && let (Some(name), Some(more)) = (last.trail.last_mut(), title)
    {
        let first = Block::of(BlockKind::Prose, format!("## {name}")).filter(|_| !name.contains(AND));
        last.blocks.splice(0..0, first);
        if name.chars().count() + more.chars().count() <= NAME_CHARS {
            *name = format!("{name}{AND}{more}");
        }
    }
    last.blocks.extend(title.and_then(|title| Block::of(BlockKind::Prose, format!("## {title}"))));
    last.blocks.extend(next.blocks);
}

/// What stands over a list of what is on the page; where the page itself follows under it, it says nothing of that.
fn is_directory(title: &str) -> bool {
    let title = title.to_lowercase();
    ["table of contents", "contents", "on this page", "in this article", "inhalt", "sommaire", "índice", "目次"]
        .contains(&title.as_str())
}

/// Joins neighbours whatever they are about, up to `limit` characters.
fn by_force(sections: Vec<Section>, limit: usize) -> Vec<Section> {
    let mut kept: Vec<Section> = Vec::new();
    let mut chars = 0;
    for section in sections {
        let more = section.chars();
        match kept.last_mut() {
            Some(last) if chars + more <= limit => {
                let under = last.trail.clone();
                append(last, section, &under);
                chars += more;
            }
            _ => {
                kept.push(section);
                chars = more;
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, text: &str) -> Piece {
        Piece::Heading { level, text: text.to_owned() }
    }

    fn text(chars: usize) -> Piece {
        Piece::Block(Block { kind: BlockKind::Prose, text: "x".repeat(chars), links_only: false })
    }

    fn trails(pieces: Vec<Piece>) -> Vec<String> {
        cut(pieces).iter().map(|section| section.trail.join(" > ")).collect()
    }

    #[test]
    fn a_section_that_is_long_enough_stands_alone() {
        let pieces = vec![heading(1, "A"), text(300), heading(2, "B"), text(1_000), heading(2, "C"), text(1_000)];
        assert_eq!(trails(pieces), ["A", "A > B", "A > C"]);
    }

    #[test]
    fn short_sections_are_read_together() {
        let pieces = vec![heading(1, "A"), text(100), heading(2, "B"), text(100), heading(2, "C"), text(100)];
        assert_eq!(trails(pieces), ["A"]);
        let long = |title| [heading(2, title), text(700)];
        let short = |title| [heading(2, title), text(100)];
        let pieces = [[heading(1, "A"), text(500)], long("B"), short("C"), short("D"), long("E")].concat();
        assert_eq!(trails(pieces), ["A", "A > B", "A > C · D", "A > E"]);
    }

    #[test]
    fn a_question_stands_alone_however_short_its_answer_is() {
        let pieces = vec![heading(1, "FAQ"), text(30), heading(2, "How?"), text(20), heading(2, "Why?"), text(20)];
        assert_eq!(trails(pieces), ["FAQ", "FAQ > How?", "FAQ > Why?"]);
    }

    #[test]
    fn what_follows_the_end_of_a_section_belongs_to_the_one_around_it() {
        let pieces = vec![heading(1, "A"), text(500), heading(2, "Q?"), text(20), Piece::End { level: 2 }, text(600)];
        let sections = cut(pieces);
        assert_eq!(sections.iter().map(|s| s.blocks.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn however_many_headings_there_are_the_sections_are_bounded() {
        let pieces: Vec<Piece> = (0..100_000).flat_map(|n| [heading(2, &format!("{n}?")), text(5)]).collect();
        let sections = cut(pieces);
        assert!(sections.len() <= MAX_SECTIONS, "{}", sections.len());
    }
}
