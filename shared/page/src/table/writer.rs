//! Writes the rows of a table: as a grid, or as a list of names and values. Finds the rows that name its columns, and makes
//! the content of a cell one line.

use super::model::{CELL_BYTES, Cell, MAX_HEAD_ROWS, Model, Part, Row};
use crate::block::{Block, BlockKind};
use crate::content_filter::ContentFilter;
use crate::marks::code_span;
use crate::tree::Attr;

/// A longer cell, in bytes, is not repeated in what it spans: it is a text, and says nothing of one row.
const MAX_REPEATED_BYTES: usize = 400;
/// A longer cell that spans a row, in characters, is a text and no heading of rows.
const MAX_SECTION_CHARS: usize = 100;
/// Between a heading and what it stands above.
const BELOW: &str = " › ";

/// Writes rows; the text of each cell is free once, and repeated within the budget.
pub(super) struct Writer<'a> {
    kept: &'a ContentFilter<'a>,
    model: &'a Model,
    texts: &'a [Text],
    told: Vec<bool>,
    /// The blocks above the rows, and below.
    pub(super) before: Vec<Block>,
    pub(super) after: Vec<Block>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(kept: &'a ContentFilter<'a>, model: &'a Model, texts: &'a [Text]) -> Self {
        Self { kept, model, texts, told: vec![false; texts.len()], before: Vec::new(), after: Vec::new() }
    }

    pub(super) fn line(&self, cell: usize) -> &'a str {
        self.texts.get(cell).map_or("", |text| &text.line)
    }

    /// The text of a cell, or none if it was told and may not be repeated.
    fn tell(&mut self, cell: usize) -> &'a str {
        let text = self.line(cell);
        let was_told = self.told.get_mut(cell).is_none_or(|told| std::mem::replace(told, true));
        let may_repeat = || text.len() <= MAX_REPEATED_BYTES && self.kept.within_budget(text.len() + BELOW.len());
        if !was_told || may_repeat() { text } else { "" }
    }

    fn rows(&self) -> &'a [Row] {
        &self.model.rows
    }

    /// The cell that is all that its row says, if it spans the row or heads a group.
    fn spanning(&self, row: &Row) -> Option<usize> {
        let mut telling = row.slots.iter().flatten().filter(|cell| !self.line(**cell).is_empty());
        let only = *telling.next()?;
        let covered = 1 + telling.clone().count();
        let cell = self.model.cells.get(only)?;
        let begins = row.own.contains(&only) && row.slots.first() == Some(&Some(only));
        let heads_rows = || cell.is_head && (row.slots.len() == 1 || self.is_of_group(only));
        let spans = covered > 1 || (row.part != Part::Head && heads_rows());
        (begins && spans && telling.all(|cell| *cell == only)).then_some(only)
    }

    /// Whether a cell heads all rows of its group (HTML, 4.9.10, `scope`).
    fn is_of_group(&self, cell: usize) -> bool {
        let scope = self.model.cells.get(cell).and_then(|cell| self.kept.tree.attr(cell.id, Attr::Scope));
        matches!(scope, Some("rowgroup" | "colgroup"))
    }

    /// Whether a cell that spans its row is a text, and not what the rows below it are about.
    fn is_note(&self, cell: usize) -> bool {
        let Some(text) = self.texts.get(cell) else { return false };
        let is_sentence = ends_in_punctuation(&text.line) && !text.line.ends_with([':', '：', '?', '？']);
        is_sentence || text.line.chars().count() > MAX_SECTION_CHARS || text.markdown.trim().contains('\n')
    }

    /// The cell that spans the table above its rows.
    fn title(&self, cell: usize) -> Option<Block> {
        if self.is_note(cell) { note(self.texts, cell) } else { bold(self.line(cell)) }
    }

    /// The rows under the first `heads`, which name the columns.
    pub(super) fn body(&mut self, heads: usize) -> Option<Block> {
        let head = self.head(heads);
        let rows = self.rows().get(heads..).unwrap_or_default();
        let is_data = |row: &Row| self.spanning(row).is_none();
        let end = rows.iter().rposition(is_data).map_or(0, |last| last + 1);
        // Without a head, what stands above all rows is the table's title, unless the table is divided further below.
        let titles = rows.iter().position(is_data).filter(|first| heads == 0 && !self.is_divided(rows, *first, end));
        let mut section = Section::default();
        let mut lines = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match self.spanning(row) {
                Some(cell) if titles.is_some_and(|titles| at < titles) => self.before.extend(self.title(cell)),
                Some(cell) if at >= end || row.part == Part::Foot || self.is_note(cell) => {
                    let notes = if heads == 0 && lines.is_empty() { &mut self.before } else { &mut self.after };
                    notes.extend(note(self.texts, cell));
                }
                Some(cell) => section.add(cell, self.is_of_group(cell).then_some(row.group)),
                None => {
                    if section.ends_before(row) {
                        self.after.extend(section.end().into_iter().filter_map(|cell| note(self.texts, cell)));
                    }
                    lines.push(self.row(row, &mut section));
                }
            }
        }
        if heads == 0 && self.is_key_value_table(&lines, rows) {
            return Block::of(BlockKind::Lines, self.key_value_list(&lines, rows));
        }
        grid(self.kept, head, lines, self.model.columns)
    }

    /// Whether a section begins between two of the rows.
    fn is_divided(&self, rows: &[Row], first: usize, end: usize) -> bool {
        let between = rows.get(first..end).unwrap_or_default();
        between.iter().any(|row| self.spanning(row).is_some_and(|cell| !self.is_note(cell)))
    }

    /// The name of each column: the cells above it, from the outermost.
    fn head(&mut self, heads: usize) -> Vec<String> {
        let mut head = vec![Vec::new(); self.model.columns];
        for row in self.rows().get(..heads).unwrap_or_default() {
            let is_named =
                |cell| self.model.cells.get(cell).is_some_and(|cell: &Cell| cell.is_head) && !self.is_note(cell);
            if let Some(title) = self.spanning(row).filter(|cell| row.part != Part::Head && !is_named(*cell)) {
                self.before.extend(self.title(title));
                continue;
            }
            for (names, slot) in head.iter_mut().zip(&row.slots) {
                let Some(cell) = *slot else { continue };
                let name = without_bold(self.line(cell));
                let is_new = |names: &[&str]| !names.iter().rev().take(MAX_HEAD_ROWS).any(|above| *above == name);
                if is_new(names) {
                    names.extend(Some(without_bold(self.tell(cell))).filter(|name| !name.is_empty()));
                }
            }
        }
        head.into_iter().map(|names| names.join(BELOW)).collect()
    }

    fn row(&mut self, row: &Row, section: &mut Section) -> Vec<String> {
        section.is_used = true;
        let above: Vec<&str> = section.cells.iter().map(|cell| without_bold(self.tell(*cell))).collect();
        let mut above: Vec<&str> = above.into_iter().filter(|text| !text.is_empty()).collect();
        let mut cells = Vec::with_capacity(row.slots.len());
        let mut left = None;
        for slot in &row.slots {
            // A text across several columns stands in the first of them.
            let is_told = left == *slot && slot.is_some_and(|cell| self.line(cell).len() > MAX_SECTION_CHARS);
            cells.push(slot.filter(|_| !is_told).map_or_else(String::new, |cell| self.tell(cell).to_owned()));
            left = *slot;
        }
        if let Some(first) = cells.first_mut().filter(|_| !above.is_empty()) {
            let own = std::mem::take(first);
            above.extend(Some(without_bold(&own)).filter(|own| !own.is_empty()));
            *first = above.join(BELOW);
        }
        cells
    }

    fn key_value_list(&self, lines: &[Vec<String>], rows: &[Row]) -> String {
        let rows = rows.iter().filter(|row| self.spanning(row).is_none());
        let item = |(cells, row): (&Vec<String>, &Row)| {
            let name = without_bold(cells.first()?).trim_end_matches([':', '：']).trim_end();
            let value = cells.get(1).map_or("", String::as_str);
            let steps = row.slots.get(1).copied().flatten().and_then(|cell| self.steps(cell, value));
            let value = steps.unwrap_or_else(|| value.to_owned());
            let between = if value.starts_with('\n') || value.is_empty() { "" } else { " " };
            Some(format!("- {}:{between}{value}", with_bold(name)))
        };
        lines.iter().zip(rows).filter_map(item).collect::<Vec<_>>().join("\n")
    }

    /// The blocks of a cell with steps, as the content of an item; none if the steps were told in another row.
    fn steps(&self, cell: usize, told: &str) -> Option<String> {
        let text = self.texts.get(cell).filter(|text| text.line == told)?;
        let is_step = |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        let indented = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
        let lines: Vec<String> = text.markdown.trim().lines().map(indented).collect();
        let has_steps = text.markdown.lines().filter(|line| is_step(line)).count() > 1;
        (has_steps && self.kept.within_budget(2 * lines.len() + 1)).then(|| format!("\n\n{}", lines.join("\n")))
    }

    /// Every row a name and what it says of one thing.
    fn is_key_value_table(&self, lines: &[Vec<String>], rows: &[Row]) -> bool {
        let is_name = |name: &String| {
            let is_sentence = name.ends_with(['.', '!', '。']) || name.chars().count() > MAX_SECTION_CHARS;
            !name.is_empty() && !is_sentence
        };
        let is_value = |row: &Row| {
            let value = row.slots.get(1).copied().flatten().and_then(|cell| self.model.cells.get(cell));
            value.is_none_or(|cell| !cell.is_head)
        };
        let named = lines.iter().all(|line| line.first().is_some_and(is_name));
        self.model.columns == 2
            && !lines.is_empty()
            && named
            && rows.iter().filter(|row| self.spanning(row).is_none()).all(is_value)
    }
}

