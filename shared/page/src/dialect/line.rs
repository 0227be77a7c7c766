//! The white space and the list marker at the start of a line.

use std::borrow::Cow;

/// The width of the white space at the start of a line; a tab ends at a multiple of four.
pub(super) fn columns(line: &str) -> usize {
    let mut width = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => width += 1,
            b'\t' => width += 4 - width % 4,
            _ => break,
        }
    }
    width
}

/// A line without some columns of its indentation.
pub(super) fn without_columns(line: &str, columns: usize) -> &str {
    let mut width = 0;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if width >= columns => return tail(line, at),
            b' ' => width += 1,
            b'\t' => width += 4 - width % 4,
            _ => return tail(line, at),
        }
    }
    ""
}

/// White space of so many columns.
pub(super) fn spaces(columns: usize) -> Cow<'static, str> {
    const SPACES: &str = "                                ";
    match SPACES.get(..columns) {
        Some(spaces) => Cow::Borrowed(spaces),
        None => Cow::Owned(" ".repeat(columns)),
    }
}

/// The marker of a list item or a definition with the spaces behind it; of a thematic break, none.
pub(super) fn marker(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let sign = tail(line, digits).chars().next().unwrap_or_default();
    let marks =
        if digits == 0 { matches!(sign, '-' | '*' | '+' | ':') } else { digits < 10 && matches!(sign, '.' | ')') };
    let rest = tail(line, digits + 1);
    let content = rest.trim_start_matches(' ');
    let gap = rest.len() - content.len();
    let is_break = digits == 0 && content.starts_with(sign) && line.chars().all(|c| c == sign || c.is_whitespace());
    if !marks || gap == 0 || content.trim().is_empty() || is_break {
        return "";
    }
    head(line, digits + 1 + if gap > 4 { 1 } else { gap })
}

/// The text from a byte on.
pub(super) fn tail(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The text up to a byte, or to the next character boundary before it.
pub(super) fn head(text: &str, end: usize) -> &str {
    text.get(..text.floor_char_boundary(end)).unwrap_or_default()
}
