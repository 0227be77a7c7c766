//! Finds the rows of a table that name its columns.

use super::cell::without_bold;
use super::model::{MAX_HEAD_ROWS, Part, Row};
use super::writer::Writer;

/// The number of rows above the first that is data. Rows that span the table count if such rows follow them.
pub(super) fn count(writer: &Writer<'_>) -> usize {
    let rows = writer.rows();
    let above = rows.iter().take_while(|row| writer.spanning(row).is_some()).count();
    let rest = rows.get(above..).unwrap_or_default();
    let named = named(writer, rest);
    // A row that stands above rows and again between them is no title.
    let is_divided = above > 0
        && rest.iter().any(|row| writer.spanning(row).is_some())
        && !rest.first().is_some_and(|first| is_bold(writer, first));
    match named {
        0 if is_divided => 0,
        0 => unnamed(writer, rest).map_or(0, |heads| above + heads),
        named => above + named,
    }
}

/// The head of rows that are not written as one: the first, unless it is data as the others are.
fn unnamed(writer: &Writer<'_>, rows: &[Row]) -> Option<usize> {
    let (first, others) = rows.split_first()?;
    let others: Vec<&Row> = others.iter().filter(|row| writer.spanning(row).is_none()).collect();
    let second = others.first().filter(|_| !has_head_cell(writer, first))?;
    if others.iter().any(|row| has_head_cell(writer, row)) {
        // A row without any above rows that each have a name.
        return others.iter().all(|row| has_head_cell(writer, row)).then_some(1);
    }
    if !is_bold(writer, first) && is_data(writer, first, &others) {
        return None;
    }
    let spans_rows = second.slots.iter().flatten().any(|cell| first.own.contains(cell));
    let spans_columns = first.slots.len() > first.own.len();
    match (spans_rows, spans_columns) {
        (true, true) => Some(2),
        // A name of the rows beside it, and of no column.
        (true, false) => None,
        (false, _) => (!spans_columns || is_bold(writer, first)).then_some(1),
    }
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
    if (named == rows.len() && named > 2) || named > MAX_HEAD_ROWS { 1 } else { named }
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

fn is_bold(writer: &Writer<'_>, row: &Row) -> bool {
    let mut lines = row.slots.iter().flatten().map(|cell| writer.line(*cell)).filter(|line| !line.is_empty());
    lines.all(|line| without_bold(line) != line)
}

/// Whether the first row of a table without heads is what the others are: a name and a value, or a numbered row.
fn is_data(writer: &Writer<'_>, first: &Row, others: &[&Row]) -> bool {
    let line = |row: &Row, at: usize| row.slots.get(at).copied().flatten().map_or("", |cell| writer.line(cell));
    let (name, value) = (line(first, 0), line(first, 1));
    let is_name = name.ends_with([':', '：']) || without_bold(name) != name;
    let names_alike =
        || others.iter().all(|row| (without_bold(line(row, 0)) != line(row, 0)) == (without_bold(name) != name));
    let is_pair = writer.model.columns == 2
        && !name.is_empty()
        && ((is_name && names_alike()) || value.is_empty() || is_value(value));
    let is_number = |row: &Row| line(row, 0).starts_with(char::is_numeric);
    is_pair || (is_number(first) && others.iter().all(|row| is_number(row)))
}

/// A number, an address or a sentence: nothing that names a column.
fn is_value(line: &str) -> bool {
    let is_long = line.chars().count() > 60 || line.ends_with(['.', '!', '。']);
    let has_parts = line.contains(". ") || line.contains("; ");
    is_long || has_parts || line.contains('@') || line.contains("](") || line.chars().any(char::is_numeric)
}
