//! Divides a section that is too long for one entry: between blocks, rows, lines, sentences, and only then anywhere.

use text::sentences;

use super::block::{Block, BlockKind};
use super::section::{LONG_CHARS, Section};

/// The approximate characters of a part.
const PART_CHARS: usize = 4_000;
/// The section, or its parts, none of which is much shorter than `least` characters.
pub(super) fn split_long_section(section: Section, least: usize) -> Vec<Section> {
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
