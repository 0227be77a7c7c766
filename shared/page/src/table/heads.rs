//! Which rows of a table name its columns.

use super::Writer;
use super::cell::without_bold;
use super::model::{Part, Row};

/// The number of rows above the first that is data. Rows that span the table count if such rows follow them.
pub(super) fn count(writer: &Writer<'_>) -> usize {
    let rows = writer.rows();
    let spanning = |row: &&Row| row.part != Part::Head && writer.spanning(row).is_some();
    let above = rows.iter().take_while(spanning).count();
    let rest = rows.get(above..).unwrap_or_default();
    let named = named(writer, rest);
    if named > 0 {
        return above + named;
    }
    let Some((first, others)) = rest.split_first() else { return 0 };
    let mut others = others.iter().filter(|row| writer.spanning(row).is_none()).peekable();
    if has_head_cell(writer, first) || others.peek().is_none() {
        return 0;
    }
    let others: Vec<&Row> = others.collect();
    if others.iter().any(|row| has_head_cell(writer, row)) {
        // A row without any above rows that each have a name.
        return if others.iter().all(|row| has_head_cell(writer, row)) { above + 1 } else { 0 };
    }
    let is_divided = above > 0 && rest.iter().any(|row| writer.spanning(row).is_some());
    if !is_bold(writer, first) && (is_divided || is_data(writer, first, &others)) {
        return 0;
    }
    above + 1 + usize::from(others.first().is_some_and(|second| is_continued(first, second)))
}

/// Rows of a `thead`, and rows all of whose cells are `th`.
fn named(writer: &Writer<'_>, rows: &[Row]) -> usize {
    let Some(first) = rows.first() else { return 0 };
    let by_cells = has_head_cell(writer, first);
    let is_named = |row: &&Row| match row.part {
        // A `thead` that is not closed holds the data too.
        Part::Head => has_head_cell(writer, row) == by_cells,
        _ => by_cells && writer.spanning(row).is_none() && is_all_heads(writer, row),
    };
    let named = rows.iter().take_while(is_named).count();
    // Somebody writes every cell so.
    if named == rows.len() && named > 2 { 1 } else { named }
}

/// Whether every cell is a `th`, but for the empty corner.
fn is_all_heads(writer: &Writer<'_>, row: &Row) -> bool {
    let is_head = |cell: usize| writer.model.cells.get(cell).is_some_and(|cell| cell.is_head);
    let is_corner = |at, cell| at == 0 && writer.line(cell).is_empty() && row.slots.len() > 1;
    row.slots.iter().enumerate().all(|(at, slot)| slot.is_none_or(|cell| is_head(cell) || is_corner(at, cell)))
}

fn has_head_cell(writer: &Writer<'_>, row: &Row) -> bool {
    row.slots.iter().flatten().any(|cell| writer.model.cells.get(*cell).is_some_and(|cell| cell.is_head))
}

/// Whether the row below belongs to the head: a cell spans both, and another several columns.
fn is_continued(first: &Row, second: &Row) -> bool {
    let spans_rows = second.slots.iter().any(|slot| slot.is_some_and(|cell| first.own.contains(&cell)));
    spans_rows && first.slots.len() > first.own.len()
}

fn is_bold(writer: &Writer<'_>, row: &Row) -> bool {
    let mut lines = row.slots.iter().flatten().map(|cell| writer.line(*cell)).filter(|line| !line.is_empty());
    lines.all(|line| without_bold(line) != line)
}

/// Whether the first row of a table of two columns without heads is a name and a value, as the others are.
fn is_data(writer: &Writer<'_>, first: &Row, others: &[&Row]) -> bool {
    let line = |row: &Row, at: usize| row.slots.get(at).copied().flatten().map_or("", |cell| writer.line(cell));
    let (name, value) = (line(first, 0), line(first, 1));
    let is_name = name.ends_with([':', '：']) || without_bold(name) != name;
    let names_alike =
        || others.iter().all(|row| (without_bold(line(row, 0)) != line(row, 0)) == (without_bold(name) != name));
    writer.model.columns == 2 && !name.is_empty() && ((is_name && names_alike()) || is_value(value))
}

/// A number, an address or a sentence: nothing that names a column.
fn is_value(line: &str) -> bool {
    let is_long = line.chars().count() > 60 || line.ends_with(['.', '!', '。']);
    is_long || line.contains(['@']) || line.contains("](") || line.chars().any(char::is_numeric)
}
