//! The HTML table model (HTML, 4.9.12): which cell covers which slot of the grid; and tables that lay out a page, which are no
//! tables to a reader.

use std::ops::Range;

use crate::content_filter::{ContentFilter, icon_text};
use crate::tree::{Attr, Id, Tag};

/// More rows do not name columns.
pub(super) const MAX_HEAD_ROWS: usize = 6;
/// So many columns one cell spans at the most, and in so many a cell spans rows.
const MAX_COLUMNS: usize = 40;
/// The bytes that a cell adds to its row besides its text.
pub(super) const CELL_BYTES: usize = " | ".len();

/// The grid of a table.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) cells: Vec<Cell>,
    /// As a browser shows them: the head first, the foot last.
    pub(super) rows: Vec<Row>,
    pub(super) columns: usize,
}

#[derive(Debug)]
pub(super) struct Cell {
    pub(super) id: Id,
    pub(super) is_head: bool,
    pub(super) column: usize,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) part: Part,
    /// The number of its `thead`, `tbody` or `tfoot`.
    pub(super) group: usize,
    /// The cell of each column; none in a gap.
    pub(super) slots: Vec<Option<usize>>,
    /// The cells that begin here.
    pub(super) own: Range<usize>,
}

/// The kind of a group of rows, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Head,
    Body,
    Foot,
}

/// A cell that covers rows below its own.
#[derive(Debug, Clone, Copy)]
struct Span {
    cell: usize,
    rows_left: usize,
}

impl Model {
    pub(super) fn of(kept: &ContentFilter<'_>, id: Id) -> Self {
        let mut model = Self::default();
        for (group, (part, rows)) in groups(kept, id).into_iter().enumerate() {
            // A cell does not span more than its group.
            let mut spans = Vec::new();
            for row in rows {
                model.add_row(kept, row, &mut spans);
                model.rows.last_mut().into_iter().for_each(|row| (row.part, row.group) = (part, group));
            }
        }
        model.drop_columns(kept);
        model
    }

    fn add_row(&mut self, kept: &ContentFilter<'_>, id: Id, spans: &mut Vec<Option<Span>>) {
        let mut slots = spanned_slots(kept, spans);
        let first = self.cells.len();
        let mut column = 0;
        for cell in kept.children(id) {
            let Some(tag @ (Tag::Td | Tag::Th)) = kept.tree.tag(cell) else { continue };
            while slots.get(column).is_some_and(Option::is_some) {
                column += 1;
            }
            let index = self.cells.len();
            self.cells.push(Cell { id: cell, is_head: tag == Tag::Th, column });
            let right = number(kept, cell, Attr::Colspan).unwrap_or(1).clamp(1, MAX_COLUMNS);
            // 0 is the rest of the group.
            let down = number(kept, cell, Attr::Rowspan).map_or(1, |rows| if rows == 0 { usize::MAX } else { rows });
            let start = column;
            while column < start + right && (column == start || kept.within_budget(CELL_BYTES)) {
                cover(&mut slots, column, index);
                if down > 1 && column < MAX_COLUMNS {
                    cover(spans, column, Span { cell: index, rows_left: down - 1 });
                }
                column += 1;
            }
        }
        self.rows.push(Row { part: Part::Body, group: 0, slots, own: first..self.cells.len() });
    }

    /// Drops the columns in which no cell begins (`colspan` in every row, or a number larger than the table), and those
    /// that only say how cards look (GitBook).
    fn drop_columns(&mut self, kept: &ContentFilter<'_>) {
        let width = self.rows.iter().map(|row| row.slots.len()).max().unwrap_or(0);
        let mut begins = vec![false; width];
        for cell in &self.cells {
            begins.get_mut(cell.column).into_iter().for_each(|begins| *begins = true);
        }
        for cell in self.cells.iter().filter(|cell| kept.tree.attr(cell.id, Attr::DataHidden).is_some()) {
            begins.get_mut(cell.column).into_iter().for_each(|begins| *begins = false);
        }
        for row in &mut self.rows {
            let mut keep = begins.iter();
            row.slots.retain(|_| keep.next().is_some_and(|keep| *keep));
        }
        self.columns = begins.iter().filter(|begins| **begins).count();
    }
}

/// The rows of each group. Rows outside a group are one, as if it were written.
fn groups(kept: &ContentFilter<'_>, id: Id) -> Vec<(Part, Vec<Id>)> {
    let mut groups: Vec<(Part, Vec<Id>)> = Vec::new();
    let mut is_open = false;
    for child in kept.children(id) {
        let part = match kept.tree.tag(child) {
            Some(Tag::Tr) => {
                if !std::mem::replace(&mut is_open, true) {
                    groups.push((Part::Body, Vec::new()));
                }
                groups.last_mut().into_iter().for_each(|(_, rows)| rows.push(child));
                continue;
            }
            Some(Tag::Thead) => Part::Head,
            Some(Tag::Tbody) => Part::Body,
            Some(Tag::Tfoot) => Part::Foot,
            _ => continue,
        };
        is_open = false;
        groups.push((part, kept.children(child).filter(|row| kept.tree.tag(*row) == Some(Tag::Tr)).collect()));
    }
    groups.sort_by_key(|(part, _)| *part);
    groups
}

/// A row as the cells above it leave it.
fn spanned_slots(kept: &ContentFilter<'_>, spans: &mut [Option<Span>]) -> Vec<Option<usize>> {
    let mut slots = Vec::new();
    for (column, place) in spans.iter_mut().enumerate() {
        let Some(span) = place.as_mut() else { continue };
        let cell = span.cell;
        span.rows_left -= 1;
        if span.rows_left == 0 {
            *place = None;
        }
        if kept.within_budget((column + 1 - slots.len()) * CELL_BYTES) {
            cover(&mut slots, column, cell);
        }
    }
    slots
}

/// Gives a free place to a cell; of two that overlap, the first has it.
fn cover<T: Clone>(places: &mut Vec<Option<T>>, column: usize, by: T) {
    if places.len() <= column {
        places.resize(column + 1, None);
    }
    if let Some(place) = places.get_mut(column) {
        place.get_or_insert(by);
    }
}

/// An attribute by the rules for non-negative integers (HTML, 2.3.4.2): what follows the digits does not count.
fn number(kept: &ContentFilter<'_>, id: Id, name: Attr) -> Option<usize> {
    let value = kept.tree.attr(id, name)?.trim_start();
    let value = value.strip_prefix('+').unwrap_or(value);
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    // At most four digits are needed, and all of them fit.
    value.get(..digits.min(9))?.parse().ok()
}

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
        let is_heading = kept.tree.is_heading(child) && kept.facts(child).chars < chars;
        is_heavy || is_heading || contains_blocks(kept, child, chars)
    })
}
