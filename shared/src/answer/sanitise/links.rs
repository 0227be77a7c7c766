//! Links of an answer: web links that the passages hold stay links, everything else becomes text.
//!
//! A link that a model makes up is a way out for what the conversation holds (`https://evil.example/?q=…`), and an
//! image leaves without a click. Patterns are looked for at the end of what was already written, so that taking
//! something out never puts a new link together.

use std::collections::HashSet;

/// What renderers turn into a link without being asked.
const LINK_STARTS: [&str; 3] = ["https://", "http://", "www."];

/// Takes Markdown images out, with their text.
pub(super) fn without_images(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '[' && out.ends_with('!') {
            out.truncate(out.trim_end_matches('!').len());
            if let Some(len) = image_len(rest) {
                rest = rest.get(len..).unwrap_or_default();
                continue;
            }
        }
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// The bytes of `[text](target)`, `[text][name]` or `[text]`.
fn image_len(text: &str) -> Option<usize> {
    let label = balanced_len(text, '[', ']')?;
    let after = text.get(label..).unwrap_or_default();
    let target = balanced_len(after, '(', ')').or_else(|| balanced_len(after, '[', ']'));
    Some(label + target.unwrap_or(0))
}

/// The bytes up to the bracket that closes the one at the start.
fn balanced_len(text: &str, open: char, close: char) -> Option<usize> {
    if !text.starts_with(open) {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + c.len_utf8());
            }
        }
    }
    None
}

/// Leaves links to `known` addresses as they are; of the others the text stays.
///
/// Every change takes characters out or parts two of them for good, so this ends.
pub(super) fn known_only(text: &str, known: &HashSet<String>) -> String {
    let mut text = text.to_owned();
    loop {
        let next = Cleaner { out: String::with_capacity(text.len()), open: Vec::new(), closed: None, known }.run(&text);
        if next == text {
            return text;
        }
        text = next;
    }
}

struct Cleaner<'a> {
    out: String,
    /// Where in `out` brackets were opened and not closed.
    open: Vec<usize>,
    /// Where in `out` the bracket was opened that the latest `]` closed.
    closed: Option<usize>,
    known: &'a HashSet<String>,
}

impl Cleaner<'_> {
    fn run(mut self, text: &str) -> String {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let taken = match c {
                '(' if self.out.ends_with(']') => self.target(rest),
                ':' if self.out.ends_with(']') => self.definition(),
                '<' => self.bracketed(rest),
                _ => self.bare(rest),
            };
            let taken = taken.unwrap_or_else(|| self.plain(c));
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.out
    }

    fn plain(&mut self, c: char) -> usize {
        if c == '[' {
            self.open.push(self.out.len());
        } else if c == ']' {
            self.closed = self.open.pop();
        }
        self.out.push(c);
        c.len_utf8()
    }

    /// `(target)` right after `]`: kept when known, else gone with the brackets around the text.
    fn target(&mut self, rest: &str) -> Option<usize> {
        let Some((address, len)) = read_target(rest) else {
            self.out.push(' ');
            return None;
        };
        if self.known.contains(trimmed(address)) {
            self.out.push_str(&format!("({address})"));
            return Some(len);
        }
        self.out.pop();
        match self.closed.take() {
            Some(at) => {
                self.out.remove(at);
            }
            None => self.out.push_str("] "),
        }
        let contact = ["mailto:", "tel:"].iter().find_map(|scheme| address.strip_prefix(scheme));
        if let Some(contact) = contact.filter(|contact| !self.out.ends_with(contact)) {
            self.out.push_str(&format!(" ({contact})"));
        }
        Some(len)
    }

    /// `[name]: target` would give every `[name]` a target.
    fn definition(&mut self) -> Option<usize> {
        self.out.push(' ');
        None
    }

    /// `<https://…>`: the known address without the angle brackets.
    fn bracketed(&mut self, rest: &str) -> Option<usize> {
        let address = address_at(rest.get(1..)?)?;
        let closed = rest.get(1 + address.len()..)?.starts_with('>');
        if !closed || !self.known.contains(trimmed(address)) {
            return None;
        }
        self.out.push_str(address);
        Some(address.len() + 2)
    }

    /// An address in running text: of an unknown one the scheme goes.
    fn bare(&mut self, rest: &str) -> Option<usize> {
        let start = link_start(rest)?;
        if start == "www." && self.out.ends_with(char::is_alphanumeric) {
            return None;
        }
        let address = address_at(rest)?;
        let address = address.get(..trimmed(address).len())?;
        if self.known.contains(address) {
            self.out.push_str(address);
            return Some(address.len());
        }
        Some(start.len())
    }
}

/// The address in `(address "title")` and the bytes of all of it; nothing where it is not certain.
fn read_target(text: &str) -> Option<(&str, usize)> {
    let inner = text.get(1..balanced_len(text, '(', ')')?.checked_sub(1)?)?;
    let trimmed_inner = inner.trim();
    let address = trimmed_inner.split(char::is_whitespace).next().unwrap_or_default();
    let title = trimmed_inner.get(address.len()..).unwrap_or_default();
    // A bracket inside a title may close the target early or late.
    if title.contains(['(', ')', '[', ']']) {
        return None;
    }
    let address = address.strip_prefix('<').and_then(|a| a.strip_suffix('>')).unwrap_or(address);
    Some((address, inner.len() + 2))
}

/// How a link at the very start of the text begins, in any case.
fn link_start(text: &str) -> Option<&'static str> {
    LINK_STARTS.into_iter().find(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The address at the very start of the text, with the punctuation that may follow it.
fn address_at(text: &str) -> Option<&str> {
    link_start(text)?;
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | '^' | '{' | '}' | '[' | ']');
    text.get(..text.find(ends).unwrap_or(text.len()))
}

/// Without the punctuation of the sentence around it and without a last slash.
fn trimmed(address: &str) -> &str {
    let mut address = address;
    loop {
        let unbalanced = address.matches(')').count() > address.matches('(').count();
        let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '/']);
        let shorter = if unbalanced { shorter.strip_suffix(')').unwrap_or(shorter) } else { shorter };
        if shorter == address {
            return address;
        }
        address = shorter;
    }
}

/// The web addresses that a text holds, as [`super::answer`] compares them.
pub fn web_links(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().filter_map(|(at, _)| address_at(text.get(at..)?)).map(trimmed)
}
