//! Web addresses in a text, and their removal unless they are known.
//!
//! An address that a model makes up can leak the conversation (`https://evil.example/?q=…`), and many renderers turn a
//! bare address into a link. Without its scheme it is text.

use std::collections::HashSet;

/// Starts of texts that renderers turn into a link.
const LINK_STARTS: [&str; 3] = ["https://", "http://", "www."];
/// The longest address, in bytes; a longer one is not meant for readers.
const LONGEST_ADDRESS_BYTES: usize = 2_048;

/// Takes the scheme off every address but the `known`.
///
/// Starts are looked for at the end of what was already written, so that taking one out never puts another together.
pub(super) fn known_addresses(text: &str, known: &HashSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match known_address(&out, rest, known) {
            Some(address) => {
                out.push_str(address);
                address.len()
            }
            None => {
                out.push(c);
                if matches!(c, '/' | '.') {
                    defuse_link(&mut out);
                }
                c.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// A known address at the start of `rest`, which follows `out`.
fn known_address<'r>(out: &str, rest: &'r str, known: &HashSet<String>) -> Option<&'r str> {
    let address = trim_punctuation(address_at(rest)?);
    let inside_a_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '/');
    let after = rest.get(address.len()..).unwrap_or_default();
    (!inside_a_word && known.contains(address) && ends_address(after)).then_some(address)
}

/// Takes a scheme off the end of what is written: without it an address is text.
fn defuse_link(out: &mut String) {
    for start in LINK_STARTS {
        let Some(at) = out.len().checked_sub(start.len()) else { continue };
        let Some(tail) = out.get(at..) else { continue };
        let word = start == "www." && out.get(..at).is_some_and(|head| head.ends_with(char::is_alphanumeric));
        if tail.eq_ignore_ascii_case(start) && !word {
            out.truncate(at);
            return;
        }
    }
}

/// How a link at the very start of the text begins, in any case.
fn link_start(text: &str) -> Option<&'static str> {
    LINK_STARTS.into_iter().find(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The address at the very start of the text, with the punctuation that may follow it.
fn address_at(text: &str) -> Option<&str> {
    link_start(text)?;
    address_end(text)
}

fn address_end(text: &str) -> Option<&str> {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | '^' | '{' | '}' | '[' | ']');
    let head = text.get(..text.floor_char_boundary(LONGEST_ADDRESS_BYTES + 1)).unwrap_or_default();
    let end = head.find(ends).unwrap_or(head.len());
    head.get(..end).filter(|_| end <= LONGEST_ADDRESS_BYTES)
}

/// Whether nothing of `after` can belong to the address before it: renderers read on to a space or `<`, and what
/// follows a host (`{.evil.example`, `"@evil.example`) may make another host of it.
fn ends_address(after: &str) -> bool {
    if after.starts_with("](") {
        return true;
    }
    let tail = after.split(|c: char| c.is_whitespace() || c == '<').next().unwrap_or_default();
    tail.chars().all(|c| ".,;:!?'*_/)\"`]>".contains(c))
}

/// Without the punctuation of the sentence around it and without a last slash.
pub(super) fn trim_punctuation(address: &str) -> &str {
    let count = |mark: char| address.matches(mark).count();
    let mut unbalanced = count(')').saturating_sub(count('('));
    let mut address = address;
    loop {
        let mut shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '/']);
        if let Some(closed) = shorter.strip_suffix(')').filter(|_| unbalanced > 0) {
            shorter = closed;
            unbalanced -= 1;
        }
        if shorter == address {
            return address;
        }
        address = shorter;
    }
}

/// The web addresses that a text holds, and the numbers to which its links lead (`tel:`), as [`super::answer`] compares
/// them.
pub fn find_links(text: &str) -> impl Iterator<Item = &str> {
    let address = |(at, c): (usize, char)| match c {
        '(' | '<' => number_at(text.get(at + 1..)?),
        _ => address_at(text.get(at..)?),
    };
    text.char_indices().filter_map(address).map(trim_punctuation)
}

/// The target of a link at the very start of the text, if it is a number. In running text `tel:` is a word.
fn number_at(text: &str) -> Option<&str> {
    text.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("tel:"))?;
    address_end(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> HashSet<String> {
        find_links("See https://ok.example/a_(b), www.ok.example and [c](http://ok.example/c/). [d](tel:+49) tel:+1")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn links_of_passages_are_found_without_their_punctuation() {
        let expected = ["https://ok.example/a_(b)", "www.ok.example", "http://ok.example/c", "tel:+49"];
        assert_eq!(known(), expected.into_iter().map(str::to_owned).collect());
    }

    #[test]
    fn only_known_addresses_keep_their_scheme() {
        for (text, expected) in [
            ("(see https://ok.example/a_(b)).", "(see https://ok.example/a_(b))."),
            ("[c](http://ok.example/c)", "[c](http://ok.example/c)"),
            ("[c](http://ok.example/c/ \"title\")", "[c](http://ok.example/c/ \"title\")"),
            ("<http://ok.example/c>", "<http://ok.example/c>"),
            ("HTTPS://evil.example", "evil.example"),
            ("www.evil.example", "evil.example"),
            ("httphttps://s://evil.example", "evil.example"),
            ("[x](https://evil.example)", "[x](evil.example)"),
            ("https://ok.example/c?q=stolen", "ok.example/c?q=stolen"),
            ("http://ok.example/c{.evil.example", "ok.example/c{.evil.example"),
            ("http://ok.example/c\"@evil.example", "ok.example/c\"@evil.example"),
            ("<http://ok.example/c>.evil.example", "<ok.example/c>.evil.example"),
            ("\"http://ok.example/c\", **http://ok.example/c**.", "\"http://ok.example/c\", **http://ok.example/c**."),
            ("[http://ok.example/c](http://ok.example/c).", "[http://ok.example/c](http://ok.example/c)."),
            ("https://ok.example/c@evil.example", "ok.example/c@evil.example"),
        ] {
            assert_eq!(known_addresses(text, &known()), expected, "{text}");
        }
    }
}
