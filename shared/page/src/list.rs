//! Lists: one item a line, and content of an item indented under it.

use super::content_filter::ContentFilter;
use super::names::{Attr, Tag};
use super::tree::Id;

/// A list with this many links and nothing else is navigation, not text.
const DIRECTORY_LINKS: usize = 4;
/// The text that introduces a list is among this many nodes before it.
const MAX_LOOKBACK: usize = 20;

/// The list's lines; `text_of` is the text of an item. Empty where the list only leads to other pages.
pub(super) fn render(kept: &ContentFilter<'_>, id: Id, tag: Tag, text_of: impl Fn(Id) -> String) -> String {
    if is_directory(kept, id) {
        return String::new();
    }
    let start = kept.tree.attr(id, Attr::Start).and_then(|start| start.parse::<u32>().ok()).unwrap_or(1);
    let mut lines = Vec::new();
    let mut number = start;
    for item in kept.children(id) {
        let text = text_of(item);
        if text.trim().is_empty() {
            continue;
        }
        let mark = if tag == Tag::Ol { format!("{number}. ") } else { "- ".to_owned() };
        number = number.saturating_add(1);
        lines.push(item_lines(kept, &mark, &text));
    }
    lines.join("\n")
}

fn item_lines(kept: &ContentFilter<'_>, mark: &str, text: &str) -> String {
    let mut out = String::new();
    // Blank lines inside an item would end the list for a splitter.
    for (at, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        if at > 0 {
            out.push('\n');
            if kept.within_budget(mark.len()) {
                out.push_str(&" ".repeat(mark.len()));
            }
        } else {
            out.push_str(mark);
        }
        out.push_str(line);
    }
    out
}

/// Links within the page (a table of contents), or links and nothing else that no text leads to.
fn is_directory(kept: &ContentFilter<'_>, id: Id) -> bool {
    let facts = kept.facts(id);
    if facts.links < 2 || facts.link_chars * 10 < facts.chars * 9 {
        return false;
    }
    all_local(kept, id) || (facts.links >= DIRECTORY_LINKS && !has_introduction(kept, id))
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
