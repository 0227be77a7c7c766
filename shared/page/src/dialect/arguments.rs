//! The arguments of a directive: `title="…"`, `{…}`, words.

use super::line::{head, tail};
use super::tag;

/// Names with their values, and values without a name.
#[derive(Debug, Default)]
pub(super) struct Arguments<'t>(Vec<(&'t str, String)>);

impl<'t> Arguments<'t> {
    /// Reads what stands behind a directive's name.
    pub(super) fn of(text: &'t str) -> Self {
        let mut all = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let name =
                head(rest, rest.find(|c: char| c.is_whitespace() || "=\"'`{,".contains(c)).unwrap_or(rest.len()));
            let after = tail(rest, name.len());
            let (name, from) = match after.trim_start().strip_prefix('=') {
                Some(value) => (name, value.trim_start()),
                None if name.ends_with(':') => (name.trim_end_matches(':'), after.trim_start()),
                None if name.is_empty() => ("", rest),
                None => {
                    all.push(("", name.to_owned()));
                    ("", after)
                }
            };
            rest = from;
            if from.starts_with(['"', '\'', '`', '{']) || !name.is_empty() {
                let (value, length) = value(from);
                all.push((name, value));
                rest = tail(from, length);
            }
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",=}".contains(c));
        }
        Self(all)
    }

    /// The value of the first of `names` that has one.
    pub(super) fn get(&self, names: &[&str]) -> Option<&str> {
        let of = |name: &&str| self.0.iter().find(|(own, value)| own == name && !value.trim().is_empty());
        names.iter().find_map(of).map(|(_, value)| value.trim())
    }

    /// A value without a name, by its position among those.
    pub(super) fn word(&self, position: usize) -> Option<&str> {
        self.0.iter().filter(|(name, _)| name.is_empty()).nth(position).map(|(_, value)| value.as_str())
    }
}

/// A value, and its length in the text. An expression that is no string has none.
fn value(text: &str) -> (String, usize) {
    match text.chars().next() {
        Some('{') => {
            let length = tag::braces(text).unwrap_or(1);
            let inner = head(text, length).trim_matches(['{', '}']).trim();
            (literal(inner).unwrap_or_default(), length)
        }
        Some(quote @ ('"' | '\'' | '`')) => quoted(text, quote),
        _ => {
            let end = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
            (head(text, end).to_owned(), end)
        }
    }
}

fn quoted(text: &str, quote: char) -> (String, usize) {
    let mut out = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            c if c == quote && !escaped => return (one_line(&out), at + 1),
            '\\' if !escaped => escaped = true,
            c => {
                if escaped && c != quote {
                    out.push('\\');
                }
                escaped = false;
                out.push(c);
            }
        }
    }
    (one_line(&out), text.len())
}

fn one_line(text: &str) -> String {
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.to_owned() }
}

/// The text of a string of JavaScript without insertions.
pub(super) fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (value, length) = quoted(text, quote);
    (length == text.len() && length > 1 && !(quote == '`' && value.contains("${"))).then_some(value)
}
