//! JavaScript in MDX: statements and expressions.

use super::line::{head, tail};
use super::tag;

/// A longer import is text, in bytes.
const MAX_IMPORT_BYTES: usize = 2_000;
/// The most brackets around a place of a statement.
const MAX_BRACKETS: usize = 50;

/// The length of an `import` or `export` statement at the start of the text, up to the end of its last line.
pub(super) fn statement(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("import").or_else(|| text.strip_prefix("export"))?;
    if text.starts_with("import") {
        let length = import(rest)?;
        return Some("import".len() + length);
    }
    let words =
        ["default ", "const ", "let ", "var ", "function", "async ", "class ", "type ", "interface ", "{", "* "];
    let rest = rest.strip_prefix(' ')?.trim_start();
    let keyword = words.iter().find(|word| rest.starts_with(**word))?;
    let after = tail(rest, keyword.len()).trim_start();
    if *keyword == "default " && !after.starts_with(['(', '{', '[', '<']) && !after.contains(['(', ';', '=']) {
        return None;
    }
    statement_end(text)
}

/// The names that are imported, `from`, and a quoted source that ends the line.
fn import(text: &str) -> Option<usize> {
    let text = head(text, MAX_IMPORT_BYTES);
    let clause = head(text, text.find(['"', '\''])?);
    let is_name = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_$*{},".contains(c);
    let names = clause.trim_end().strip_suffix("from");
    let named = names.is_some_and(|names| {
        names.starts_with([' ', '{', '*']) && names.ends_with([' ', '\n', '}']) && !names.trim().is_empty()
    });
    if !(named || clause == " ") || !clause.chars().all(is_name) || clause.contains("\n\n") {
        return None;
    }
    let source = tail(text, clause.len());
    let quote = source.chars().next()?;
    let line = head(source, source.find('\n').unwrap_or(source.len()));
    let after = tail(line, tail(line, 1).find(quote)? + 2).trim();
    (after.is_empty() || after.starts_with([';', '/'])).then_some(clause.len() + line.len())
}

/// The end of the line at which no bracket is open and no operator waits for more.
fn statement_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    let mut last = b' ';
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'(' | b'[' | b'{' if depth == MAX_BRACKETS => return None,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' | b'`' => at += tag::string(bytes, at, byte),
            b'\n' if depth == 0 && (!b"=,(&|+?:".contains(&last) && last != b'>' || is_blank_next(text, at)) => {
                return Some(at);
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = if byte == b'>' && last != b'=' { b' ' } else { byte };
        }
        at += 1;
    }
    (depth == 0).then_some(text.len())
}

fn is_blank_next(text: &str, at: usize) -> bool {
    tail(text, at + 1).starts_with(['\n', '\r'])
}

/// Whether the content of braces is an expression for sure: a name alone or a number may be text.
pub(super) fn is_expression(inner: &str) -> bool {
    let inner = inner.trim();
    let operator = ["=>", "&&", "||", "(", "<", "`", " ? ", "...", "\"", "'"].iter().any(|mark| inner.contains(mark));
    let member = || {
        inner.contains('.')
            && inner.split('.').all(|part| part.starts_with(|c: char| c.is_alphabetic() || "_$".contains(c)))
            && inner.chars().all(|c| c.is_alphanumeric() || "._$[]?".contains(c))
    };
    operator || member()
}
