//! Addresses in a text: web addresses, and their removal unless they are known; numbers and names in the addresses of
//! links that call or write to somebody.
//!
//! An address that a model makes up can leak the conversation (`https://evil.example/?q=…`), and many renderers turn a
//! bare address into a link. Without its scheme it is text.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;

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

/// The address at the very start of the text, with the punctuation that may follow it.
fn address_at(text: &str) -> Option<&str> {
    let begins = |start: &str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    LINK_STARTS.into_iter().any(begins).then(|| address_end(text))?
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

/// Schemes whose addresses name a person by number, name or mail address.
const SCHEMES: &str =
    "callto facetime facetime-audio imessage mailto mms sip sips skype sms smsto tel telegram tg viber whatsapp xmpp";
/// Parameters that name somebody: `whatsapp://send?phone=…`.
const PARAMETERS: [&str; 3] = ["phone", "number", "domain"];
/// The most bytes of a number or name.
const MAX_BYTES: usize = 254;
/// Fewer digits are no number of somebody.
const MIN_DIGITS: usize = 3;
/// A number without its country code has at least so many digits.
const MIN_NATIONAL_DIGITS: usize = 5;

/// The number, name or mail address to which a link leads; none for other schemes, and if the link does not say it.
#[must_use]
pub fn contact(address: &str) -> Option<String> {
    let (scheme, rest) = address.trim().split_once(':')?;
    SCHEMES.split(' ').find(|known| scheme.eq_ignore_ascii_case(known))?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let parameter = || {
        let (_, value) =
            query.split('&').filter_map(|part| part.split_once('=')).find(|(name, _)| PARAMETERS.contains(name))?;
        readable(value)
    };
    // `//send` is what to do, and not with whom.
    let is_action = path.starts_with("//") && !query.is_empty() && !path.contains(|c: char| c.is_numeric() || c == '@');
    let path = path.split([';', '&']).next().unwrap_or_default().trim_matches('/');
    parameter().or_else(|| readable(path).filter(|_| !is_action))
}

/// Whether a text says the number or name already; a number also without its country code.
#[must_use]
pub fn says_contact(text: &str, contact: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (said, number) = (digits(text), digits(contact));
    if number.len() < MIN_DIGITS || contact.contains('@') {
        return text.to_lowercase().contains(&contact.to_lowercase());
    }
    let national = said.trim_start_matches('0');
    said.contains(&number) || (national.len() >= MIN_NATIONAL_DIGITS && number.ends_with(national))
}

/// A part of an address as a person writes it; none if it holds what could be markup.
fn readable(part: &str) -> Option<String> {
    let part = percent_decode_str(part.get(..part.len().min(MAX_BYTES * 3))?).decode_utf8().ok()?;
    let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_sound = part.chars().all(|c| c.is_alphanumeric() || "+-._@,#*'=~!$ ".contains(c));
    (is_sound && part.len() <= MAX_BYTES && part.contains(char::is_alphanumeric)).then_some(part)
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

    #[test]
    fn the_number_or_name_of_a_link_is_found() {
        for (address, expected) in [
            ("sms:+49123456", Some("+49123456")),
            ("SMS:+49%20123%20456", Some("+49 123 456")),
            ("sms:+49123456?body=Hi", Some("+49123456")),
            ("sms:+49123456&body=Hi", Some("+49123456")),
            ("sms:+49123456;body=Hi", Some("+49123456")),
            ("sms://+49123456?body=Hi", Some("+49123456")),
            ("smsto:81000", Some("81000")),
            ("sms:+1,+2", Some("+1,+2")),
            ("callto:+49123456", Some("+49123456")),
            ("callto://bob", Some("bob")),
            ("whatsapp://send?phone=+49123456", Some("+49123456")),
            ("whatsapp://send/?text=Hi&phone=%2B49123456", Some("+49123456")),
            ("whatsapp:+49123456", Some("+49123456")),
            ("viber://chat?number=%2B49123456", Some("+49123456")),
            ("tg://resolve?domain=acme_support", Some("acme_support")),
            ("skype:echo123?call", Some("echo123")),
            ("facetime:help@ok.example", Some("help@ok.example")),
            ("facetime-audio://+49123456", Some("+49123456")),
            ("sip:+49123456@voip.example", Some("+49123456@voip.example")),
            ("tel:*21*030%23", Some("*21*030#")),
            ("tel:+49123456;ext=12", Some("+49123456")),
            ("mailto:help@ok.example?subject=Hi", Some("help@ok.example")),
            ("sms:?body=Hi", None),
            ("whatsapp://send?text=Hi", None),
            ("skype:[x](y)", None),
            ("sms:<b>", None),
            ("tel:", None),
            ("javascript:alert", None),
            ("data:text/html,1", None),
            ("+49123456", None),
        ] {
            assert_eq!(contact(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_number_is_the_same_in_whatever_form_a_text_says_it() {
        for (text, contact, expected) in [
            ("Call +49 (30) 123-456", "+4930123456", true),
            ("030 / 123 456", "+4930123456", true),
            ("Call 0049 30 123456", "+4930123456", true),
            ("Write to HELP@ok.example", "help@ok.example", true),
            ("Text us", "+4930123456", false),
            ("Text us 24/7", "+4930123247", false),
            ("030 123 457", "+4930123456", false),
            ("Text 81000", "81000", true),
            ("Talk to Bob", "bob", true),
        ] {
            assert_eq!(says_contact(text, contact), expected, "{text} {contact}");
        }
    }
}
