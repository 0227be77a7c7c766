//! The parts of a line: the white space and the list marker at its start; small marks inside it (attribute lists, icons,
//! keys); and the text of a label.

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

/// A longer attribute list is text, in bytes.
const MAX_BYTES: usize = 300;
/// The sets of icons of MkDocs.
const ICONS: [&str; 8] = ["material-", "fontawesome-", "octicons-", "simple-", "lucide-", "fa-", "custom-", "iconoir-"];

/// The length of an attribute list at the start of the text: `{.note}`, `{#id}`, `{: .note}`, `{ width="300" }`.
/// Attached to a link, an image or code, it may hold less clear ones: `{width=300}`.
pub(super) fn attribute_list(text: &str, attached: bool, alone: bool) -> Option<usize> {
    let inner = text.strip_prefix('{')?;
    let inner = head(inner, MAX_BYTES);
    let inner = head(inner, inner.find(['}', '\n', '{'])?);
    let len = inner.len() + 2;
    if tail(text, len - 1).starts_with('}') && is_list(inner, attached, alone) { Some(len) } else { None }
}

fn is_list(inner: &str, attached: bool, alone: bool) -> bool {
    if let Some(kramdown) = inner.strip_prefix(':') {
        let words = kramdown.trim();
        return words.is_empty()
            || words == "toc"
            || words.starts_with([':', '/'])
            || tokens(words).all(|token| is_clear(token) || attached || alone);
    }
    let mut tokens = tokens(inner).peekable();
    let Some(first) = tokens.peek().copied() else { return false };
    (is_clear(first) || (attached && first.contains('='))) && tokens.all(|token| is_clear(token) || token.contains('='))
}

/// Words, of which a quoted value is a part.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let split = move |c: char| {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c.is_whitespace()
    };
    text.split(split).filter(|token| !token.is_empty())
}

fn is_clear(token: &str) -> bool {
    let letter = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '-');
    let named =
        || token.split_once('=').is_some_and(|(name, value)| letter(name) && value.starts_with(['"', '\'', '\\']));
    token.strip_prefix(['.', '#']).is_some_and(letter) || named() || token.starts_with("data-")
}

/// The length and the text of an icon at the start of the text: a check or a cross in a table means yes or no.
pub(super) fn icon(text: &str, in_table: bool) -> Option<(usize, &'static str)> {
    let inner = head(text.strip_prefix(':')?, 80);
    let name = head(inner, inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))?);
    if !ICONS.iter().any(|set| name.starts_with(set)) || !tail(inner, name.len()).starts_with(':') {
        return None;
    }
    let has = |word| in_table && name.split('-').any(|part| part == word);
    let shown = if has("check") {
        "✓"
    } else if has("close") {
        "✗"
    } else {
        ""
    };
    Some((name.len() + 2, shown))
}

/// The length and the text of `++ctrl+c++` at the start of the text.
pub(super) fn keys(text: &str) -> Option<(usize, String)> {
    let inner = head(text.strip_prefix("++")?, 80);
    let inner = head(inner, inner.find("++")?);
    let key = |key: &str| {
        let name = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        name.is_some()
            || (!key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
    };
    if !inner.split('+').all(key) {
        return None;
    }
    let shown: Vec<String> = inner.split('+').map(|key| title_case(key.trim_matches('"'))).collect();
    Some((inner.len() + 4, shown.join("+")))
}

fn title_case(name: &str) -> String {
    name.split('-').map(first_upper).collect::<Vec<_>>().join(" ")
}

fn first_upper(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// The kind of a hint as a title: `NOTE` and `note` are `Note`.
pub(super) fn capitalised(kind: &str) -> String {
    first_upper(&kind.to_lowercase().replace(['-', '_'], " "))
}

pub(super) fn without_icons(label: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    while let Some(c) = tail(label, at).chars().next() {
        let icon = icon(tail(label, at), false);
        if icon.is_none() {
            out.push(c);
        }
        at += icon.map_or(c.len_utf8(), |(length, _)| length);
    }
    out
}

/// A label without icons and marks of emphasis and code.
pub(super) fn plain(label: &str) -> String {
    without_icons(label).replace("**", "").replace('`', "").trim().to_owned()
}

/// A label as text of HTML.
pub(super) fn escaped(label: &str) -> String {
    let label = plain(label);
    let mut out = String::with_capacity(label.len());
    for (at, c) in label.char_indices() {
        match c {
            '&' if is_reference(tail(&label, at + 1)) => out.push('&'),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

fn is_reference(text: &str) -> bool {
    let name = head(text, 10);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or_default();
    end > 1 && tail(name, end).starts_with(';')
}
