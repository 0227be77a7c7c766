//! Cuts blocks into self-contained sections: one for each heading with text. One that is too long for an entry is divided:
//! between blocks, rows, lines, sentences, and only then anywhere.
//!
//! Customers ask about one thing, and an editor changes one thing. So the texts under two headings are two entries,
//! however short. A heading without text of its own becomes part of the following titles.

use std::rc::Rc;

use text::markdown::escape;
use text::sentences;

use super::block::{Block, BlockKind, Piece};

/// A section of more characters is parted.
const LONG_CHARS: usize = 6_000;

/// A part of a text, with the headings that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// The headings above and its own, outermost first; empty for a text without any.
    pub(super) trail: Vec<Rc<str>>,
    pub(super) blocks: Vec<Block>,
    /// The number of the part, and of how many, if it was parted.
    pub(super) part: Option<(usize, usize)>,
}

impl Section {
    fn chars(&self) -> usize {
        self.blocks.iter().filter(|block| block.says()).map(|block| block.text.chars().count() + 2).sum()
    }
}

/// The most headings without text that become part of the next title, the nearest ones.
const MAX_JOINED_SECTIONS: usize = 2;
/// A longer heading is text, in characters.
pub(super) const MAX_HEADING_CHARS: usize = 500;
/// The approximate limit of sections of one text, at most twice as many; above it, each section is longer.
const MAX_SECTIONS: usize = 500;

/// Whether a heading is a question, in any script.
fn is_question(title: &str) -> bool {
    title.trim_end().ends_with(['?', '？', '؟', '\u{37E}', '՞'])
}

/// The sections of a text, in its order.
pub(super) fn split_sections(pieces: Vec<Piece>) -> Vec<Section> {
    let mut sections = content_under(Heading::tree(pieces), &[]);
    let mut limit = LONG_CHARS;
    while sections.len() > MAX_SECTIONS {
        sections = force_split(sections, limit);
        limit = limit.saturating_mul(2);
    }
    let all: usize = sections.iter().map(Section::chars).sum();
    let least = all * 2 / MAX_SECTIONS;
    sections.into_iter().flat_map(|section| split_long_section(section, least)).collect()
}

/// A heading with its text.
struct Heading {
    level: u8,
    title: Option<Rc<str>>,
    own: Vec<Block>,
    /// Links were left out of its own text.
    had_links: bool,
    below: Vec<Heading>,
}

impl Heading {
    const fn new(level: u8, title: Option<Rc<str>>) -> Self {
        Self { level, title, own: Vec::new(), had_links: false, below: Vec::new() }
    }

    /// The whole text under one nameless heading.
    fn tree(pieces: Vec<Piece>) -> Self {
        let mut open = vec![Self::new(0, None)];
        for piece in pieces {
            match piece {
                Piece::Heading { level, text } => {
                    close(&mut open, level);
                    let is_text = text.chars().nth(MAX_HEADING_CHARS).is_some();
                    let mut heading = Self::new(level, (!is_text).then(|| Rc::from(text.as_str())));
                    heading.own.extend(is_text.then(|| Block::of(BlockKind::Prose, escape(&text))).flatten());
                    open.push(heading);
                }
                Piece::End { level } => close(&mut open, level),
                Piece::Links => open.last_mut().into_iter().for_each(|last| last.had_links = true),
                Piece::Block(block) => open.last_mut().into_iter().for_each(|last| last.own.push(block.clone())),
            }
        }
        close(&mut open, 1);
        open.pop().unwrap_or_else(|| Self::new(0, None))
    }

    /// Whether it and everything below it have no text.
    fn has_no_text(&self) -> bool {
        !self.own.iter().any(Block::says) && !self.had_links && self.below.iter().all(Self::has_no_text)
    }

    /// Its title and those below it, in order.
    fn titles(self) -> Vec<Rc<str>> {
        let mut titles: Vec<Rc<str>> = self.title.into_iter().collect();
        titles.extend(self.below.into_iter().flat_map(Self::titles));
        titles
    }

