//! Tables that lay out a page, which are no tables to a reader.

use super::super::content_filter::{ContentFilter, icon_text};
use super::super::names::{Attr, Tag};
use super::super::tree::Id;
use super::model::{Cell, Model, Part, Row};

/// Blocks with more characters are a text and no cell.
const ARTICLE_CHARS: usize = 1_000;
/// A head that is longer names no column, in characters.
const MAX_HEAD_CHARS: usize = 200;

/// So many rows with so many cells each are no layout.
const MIN_GRID: usize = 3;

/// Whether the cells are to be read one after the other. It does not depend on what the cells are rendered as, so that
/// nothing is rendered twice.
pub(super) fn is_layout(kept: &ContentFilter<'_>, id: Id, model: &Model) -> bool {
    if model.columns < 2 {
        return true;
    }
    if has_heads(kept, id, model) {
        return false;
    }
    let says = |slot: &Option<usize>| slot.and_then(|cell| model.cells.get(cell)).is_some_and(|cell| says(kept, cell));
    let is_single = model.rows.iter().filter(|row| row.slots.iter().any(says)).count() < 2;
    // Names over a few words in most cells of a grid are no headings of a text.
    let is_short = |cell: &Cell| kept.facts(cell.id).chars <= MAX_HEAD_CHARS;
    let is_full = |row: &&Row| row.slots.iter().filter(|slot| says(slot)).count() >= MIN_GRID;
    let is_grid = model.rows.iter().filter(is_full).count() >= MIN_GRID && model.cells.iter().all(is_short);
    let is_text = |cell: &Cell| {
        let facts = kept.facts(cell.id);
        (facts.has_block && (is_single || facts.chars > ARTICLE_CHARS))
            || contains_blocks(kept, cell.id, if is_grid { 0 } else { facts.chars })
    };
    let is_whole_row = |row: &Row| row.own.len() == 1 && row.slots.len() == model.columns;
    let rows = model.rows.iter().filter(|row| is_single || !is_whole_row(row));
    rows.flat_map(|row| model.cells.get(row.own.clone()).unwrap_or_default()).any(is_text)
}

/// Whether the author calls anything a head.
fn has_heads(kept: &ContentFilter<'_>, id: Id, model: &Model) -> bool {
    let lays_out = matches!(kept.tree.attr(id, Attr::Role), Some("presentation" | "none"));
    let is_short = |cell: &Cell| (1..=MAX_HEAD_CHARS).contains(&kept.facts(cell.id).chars);
    let named = || model.cells.iter().any(|cell| cell.is_head && is_short(cell));
    let in_head = || model.rows.iter().any(|row| row.part == Part::Head);
    !lays_out && (named() || in_head())
}

fn says(kept: &ContentFilter<'_>, cell: &Cell) -> bool {
    kept.facts(cell.id).chars > 0 || icon_text(kept.tree, cell.id).is_some()
}

/// A heading above text, a table, code: more than a cell of figures holds. `chars` are those of the cell: a heading that
/// is all of it is a large label.
fn contains_blocks(kept: &ContentFilter<'_>, id: Id, chars: usize) -> bool {
    if !kept.facts(id).has_block {
        return false;
    }
    kept.children(id).any(|child| {
        let tag = kept.tree.tag(child);
        let is_heavy = matches!(tag, Some(Tag::Table | Tag::Pre | Tag::Form | Tag::Details | Tag::Article));
        let is_heading = tag.is_some_and(|tag| tag.heading_level().is_some()) && kept.facts(child).chars < chars;
        is_heavy || is_heading || contains_blocks(kept, child, chars)
    })
}
