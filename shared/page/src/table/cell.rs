//! The content of a cell on one line.

use super::super::block::{Block, BlockKind};

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
            (Some(_), _) => code(line),
            (None, _) if holds_table && line.starts_with('|') => row(line),
            (None, _) => text(line, is_last).to_owned(),
        };
        add(&mut out, &part);
    }
    out
}

/// The text without the marks that make all of it bold.
pub(super) fn without_bold(text: &str) -> &str {
    let inner = text.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    inner.filter(|inner| !inner.is_empty() && !inner.contains("**") && !ends_in_backslash(inner)).unwrap_or(text)
}

/// The text in bold, unless its own marks would end that.
pub(super) fn with_bold(text: &str) -> String {
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
pub(super) fn ends_in_punctuation(text: &str) -> bool {
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

/// A line of a listing as a code span.
fn code(line: &str) -> String {
    let runs = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    if runs == 0 {
        return format!("`{line}`");
    }
    let mark = "`".repeat(runs + 1);
    format!("{mark} {line} {mark}")
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