    /// Whether its own text, if there is any, is links to other pages and no answer.
    fn is_link_list(&self) -> bool {
        let links = self.own.iter().all(|block| block.links_only || !block.says());
        !self.own.iter().any(Block::says) || (links && !self.title.as_deref().is_some_and(is_question))
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
fn content_under(heading: Heading, above: &[Rc<str>]) -> Vec<Section> {
    let mut trail = above.to_vec();
    let is_link_list = heading.is_link_list();
    trail.extend(heading.title.filter(|title| !is_link_list || !is_directory(title)));
    let mut sections: Vec<Section> = Vec::new();
    if !is_link_list {
        sections.push(Section { trail: trail.clone(), blocks: heading.own, part: None });
    }
    // Titles without text: the nearest ones are part of the next title, the others belong to the section before.
    let mut next = trail.clone();
    let mut passed: Vec<Block> = Vec::new();
    for below in heading.below {
        if below.has_no_text() {
            next.extend(below.titles());
            let over = next.len().saturating_sub(trail.len() + MAX_JOINED_SECTIONS);
            passed.extend(next.drain(trail.len()..trail.len() + over).filter_map(|title| heading_line(&title)));
            continue;
        }
        append(&mut sections, &mut passed);
        sections.extend(content_under(below, &next));
        next.truncate(trail.len());
    }
    passed.extend(next.iter().skip(trail.len()).filter_map(|title| heading_line(title)));
    append(&mut sections, &mut passed);
    sections
}

/// Moves blocks to the end of the last section, if there is any.
fn append(sections: &mut [Section], blocks: &mut Vec<Block>) {
    sections.last_mut().into_iter().for_each(|last| last.blocks.append(blocks));
}

/// A heading within a section.
fn heading_line(title: &str) -> Option<Block> {
    // Hash signs at the end of a heading are no text of it (CommonMark 0.31, 4.2).
    let text = escape(title);
    let text = text.strip_suffix('#').map_or(text.clone(), |rest| format!("{rest}\\#"));
    Block::of(BlockKind::Prose, format!("## {text}"))
}

/// The heading of a table of contents; if the page itself follows under it, it is not part of titles.
fn is_directory(title: &str) -> bool {
    let title = title.to_lowercase();
    ["table of contents", "contents", "on this page", "in this article", "inhalt", "sommaire", "índice", "目次"]
        .contains(&title.as_str())
}

/// Joins neighbours, whatever their subject, up to `limit` characters.
fn force_split(sections: Vec<Section>, limit: usize) -> Vec<Section> {
    let mut kept: Vec<Section> = Vec::new();
    let mut chars = 0;
    for section in sections {
        let more = section.chars();
        match kept.last_mut() {
            Some(last) if chars + more <= limit => {
                last.blocks.extend(section.trail.last().and_then(|title| heading_line(title)));
                last.blocks.extend(section.blocks);
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

/// The approximate characters of a part.
const PART_CHARS: usize = 4_000;
/// The section, or its parts, none of which is much shorter than `least` characters.
fn split_long_section(section: Section, least: usize) -> Vec<Section> {
    if section.chars() <= LONG_CHARS.max(least) {
        return vec![section];
    }
    let target = PART_CHARS.max(least);
    let mut parts: Vec<Vec<Block>> = vec![Vec::new()];
    let mut filled = 0;
    for block in section.blocks.into_iter().flat_map(|block| split_text(block, target)) {
        let more = if block.says() { block.text.chars().count() + 2 } else { 0 };
        let heading = is_heading(&block);
        if filled > 0 && (filled + more > target || (heading && filled + more > target * 3 / 4)) {
            // A heading stays with its text.
            let moved =
                parts.last_mut().and_then(|last| if last.last().is_some_and(is_heading) { last.pop() } else { None });
            filled = moved.as_ref().map_or(0, |heading| heading.text.chars().count() + 2);
            parts.push(moved.into_iter().collect());
        }
        filled += more;
        if let Some(last) = parts.last_mut() {
            last.push(block);
        }
    }
    parts.retain(|blocks| !blocks.is_empty());
    let count = parts.len();
    let number = |at: usize| (count > 1).then_some((at + 1, count));
    parts
        .into_iter()
        .enumerate()
        .map(|(at, blocks)| Section { trail: section.trail.clone(), blocks, part: number(at) })
        .collect()
}

fn is_heading(block: &Block) -> bool {
    block.kind == BlockKind::Prose && block.text.starts_with('#') && !block.text.contains('\n')
}

/// The block, or pieces of it of at most `max` characters.
fn split_text(block: Block, max: usize) -> Vec<Block> {
    if !block.says() || block.text.chars().count() <= max {
        return vec![block];
    }
    let kind = block.kind;
    let texts = match kind {
        BlockKind::Prose | BlockKind::Image => fill_parts(sentences(&block.text).into_iter(), " ", max),
        BlockKind::Lines => fill_parts(items(&block.text).into_iter().flat_map(|item| lines_of(item, max)), "\n", max),
        BlockKind::Table => with_wrapper(&block.text, 2, 0, max),
        BlockKind::Code => with_wrapper(&block.text, 1, 1, max),
    };
    texts.into_iter().filter_map(|text| Block::of(kind, text)).collect()
}

/// The lines of a list or a quotation, each with what belongs to it: an item is parted from its text only if it is long.
fn items(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if end > start && !line.starts_with([' ', '\n']) {
            items.push(text.get(start..end).unwrap_or_default().trim_end());
            start = end;
        }
        end += line.len();
    }
    items.push(text.get(start..end).unwrap_or_default().trim_end());
    items
}

fn lines_of(item: &str, max: usize) -> Vec<&str> {
    if item.chars().count() <= max { vec![item] } else { item.lines().map(str::trim_start).collect() }
}

/// Lines between a head and a tail that are repeated, unless they are too long for that.
fn with_wrapper(text: &str, head: usize, tail: usize, max: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.len().saturating_sub(tail).max(head.min(lines.len()));
    let (before, rest) = lines.split_at(head.min(lines.len()));
    let (inner, after) = rest.split_at(end.saturating_sub(before.len()).min(rest.len()));
    let frame = before.iter().chain(after).map(|line| line.chars().count() + 1).sum::<usize>();
    if frame > max / 2 {
        return fill_parts(lines.into_iter(), "\n", max);
    }
    let room = max - frame;
    let framed = |body: String| [before.join("\n"), body, after.join("\n")].join("\n").trim_matches('\n').to_owned();
    fill_parts(inner.iter().copied(), "\n", room).into_iter().map(framed).collect()
}

/// As many of `texts` together as fit into `max` characters; one that is longer is cut between words.
fn fill_parts<'t>(texts: impl Iterator<Item = &'t str>, between: &str, max: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut chars = usize::MAX;
    for text in texts.flat_map(|text| short_enough(text, max)) {
        let more = text.chars().count() + between.len();
        match out.last_mut() {
            Some(last) if chars.saturating_add(more) <= max => {
                last.push_str(between);
                last.push_str(text);
                chars += more;
            }
            _ => {
                out.push(text.to_owned());
                chars = more;
            }
        }
    }
    out
}

/// The text in pieces of at most `max` characters, cut at white space if there is any near.
fn short_enough(text: &str, max: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((at, _)) = rest.char_indices().nth(max) {
        let (window, _) = rest.split_at(at);
        let cut = window.rfind(char::is_whitespace).filter(|cut| *cut > at / 2).unwrap_or(at);
        let (piece, after) = rest.split_at(cut);
        pieces.push(piece.trim_end());
        rest = after.trim_start();
    }
    pieces.push(rest);
    pieces
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

    #[test]
    fn a_heading_of_many_sentences_is_text_and_not_repeated_in_what_stands_under_it() {
        let long = "Much is said here. ".repeat(50);
        let sections = split_sections(vec![heading(1, "A"), heading(2, &long), text(5), heading(3, "Q?"), text(5)]);
        let trails: Vec<String> = sections.iter().map(|section| section.trail.join(" > ")).collect();
        assert_eq!(trails, ["A", "A > Q?"]);
        assert_eq!(sections[0].blocks[0].text, long.trim());
    }

    fn trails(pieces: Vec<Piece>) -> Vec<String> {
        split_sections(pieces).iter().map(|section| section.trail.join(" > ")).collect()
    }

    #[test]
    fn every_heading_with_text_is_a_section_however_short() {
        let pieces = vec![
            heading(1, "A"),
            text(300),
            heading(2, "B"),
            text(3),
            heading(2, "C"),
            text(1_000),
            heading(1, "D"),
            text(5),
        ];
        assert_eq!(trails(pieces), ["A", "A > B", "A > C", "D"]);
        let pieces = vec![heading(1, "FAQ"), text(30), heading(2, "How?"), text(20), heading(2, "Why?"), text(20)];
        assert_eq!(trails(pieces), ["FAQ", "FAQ > How?", "FAQ > Why?"]);
    }

    #[test]
    fn a_heading_without_text_joins_what_follows() {
        let pieces =
            vec![heading(1, "A"), heading(2, "B"), text(3), heading(2, "C"), heading(2, "D"), text(4), heading(2, "E")];
        let sections = split_sections(pieces.clone());
        assert_eq!(trails(pieces), ["A > B", "A > C > D"]);
        let last: Vec<&str> = sections[1].blocks.iter().map(|block| block.text.as_str()).collect();
        assert_eq!(last, ["xxxx", "## E"], "one that nothing follows belongs to what it stands behind");
        assert!(split_sections(vec![heading(1, "A"), heading(2, "B")]).is_empty());
        let many: Vec<Piece> = (0..50_000).map(|n| heading(2, &n.to_string())).chain([text(3)]).collect();
        assert!(trails(many).iter().all(|trail| trail == "49997 > 49998 > 49999"));
    }

    #[test]
    fn a_heading_over_links_that_were_left_out_says_nothing_about_what_follows() {
        let pieces =
            vec![heading(1, "A"), text(5), heading(2, "Security"), Piece::Links, heading(2, "Contact"), text(5)];
        assert_eq!(trails(pieces), ["A", "A > Contact"]);
    }

    #[test]
    fn text_after_the_end_of_a_section_belongs_to_the_one_around_it() {
        let pieces = vec![heading(1, "A"), text(500), heading(2, "Q?"), text(20), Piece::End { level: 2 }, text(600)];
        let sections = split_sections(pieces);
        assert_eq!(sections.iter().map(|s| s.blocks.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn however_many_headings_there_are_the_sections_are_bounded() {
        let pieces: Vec<Piece> = (0..100_000).flat_map(|n| [heading(2, &format!("{n}?")), text(5)]).collect();
        let sections = split_sections(pieces);
        assert!(sections.len() <= MAX_SECTIONS, "{}", sections.len());
    }

    fn split_part(blocks: Vec<Block>) -> Vec<Section> {
        split_long_section(Section { trail: vec!["T".into()], blocks, part: None }, 0)
    }

    #[test]
    fn a_long_text_is_parted_between_sentences_and_nothing_is_lost() {
        let sentence = "All of this is said in one sentence. ";
        let text = sentence.repeat(400);
        let parts = split_part(vec![Block::of(BlockKind::Prose, text.trim().to_owned()).unwrap()]);
        assert!(parts.len() > 2 && parts.iter().all(|part| part.chars() <= LONG_CHARS));
        let whole: Vec<&str> = parts.iter().flat_map(|part| &part.blocks).map(|block| block.text.as_str()).collect();
        assert!(whole.iter().all(|text| text.ends_with('.')));
        assert_eq!(whole.join(" "), text.trim());
        assert_eq!(parts[0].part, Some((1, parts.len())));
    }

    #[test]
    fn every_part_of_a_table_has_its_header() {
        let rows: Vec<String> = (0..500).map(|n| format!("| item {n} | {n} euros |")).collect();
        let text = format!("| Item | Price |\n| --- | --- |\n{}", rows.join("\n"));
        let parts = split_part(vec![Block::of(BlockKind::Table, text).unwrap()]);
        assert!(parts.len() > 1);
        assert!(parts.iter().all(|part| part.blocks[0].text.starts_with("| Item | Price |\n| --- | --- |\n| item ")));
    }

    #[test]
    fn a_header_that_is_long_itself_is_not_repeated() {
        let (header, row) = (format!("| {} | Price |", "word ".repeat(20_000)), "| item | 1 euro |\n");
        let text = format!("{header}\n| --- | --- |\n{}", row.repeat(5_000));
        let written: usize = split_part(vec![Block::of(BlockKind::Table, text.clone()).unwrap()])
            .iter()
            .flat_map(|part| &part.blocks)
            .map(|block| block.text.len())
            .sum();
        assert!(written <= text.len(), "{written} bytes of {}", text.len());
    }

    #[test]
    fn every_part_of_a_listing_is_fenced() {
        let text = format!("```sh\n{}\n```", vec!["make all the things again"; 600].join("\n"));
        let parts = split_part(vec![Block::of(BlockKind::Code, text).unwrap()]);
        assert!(parts.len() > 1);
        assert!(
            parts.iter().all(|p| p.blocks[0].text.starts_with("```sh\nmake") && p.blocks[0].text.ends_with("\n```"))
        );
    }

    #[test]
    fn a_text_without_spaces_is_parted_too() {
        let parts = split_part(vec![Block::of(BlockKind::Prose, "漢".repeat(50_000)).unwrap()]);
        let whole: usize = parts.iter().flat_map(|part| &part.blocks).map(|block| block.text.chars().count()).sum();
        assert_eq!(whole, 50_000);
    }
}
