//! Tables: one line for each row, with the header that names the columns.

use text::markdown::escape;

use super::block::{Block, BlockKind};
use super::content_filter::{ContentFilter, icon_text};
use super::inline::Line;
use super::names::{Attr, Tag};
use super::tree::Id;

/// So many columns are read.
const MAX_COLUMNS: usize = 40;
/// The most rows that a cell spans; a larger number counts as this.
const MAX_ROWSPAN: usize = 200;
/// A longer cell, in bytes, is not repeated in the rows that it spans: it is a text, and says nothing of one row.
const MAX_REPEATED_BYTES: usize = 400;
/// The bytes that a cell adds to its row besides its text.
const CELL_BYTES: usize = " | ".len();

struct Row {
    cells: Vec<String>,
    heads: usize,
    in_head: bool,
}

/// The table as Markdown; `text_of` is the text of a cell. `None` where the table only lays out a page, and its cells
/// are to be read one after the other.
pub(super) fn render(kept: &ContentFilter<'_>, id: Id, text_of: impl Fn(Id) -> String) -> Option<Block> {
    if is_layout_table(kept, id) {
        return None;
    }
    let caption = kept.children(id).find(|child| kept.tree.tag(*child) == Some(Tag::Caption));
    let caption = caption.map(|caption| escape(&Line::plain(kept, caption))).filter(|text| !text.is_empty());
    let mut rows = rows(kept, id, &text_of);
    rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    if columns < 2 {
        return None;
    }
    let body = if is_key_value_table(&rows) { key_value_list(&rows) } else { grid(kept, rows, columns) };
    let kind = if body.starts_with('|') && caption.is_none() { BlockKind::Table } else { BlockKind::Lines };
    Block::of(kind, caption.map_or(body.clone(), |caption| format!("**{caption}**\n\n{body}")))
}

fn is_layout_table(kept: &ContentFilter<'_>, id: Id) -> bool {
    let role = kept.tree.attr(id, Attr::Role);
    let holds = |kept: &ContentFilter<'_>, id: Id| kept.children(id).any(|child| contains_blocks(kept, child));
    matches!(role, Some("presentation" | "none")) || holds(kept, id)
}

/// A heading, a table, code: more than a cell of figures holds.
fn contains_blocks(kept: &ContentFilter<'_>, id: Id) -> bool {
    if !kept.facts(id).has_block && !matches!(kept.tree.tag(id), Some(Tag::Pre | Tag::Table)) {
        return false;
    }
    let tag = kept.tree.tag(id);
    let heavy = matches!(tag, Some(Tag::Table | Tag::Pre | Tag::Form | Tag::Details | Tag::Blockquote | Tag::Article));
    heavy || kept.children(id).any(|child| contains_blocks(kept, child))
}

fn rows(kept: &ContentFilter<'_>, id: Id, text_of: &impl Fn(Id) -> String) -> Vec<Row> {
    let mut rows = Vec::new();
    // Cells of earlier rows that span the present one: their text and the rows left, by column.
    let mut spans: Vec<Option<(String, usize)>> = Vec::new();
    let mut groups = Vec::new();
    for child in kept.children(id) {
        match kept.tree.tag(child) {
            Some(Tag::Tr) => groups.push((child, false)),
            Some(tag @ (Tag::Thead | Tag::Tbody | Tag::Tfoot)) => {
                let inner = kept.children(child).filter(|row| kept.tree.tag(*row) == Some(Tag::Tr));
                groups.extend(inner.map(|row| (row, tag == Tag::Thead)));
            }
            _ => {}
        }
    }
    for (row, in_head) in groups {
        rows.push(read_row(kept, row, in_head, &mut spans, text_of));
    }
    rows
}

fn read_row(
    kept: &ContentFilter<'_>,
    id: Id,
    in_head: bool,
    spans: &mut Vec<Option<(String, usize)>>,
    text_of: &impl Fn(Id) -> String,
) -> Row {
    let mut row = Row { cells: Vec::new(), heads: 0, in_head };
    for cell in kept.children(id) {
        let Some(tag @ (Tag::Td | Tag::Th)) = kept.tree.tag(cell) else { continue };
        fill(kept, &mut row, spans);
        let text = cell_text(kept, cell, text_of);
        row.heads += usize::from(tag == Tag::Th);
        let span = |name| kept.tree.attr(cell, name).and_then(|n| n.trim().parse::<usize>().ok()).unwrap_or(1).max(1);
        let down = span(Attr::Rowspan).min(MAX_ROWSPAN);
        for at in 0..span(Attr::Colspan).min(MAX_COLUMNS) {
            if row.cells.len() >= MAX_COLUMNS {
                break;
            }
            if at > 0 && !kept.within_budget(CELL_BYTES) {
                break;
            }
            let text = if at == 0 { text.clone() } else { String::new() };
            if down > 1 {
                spans.resize(spans.len().max(row.cells.len() + 1), None);
                if let Some(span) = spans.get_mut(row.cells.len()) {
                    let repeated = if text.len() <= MAX_REPEATED_BYTES { text.clone() } else { String::new() };
                    *span = Some((repeated, down - 1));
                }
            }
            row.cells.push(text);
        }
    }
    fill(kept, &mut row, spans);
    row
}

/// Repeats, in the columns that come next, what cells above span.
fn fill(kept: &ContentFilter<'_>, row: &mut Row, spans: &mut [Option<(String, usize)>]) {
    while let Some(span) = spans.get_mut(row.cells.len()) {
        let Some((text, left)) = span.take() else { return };
        if !kept.within_budget(text.len() + CELL_BYTES) {
            return;
        }
        if left > 1 {
            *span = Some((text.clone(), left - 1));
        }
        row.cells.push(text);
        if row.cells.len() >= MAX_COLUMNS {
            return;
        }
    }
}

fn cell_text(kept: &ContentFilter<'_>, id: Id, text_of: &impl Fn(Id) -> String) -> String {
    let lines: Vec<String> =
        text_of(id).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let text = lines.join("; ").replace('|', "\\|");
    if text.is_empty() { icon_text(kept.tree, id).map_or_else(String::new, |text| escape(&text)) } else { text }
}

/// Every row a name and what it says of one thing.
fn is_key_value_table(rows: &[Row]) -> bool {
    rows.len() > 1 && rows.iter().all(|row| row.heads == 1 && row.cells.len() == 2 && !row.in_head)
}

fn key_value_list(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let (name, value) = (row.cells.first()?, row.cells.get(1)?);
        Some(format!("- **{}**: {value}", name.trim_matches('*').trim_end_matches(':')))
    };
    rows.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// A row that is shorter than the header is Markdown too (GFM, 4.10), so rows are filled up only where that is
/// afforded.
fn grid(kept: &ContentFilter<'_>, mut rows: Vec<Row>, columns: usize) -> String {
    for (at, row) in rows.iter_mut().enumerate() {
        if at == 0 || kept.within_budget(columns.saturating_sub(row.cells.len()) * CELL_BYTES) {
            row.cells.resize(columns, String::new());
        }
    }
    let mut lines: Vec<String> = rows.iter().map(|row| format!("| {} |", row.cells.join(" | "))).collect();
    lines.insert(1.min(lines.len()), format!("|{}", " --- |".repeat(columns)));
    lines.join("\n")
}