/// A cell as a text of its own.
fn note(texts: &[Text], cell: usize) -> Option<Block> {
    Block::of(BlockKind::Lines, texts.get(cell)?.markdown.clone())
}

/// The subject of the rows that follow.
#[derive(Default)]
struct Section {
    cells: Vec<usize>,
    is_used: bool,
    /// The group that it ends with.
    group: Option<usize>,
}

impl Section {
    /// A heading right below another is part of it.
    fn add(&mut self, cell: usize, group: Option<usize>) {
        if self.is_used {
            self.cells.clear();
        }
        self.cells.push(cell);
        (self.is_used, self.group) = (false, group);
    }

    fn ends_before(&self, row: &Row) -> bool {
        row.part == Part::Foot || (self.is_used && self.group.is_some_and(|group| group != row.group))
    }

    /// Ends it; the cells that no row had are still to be told.
    fn end(&mut self) -> Vec<usize> {
        let cells = std::mem::take(&mut self.cells);
        if self.is_used { Vec::new() } else { cells }
    }
}

/// A row that is shorter than the head is Markdown too (GFM, 4.10), so rows are filled up only within the budget.
fn grid(kept: &ContentFilter<'_>, head: Vec<String>, rows: Vec<Vec<String>>, columns: usize) -> Option<Block> {
    if rows.is_empty() && head.iter().all(String::is_empty) {
        return None;
    }
    let line = |mut cells: Vec<String>| {
        if kept.within_budget(columns.saturating_sub(cells.len()) * CELL_BYTES) {
            cells.resize(columns, String::new());
        }
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines = vec![line(head), format!("|{}", " --- |".repeat(columns))];
    lines.extend(rows.into_iter().map(line));
    Block::of(BlockKind::Table, lines.join("\n"))
}

/// The number of rows above the first that is data. Rows that span the table count if such rows follow them.
pub(super) fn count_heads(writer: &Writer<'_>) -> usize {
    let rows = writer.rows();
    let above = rows.iter().take_while(|row| writer.spanning(row).is_some()).count();
    let rest = rows.get(above..).unwrap_or_default();
    let named = named_rows(writer, rest);
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
fn named_rows(writer: &Writer<'_>, rows: &[Row]) -> usize {
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

/// The text of a cell.
pub(super) struct Text {
    pub(super) markdown: String,
    pub(super) line: String,
}

/// The paragraphs, items and lines of a cell's Markdown, kept apart. `holds_table`: the cell has a table in it.
pub(super) fn one_line(markdown: &str, holds_table: bool) -> String {
    let mut out = String::new();
    let mut fence: Option<&str> = None;
    let mut lines = markdown.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let mark = line.get(..line.bytes().take_while(|b| *b == b'`').count()).filter(|mark| mark.len() >= 3);
        let is_last = lines.peek().is_none();
        let part = match (fence, mark) {
            (None, Some(mark)) if !line.trim_start_matches('`').contains('`') => {
                fence = Some(mark);
                continue;
            }
            (Some(open), Some(mark)) if mark.len() >= open.len() && mark == line => {
                fence = None;
                continue;
            }
            (Some(_), _) => code_span(line),
            (None, _) if holds_table && line.starts_with('|') => row(line),
            (None, _) => text(line, is_last).to_owned(),
        };
        add(&mut out, &part);
    }
    out
}

/// The text without the marks that make all of it bold.
fn without_bold(text: &str) -> &str {
    let inner = text.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    inner.filter(|inner| !inner.is_empty() && !inner.contains("**") && !ends_in_backslash(inner)).unwrap_or(text)
}

/// The text in bold, unless its own marks would end that.
fn with_bold(text: &str) -> String {
    if text.is_empty() || text.contains("**") || ends_in_backslash(text) {
        text.to_owned()
    } else {
        format!("**{text}**")
    }
}

/// A block in bold.
pub(super) fn bold(text: &str) -> Option<Block> {
    Block::of(BlockKind::Prose, with_bold(without_bold(text)))
}

/// Whether a mark after the text would be escaped.
fn ends_in_backslash(text: &str) -> bool {
    text.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}

/// Whether the text ends with punctuation, also within marks and quotes.
fn ends_in_punctuation(text: &str) -> bool {
    let text = text.trim_end_matches(['*', '_', '~', '`', '"', '\'', '”', '’', '»', '」']);
    text.ends_with(['.', ',', ';', ':', '!', '?', '…', '。', '，', '、', '；', '：', '！', '？', '؟', '،', '।'])
}

fn add(out: &mut String, part: &str) {
    if part.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push_str(if ends_in_punctuation(out) { " " } else { "; " });
    }
    out.push_str(part);
}

/// A line without the marks of a quotation, of an unordered list and of a hard break.
fn text(line: &str, is_last: bool) -> &str {
    let line = line.trim_start_matches("> ");
    let line = line.strip_prefix("- ").map_or(line, str::trim_start);
    if ends_in_backslash(line) && !is_last { line.strip_suffix('\\').unwrap_or(line).trim_end() } else { line }
}

/// A row of a table in the cell: its cells with commas between them.
fn row(line: &str) -> String {
    let inner = line.trim_matches('|');
    if inner.bytes().all(|b| matches!(b, b'-' | b':' | b'|' | b' ')) {
        return String::new();
    }
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for c in inner.chars() {
        match (c, cells.last_mut()) {
            ('|', Some(cell)) if is_escaped => {
                cell.pop();
                cell.push('|');
            }
            ('|', _) => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        is_escaped = c == '\\';
    }
    let cells: Vec<&str> = cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    cells.join(", ")
}
