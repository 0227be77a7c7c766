//! Links of an answer: web links that the passages hold stay links, everything else becomes text.
//!
//! A link that a model makes up is a way out for what the conversation holds (`https://evil.example/?q=…`), and an
//! image leaves without a click. Patterns are looked for at the end of what was already written, so that taking
//! something out never puts a new link together.

use std::collections::HashSet;

/// What renderers turn into a link without being asked.
const LINK_STARTS: [&str; 3] = ["https://", "http://", "www."];

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

/// Takes images out with their text and leaves links to `known` addresses as they are; of the others the text stays.
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
                '[' if self.out.ends_with('!') => self.image(rest),
                '(' if self.out.ends_with(']') => self.target(rest),
                ':' if self.out.ends_with(']') => self.definition(),
                '<' => self.bracketed(rest),
                _ => self.known_address(rest),
            };
            let taken = taken.unwrap_or_else(|| self.plain(c));
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.out
    }

    fn plain(&mut self, c: char) -> usize {
        match c {
            '[' => self.open.push(self.out.len()),
            ']' => self.closed = self.open.pop(),
            _ => {}
        }
        self.out.push(c);
        if matches!(c, '/' | '.') {
            self.drop_link_start();
        }
        c.len_utf8()
    }

    /// `[text]…` right after `!`: gone, and where it never closes the `!` goes.
    fn image(&mut self, rest: &str) -> Option<usize> {
        self.out.truncate(self.out.trim_end_matches('!').len());
        image_len(rest)
    }

    /// `(target)` right after `]`: kept when known, else gone, with the brackets around the text where that is safe.
    fn target(&mut self, rest: &str) -> Option<usize> {
        let Some((address, len)) = read_target(rest) else {
            self.out.push(' ');
            return None;
        };
        if self.known.contains(trimmed(address)) {
            self.out.push_str(&format!("({address})"));
            return Some(len);
        }
        self.drop_brackets();
        let contact = ["mailto:", "tel:"].iter().find_map(|scheme| address.strip_prefix(scheme));
        if let Some(contact) = contact.filter(|contact| !self.out.ends_with(contact)) {
            self.out.push_str(&format!(" ({contact})"));
        }
        Some(len)
    }

    /// Takes the brackets off the text that was just closed, unless its neighbours would make a new link.
    fn drop_brackets(&mut self) {
        let bracket = self.closed.take().filter(|&at| {
            let before = self.out.get(..at).and_then(|text| text.chars().next_back());
            let after = self.out.get(at + 1..).and_then(|text| text.chars().next());
            before.is_none_or(|c| c.is_whitespace() || c == '(') && after.is_some_and(char::is_alphanumeric)
        });
        match bracket {
            Some(at) => {
                self.out.pop();
                self.out.remove(at);
            }
            None => self.out.push(' '),
        }
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

    /// A known address in running text.
    fn known_address(&mut self, rest: &str) -> Option<usize> {
        let address = trimmed(address_at(rest)?);
        let inside_a_word = self.out.ends_with(|c: char| c.is_alphanumeric() || c == '/');
        let goes_on = !ends_address(rest.get(address.len()..).unwrap_or_default());
        if inside_a_word || goes_on || !self.known.contains(address) {
            return None;
        }
        self.out.push_str(address);
        Some(address.len())
    }

    /// Takes a scheme off the end of what is written: without it an address is text.
    fn drop_link_start(&mut self) {
        for start in LINK_STARTS {
            let Some(at) = self.out.len().checked_sub(start.len()) else { continue };
            let Some(tail) = self.out.get(at..) else { continue };
            let word = start == "www." && self.out.get(..at).is_some_and(|head| head.ends_with(char::is_alphanumeric));
            if tail.eq_ignore_ascii_case(start) && !word {
                self.out.truncate(at);
                return;
            }
        }
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

/// Whether nothing of `after` can belong to the address before it: renderers read on to a space or `<`, and what
/// follows a host (`{.evil.example`, `"@evil.example`) may make another host of it.
fn ends_address(after: &str) -> bool {
    let end = after.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(after.len());
    let tail = after.get(..end).unwrap_or_default();
    tail.starts_with("](") || tail.chars().all(|c| ".,;:!?'*_/)\"`]>".contains(c))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> HashSet<String> {
        web_links("See https://ok.example/a_(b), www.ok.example and [c](http://ok.example/c/).")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn links_of_passages_are_found_without_their_punctuation() {
        let expected = ["https://ok.example/a_(b)", "www.ok.example", "http://ok.example/c"];
        assert_eq!(known(), expected.into_iter().map(str::to_owned).collect());
    }

    #[test]
    fn images_are_gone_with_their_text() {
        for (text, expected) in [
            ("a ![x](https://e.example/?q=1) b", "a  b"),
            ("![x][ref] b", " b"),
            ("![x] b", " b"),
            ("![a [b] c](u) d", " d"),
            ("![![x](u)](v) d", " d"),
            ("!![a](b)[x](u)", "x"),
            ("![open (never closed", "[open (never closed"),
            ("wow! [x](u)", "wow! x"),
        ] {
            assert_eq!(known_only(text, &known()), expected, "{text}");
        }
    }

    #[test]
    fn only_known_links_stay_links() {
        for (text, expected) in [
            ("[c](http://ok.example/c)", "[c](http://ok.example/c)"),
            ("[c](http://ok.example/c/ \"title\")", "[c](http://ok.example/c/)"),
            ("[c](<http://ok.example/c>)", "[c](http://ok.example/c)"),
            ("<http://ok.example/c>", "http://ok.example/c"),
            ("(see https://ok.example/a_(b)).", "(see https://ok.example/a_(b))."),
            ("HTTPS://evil.example", "evil.example"),
            ("www.evil.example", "evil.example"),
            ("httphttps://s://evil.example", "evil.example"),
            ("[x](//evil.example)", "x"),
            ("[x](/relative)", "x"),
            ("[x] and [y](/relative)", "[x] and y"),
            ("[x](JaVaScRiPt:alert(1)) z", "x z"),
            ("[x](java&#115;cript:alert)", "x"),
            ("[x](a)(https://evil.example)", "x(evil.example)"),
            ("[a\\]b](javascript:c)", "[a\\]b]"),
            ("[x](javascript:c \"t)\")", "x\")"),
            ("[x](javascript:c", "[x] (javascript:c"),
            ("[x]\n\n[x]: javascript:c", "[x]\n\n[x] : javascript:c"),
            ("[us](mailto:help@ok.example)", "us (help@ok.example)"),
            ("[help@ok.example](mailto:help@ok.example)", "help@ok.example"),
            ("https://ok.example/c?q=stolen", "ok.example/c?q=stolen"),
            ("http://ok.example/c{.evil.example", "ok.example/c{.evil.example"),
            ("http://ok.example/c\"@evil.example", "ok.example/c\"@evil.example"),
            ("<http://ok.example/c>.evil.example", "ok.example/c.evil.example"),
            ("[http://ok.example/c](x:).evil.example", "ok.example/c.evil.example"),
            ("\"http://ok.example/c\", **http://ok.example/c**.", "\"http://ok.example/c\", **http://ok.example/c**."),
            ("[http://ok.example/c](http://ok.example/c).", "[http://ok.example/c](http://ok.example/c)."),
            ("https://ok.example/c@evil.example", "ok.example/c@evil.example"),
        ] {
            assert_eq!(known_only(text, &known()).trim_end(), expected, "{text}");
        }
    }
}
