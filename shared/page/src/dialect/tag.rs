//! Finds one directive: `<Card …>`, `{% tab … %}`, `{{< tab … >}}`.

use super::line::{head, tail};

/// A longer tag is text, in bytes.
const MAX_TAG_BYTES: usize = 16 * 1024;
/// A longer tag between braces is text, in bytes.
const MAX_BRACES_BYTES: usize = 4_000;
/// The most braces around an expression.
const MAX_BRACES: usize = 20;

/// The way in which a directive is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Syntax {
    /// `<Card>`.
    Component,
    /// `<div>`.
    Element,
    /// `{% tab %}`.
    Liquid,
    /// `{{< tab >}}` and `{{% tab %}}`.
    Shortcode,
    /// `:::note` or `/// note`, with the number of these characters.
    Fence(u8, usize),
    /// `!!! note`: ends with its indentation.
    Indented,
}

/// The place of a tag at its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Open,
    Close,
    Void,
}

/// A directive as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Directive<'t> {
    pub(super) syntax: Syntax,
    pub(super) form: Form,
    pub(super) name: &'t str,
    /// All behind the name.
    pub(super) arguments: &'t str,
    /// In bytes.
    pub(super) len: usize,
}

/// The tag of a component or an element at the start of the text.
pub(super) fn element(text: &str) -> Option<Directive<'_>> {
    let inner = text.strip_prefix('<')?;
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let name = head(inner, inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || b".-_".contains(b)).count());
    let first = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = tail(inner, name.len());
    if !rest.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') {
        return None;
    }
    let arguments = head(rest, tag_end(rest)?);
    let void = arguments.ends_with('/');
    let syntax = if first.is_ascii_uppercase() { Syntax::Component } else { Syntax::Element };
    let form = form(closes, void);
    let len = text.len() - rest.len() + arguments.len() + 1;
    Some(Directive { syntax, form, name, arguments: arguments.trim_end_matches('/').trim(), len })
}

fn form(closes: bool, void: bool) -> Form {
    match (closes, void) {
        (true, _) => Form::Close,
        (false, true) => Form::Void,
        (false, false) => Form::Open,
    }
}

/// Where `>` ends a tag. Quotations and braces may hold one.
fn tag_end(text: &str) -> Option<usize> {
    let text = head(text, MAX_TAG_BYTES);
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += match bytes.get(at)? {
            b'>' => return Some(at),
            b'<' => return None,
            b'\n' if tail(text, at + 1).trim_start_matches([' ', '\t', '\r']).starts_with('\n') => return None,
            b'{' => braces(tail(text, at))?,
            quote @ (b'"' | b'\'') => tail(text, at + 1).find(char::from(*quote))? + 2,
            _ => 1,
        };
    }
}

/// The length of what stands in braces at the start of the text, with them. Strings may hold braces.
pub(super) fn braces(text: &str) -> Option<usize> {
    let bytes = head(text, MAX_TAG_BYTES).as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match bytes.get(at)? {
            b'{' if depth == MAX_BRACES => return None,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            quote @ (b'"' | b'\'' | b'`') => at += string(bytes, at, *quote),
            _ => {}
        }
        at += 1;
    }
}

/// The length of a string without its first quotation mark, or 0: an apostrophe in text opens none.
pub(super) fn string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let inner = bytes.iter().skip(at + 1);
    let mut inner = inner.take_while(|b| quote == b'`' || **b != b'\n');
    inner.position(|b| *b == quote).map_or(0, |length| length + 1)
}

/// `{% name … %}` at the start of the text.
pub(super) fn liquid(text: &str) -> Option<Directive<'_>> {
    let inner = between(text, "{%", "%}")?;
    let len = inner.len() + 4;
    let inner = inner.trim_matches('-').trim();
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let (name, arguments) = named(inner)?;
    let end = name.strip_prefix("end").filter(|name| !name.is_empty());
    let form = form(closes || end.is_some(), arguments.ends_with('/'));
    let arguments = arguments.trim_end_matches('/');
    Some(Directive { syntax: Syntax::Liquid, form, name: end.unwrap_or(name), arguments, len })
}

/// `{{< name … >}}` or `{{% name … %}}` at the start of the text.
pub(super) fn shortcode(text: &str) -> Option<Directive<'_>> {
    let inner = between(text, "{{<", ">}}").or_else(|| between(text, "{{%", "%}}"))?;
    let len = inner.len() + 6;
    let inner = inner.trim();
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner.trim_start()));
    let (name, arguments) = named(inner)?;
    let form = form(closes, arguments.ends_with('/'));
    Some(Directive { syntax: Syntax::Shortcode, form, name, arguments: arguments.trim_end_matches('/'), len })
}

/// The text between two marks; another opening mark before the end makes it none.
pub(super) fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let inner = head(text.strip_prefix(open)?, MAX_BRACES_BYTES);
    let inner = head(inner, inner.find(open).unwrap_or(inner.len()));
    Some(head(inner, inner.find(close)?))
}

fn named(inner: &str) -> Option<(&str, &str)> {
    let end = inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"-_./".contains(b)).count();
    let name = head(inner, end).trim_end_matches('/');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then(|| (name, tail(inner, name.len()).trim()))
}
