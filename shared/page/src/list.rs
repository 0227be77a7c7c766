//! Lists: one item a line with the number that the page shows, and content of an item indented under it.

use super::block::{Block, BlockKind};
use super::content_filter::ContentFilter;
use super::tree::{Attr, Id, Tag};

/// A list with this many links and nothing else is navigation, not text.
const DIRECTORY_LINKS: usize = 4;
/// A table of contents may number its links by so many characters each.
const MAX_NUMBER_CHARS: usize = 3;
/// The text that introduces a list is among this many nodes before it.
const MAX_LOOKBACK: usize = 20;
/// The largest number of an item in Markdown (CommonMark 0.31, 5.2).
const MAX_NUMBER: i64 = 999_999_999;

/// How a list ended. Markdown counts by itself, so a list that begins with another number than the next one needs another
/// mark, or both are read as one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    number: i64,
    /// Whether its numbers end in `)` instead of `.`.
    bracket: bool,
}

/// The list as Markdown, and its end if it has numbers; `before` is the end of a list just before it, `content` gives the
/// blocks of an item.
pub(super) fn render(
    kept: &ContentFilter<'_>,
    id: Id,
    before: Option<End>,
    content: impl Fn(Id) -> Vec<Block>,
) -> (Option<Block>, Option<End>) {
    let mut items: Vec<(Option<i64>, Vec<Block>)> = Vec::new();
    let mut numbers = Numbers::of(kept, id);
    collect(kept, id, &mut |item| {
        let blocks = content(item);
        match items.last_mut() {
            // A list directly in a list belongs to the item before it.
            Some((_, before)) if is_list(kept, item) => before.extend(blocks),
            _ => {
                let number = numbers.as_mut().filter(|_| kept.tree.tag(item) == Some(Tag::Li));
                items.push((number.map(|numbers| numbers.next(kept, item)), blocks));
            }
        }
    });
    let mut lines = Vec::new();
    let mut end = before.filter(|_| numbers.is_some());
    for (number, blocks) in items.into_iter().filter(|(_, blocks)| !blocks.is_empty()) {
        let text = join(&blocks);
        let line = match number {
            Some(number) if (0..=MAX_NUMBER).contains(&number) => {
                let bracket = end.is_some_and(|end| end.bracket != (end.number + 1 != number));
                end = Some(End { number, bracket });
                item_lines(kept, &format!("{number}{} ", if bracket { ')' } else { '.' }), &text)
            }
            Some(number) => item_lines(kept, "- ", &format!("{number}\\. {text}")),
            None => item_lines(kept, "- ", &text),
        };
        lines.push(line);
    }
    (Block::of(BlockKind::Lines, lines.join("\n")), end)
}

/// The numbers of a list's items (HTML, 4.4.5 and 4.4.8).
struct Numbers {
    next: i64,
    step: i64,
}

impl Numbers {
    fn of(kept: &ContentFilter<'_>, id: Id) -> Option<Self> {
        if kept.tree.tag(id) != Some(Tag::Ol) {
            return None;
        }
        let mut items = 0;
        let reversed = kept.tree.attr(id, Attr::Reversed).is_some();
        if reversed {
            collect(kept, id, &mut |item| items += i64::from(kept.tree.tag(item) == Some(Tag::Li)));
        }
        let first = if reversed { items } else { 1 };
        Some(Self { next: integer(kept, id, Attr::Start).unwrap_or(first), step: if reversed { -1 } else { 1 } })
    }

    fn next(&mut self, kept: &ContentFilter<'_>, item: Id) -> i64 {
        let number = integer(kept, item, Attr::Value).unwrap_or(self.next);
        self.next = number.saturating_add(self.step);
        number
    }
}

fn integer(kept: &ContentFilter<'_>, id: Id, name: Attr) -> Option<i64> {
    kept.tree.attr(id, name).and_then(|value| value.trim().parse().ok())
}

fn is_list(kept: &ContentFilter<'_>, id: Id) -> bool {
    matches!(kept.tree.tag(id), Some(Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir))
}

/// Calls `with` for each item of a list; an element around items is none itself.
fn collect(kept: &ContentFilter<'_>, id: Id, with: &mut impl FnMut(Id)) {
    for child in kept.children(id) {
        let holds_items = || kept.children(child).any(|below| kept.tree.tag(below) == Some(Tag::Li));
        if kept.tree.tag(child) != Some(Tag::Li) && !is_list(kept, child) && holds_items() {
            collect(kept, child, with);
        } else {
            with(child);
        }
    }
}

/// The blocks of one item or cell as one text without a blank line, unless Markdown needs it there.
pub(super) fn join(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut before: Option<BlockKind> = None;
    for block in blocks {
        out.push_str(match (before, block.kind) {
            (None, _) => "",
            (Some(BlockKind::Prose | BlockKind::Image), BlockKind::Image) => "\n",
            (Some(BlockKind::Prose), BlockKind::Prose) => "\\\n",
            (Some(BlockKind::Prose), BlockKind::Lines | BlockKind::Code) if interrupts(&block.text) => "\n",
            (Some(BlockKind::Code), _) => "\n",
            _ => "\n\n",
        });
        out.push_str(&block.text);
        before = Some(block.kind);
    }
    out
}

/// Whether a block may follow a paragraph without a blank line: a list only from number 1 (CommonMark 0.31, 5.2).
fn interrupts(text: &str) -> bool {
    text.starts_with(['-', '*', '>', '`']) || text.starts_with("1. ") || text.starts_with("1) ")
}

fn item_lines(kept: &ContentFilter<'_>, mark: &str, text: &str) -> String {
    let mut out = String::new();
    for (at, line) in text.lines().enumerate() {
        if at == 0 {
            out.push_str(mark);
        } else {
            out.push('\n');
            if !line.is_empty() && kept.within_budget(mark.len()) {
                out.push_str(&" ".repeat(mark.len()));
            }
        }
        out.push_str(line);
    }
    out
}

/// Links within the page (a table of contents), or if `drops_links` links and nothing else that no text leads to.
pub(super) fn is_directory(kept: &ContentFilter<'_>, id: Id, drops_links: bool) -> bool {
    let facts = kept.facts(id);
    let rest = facts.chars - facts.link_chars;
    let is_contents = || rest <= facts.links * MAX_NUMBER_CHARS && all_local(kept, id);
    let leads_away = drops_links && facts.links >= DIRECTORY_LINKS && rest * 10 <= facts.chars;
    facts.links >= 2 && (is_contents() || (leads_away && !has_introduction(kept, id)))
}

fn all_local(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.children(id).all(|child| {
        let local = kept.tree.attr(child, Attr::Href).is_none_or(|href| href.starts_with('#'));
        local && all_local(kept, child)
    })
}

/// Whether a paragraph is right before the list, or the list is part of another's item.
fn has_introduction(kept: &ContentFilter<'_>, id: Id) -> bool {
    let Some(parent) = kept.tree.parent(id) else { return false };
    if kept.tree.tag(parent) == Some(Tag::Li) {
        return true;
    }
    let mut nearest = kept.tree.before(id).take(MAX_LOOKBACK);
    let before = nearest.find(|sibling| kept.is(*sibling) && kept.facts(*sibling).chars > 0);
    before.is_some_and(|before| match kept.tree.tag(before) {
        None | Some(Tag::P) => true,
        Some(Tag::Div) => kept.facts(before).link_chars == 0 && !kept.facts(before).has_heading,
        Some(_) => false,
    })
}
