//! Finds personal data in text by its form and check digits, and masks it if a text is kept for others to read
//! (knowledge gaps, logs).
//!
//! [`mask`] replaces it by its kind. [`mask_prefix`] and [`remove_in_prefix`] read only the beginning of a text, which ends
//! between words and numbers. In doubt a number is masked: an order number lost in an example costs less than a customer's
//! telephone number in it.

mod numbers;

use std::ops::Range;

use numbers::{bytes, cards, digit, ibans, is_hyphen, is_space, phones};

/// A mask may be shorter than the masked data, so this many times the shown characters are read.
const LOOKAHEAD_CHARS: usize = 2;

/// How often a text is searched. Each kind can leave a part of a number to the next kind.
const MAX_ROUNDS: usize = 6;

/// Names a kind of personal data in its place.
type Placeholder = &'static str;

/// Finds one kind of data in a text's characters, each with its place in bytes; the places found are in bytes.
type Finder = fn(&[(usize, char)]) -> Vec<Range<usize>>;

/// `text` with `[email]`, `[iban]`, `[card]` and `[phone]` in place of such data.
#[must_use]
pub fn mask(text: &str) -> String {
    replaced(text, |placeholder| placeholder)
}

/// The first `max` characters of the masked text; no more of `text` is looked at than that takes.
#[must_use]
pub fn mask_prefix(text: &str, max: usize) -> String {
    mask(beginning(text, max.saturating_mul(LOOKAHEAD_CHARS))).chars().take(max).collect()
}

/// The first `max` characters of `text` without such data.
#[must_use]
pub fn remove_in_prefix(text: &str, max: usize) -> String {
    replaced(beginning(text, max), |_| " ")
}

/// Replaces what is found until nothing more is: if an address takes the end of a number, its beginning may be
/// another number.
fn replaced(text: &str, by: impl Fn(Placeholder) -> Placeholder) -> String {
    let mut masked = text.to_owned();
    for _ in 0..MAX_ROUNDS {
        let found = found(&masked);
        if found.is_empty() {
            break;
        }
        masked = replace_spans(&masked, found, &by);
    }
    masked
}

fn replace_spans(
    text: &str,
    spans: Vec<(Range<usize>, Placeholder)>,
    by: impl Fn(Placeholder) -> Placeholder,
) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for (range, placeholder) in spans {
        masked.push_str(text.get(done..range.start).unwrap_or_default());
        masked.push_str(by(placeholder));
        done = range.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    masked
}

/// Everything that is found, in order and without overlaps: data with check digits takes precedence.
fn found(text: &str) -> Vec<(Range<usize>, Placeholder)> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let finders: [(Finder, Placeholder); 4] =
        [(emails, "[email]"), (ibans, "[iban]"), (cards, "[card]"), (phones, "[phone]")];
    finders.into_iter().fold(Vec::new(), |taken, (find, by)| merge_spans(taken, find(&chars), by))
}

/// `taken` with those of `found` that overlap none of it and none of each other; both are in order.
fn merge_spans(
    taken: Vec<(Range<usize>, Placeholder)>,
    found: Vec<Range<usize>>,
    by: Placeholder,
) -> Vec<(Range<usize>, Placeholder)> {
    let mut all: Vec<(Range<usize>, Placeholder)> = Vec::with_capacity(taken.len() + found.len());
    let mut taken = taken.into_iter().peekable();
    for range in found {
        while let Some(before) = taken.next_if(|(other, _)| other.end <= range.start) {
            all.push(before);
        }
        let after_all = all.last().is_none_or(|(last, _)| last.end <= range.start);
        if after_all && taken.peek().is_none_or(|(next, _)| range.end <= next.start) {
            all.push((range, by));
        }
    }
    all.extend(taken);
    all
}

/// A longer run without white space is not a word or address, in characters: an e-mail address has at most 254.
const LONGEST_WORD_CHARS: usize = 254;

/// At most the first `max` characters of `text`, without a word or a number that may continue after them.
fn beginning(text: &str, max: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(max) else { return text };
    let (head, _) = text.split_at(end);
    let word_chars = head.chars().rev().take_while(|c| !c.is_whitespace()).take(LONGEST_WORD_CHARS + 1).count();
    let head =
        if word_chars <= LONGEST_WORD_CHARS { head.trim_end_matches(|c: char| !c.is_whitespace()) } else { head };
    head.trim_end_matches(is_of_number)
}

fn is_of_number(c: char) -> bool {
    digit(c).is_some() || is_space(c) || is_hyphen(c) || matches!(c, '.' | '/' | '(' | ')' | '+')
}

/// Where addresses stand, in bytes.
fn emails(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let ats = chars.iter().enumerate().filter(|(_, (_, c))| *c == '@').map(|(place, _)| place);
    ats.filter_map(|at| address(chars, at)).map(|places| bytes(chars, places)).collect()
}

fn address(chars: &[(usize, char)], at: usize) -> Option<Range<usize>> {
    let before = chars.get(..at)?.iter().rev().take_while(|(_, c)| is_of_name(*c)).count();
    let after = chars.get(at + 1..)?.iter().take_while(|(_, c)| is_of_domain(*c)).count();
    let domain: Vec<char> = chars.get(at + 1..at + 1 + after)?.iter().map(|(_, c)| *c).collect();
    // A full stop that ends the sentence is not of the address.
    let ending = domain.iter().rev().take_while(|c| matches!(c, '.' | '-')).count();
    let domain: String = domain.iter().take(after - ending).collect();
    let top = domain.rsplit_once('.').filter(|(name, _)| !name.is_empty())?.1;
    let sound = before > 0 && top.chars().count() >= 2 && !top.chars().all(|c| c.is_ascii_digit());
    sound.then(|| at - before..at + 1 + after - ending)
}

fn is_of_name(c: char) -> bool {
    is_letter(c) || c.is_ascii_digit() || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'')
}

fn is_of_domain(c: char) -> bool {
    is_letter(c) || c.is_ascii_digit() || matches!(c, '.' | '-')
}

/// Letters of scripts that put spaces between words; in others a neighbouring word would count as part of the address.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && c < '\u{0E00}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_masked_wherever_it_stands() {
        for (text, masked) in [
            ("mail jane.doe+x@mail.example.co.uk, please", "mail [email], please"),
            ("メールはa@b.comです", "メールは[email]です"),
            ("<josé@español.example>.", "<[email]>."),
            ("my iban is DE89 3704 0044 0532 0130 00 thanks", "my iban is [iban] thanks"),
            ("gb82west12345698765432", "[iban]"),
            ("card 4111 1111 1111 1111 12/27 cvc 123", "card [card] 12/27 cvc 123"),
            ("4111-1111-1111-1111.", "[card]."),
            ("カード4111111111111111です", "カード[card]です"),
            ("٤١١١١١١١١١١١١١١١", "[card]"),
            ("amex 378282246310005!", "amex [card]!"),
            ("call +49 170 1234567 or +1 (415) 555-2671", "call [phone] or [phone]"),
            ("(555) 123-4567", "[phone]"),
            ("555-123-4567 / 415.555.2671", "[phone] / [phone]"),
            ("06 12 34 56 78", "[phone]"),
            ("07700 900123 and 0301234567", "[phone] and [phone]"),
            ("0044 20 7946 0958", "[phone]"),
            ("my phone: 5551234567", "my phone: [phone]"),
            ("612 345 678", "[phone]"),
            ("4111 1111 1111 1111ann@example.org", "[phone] [email]"),
        ] {
            assert_eq!(mask(text), masked, "{text}");
        }
    }

    #[test]
    fn numbers_without_anything_between_are_all_masked() {
        let number = "+49 30 1234567";
        assert_eq!(mask(&number.repeat(50)), "[phone]".repeat(50));
        assert_eq!(mask(&format!("4111 1111 1111 1111{}", number.repeat(6))), format!("[card]{}", "[phone]".repeat(6)));
    }

    #[test]
    fn text_that_only_looks_personal_stays() {
        for text in [
            "the user @jane wrote a@b and x@y.z",
            "GB00WEST12345698765432 has a wrong check digit",
            "order 4111111111111112",
            "order 12345678 of 2026-01-02 for 1,234,567.89 EUR",
            "on 01.02.2026 12:30, or 01/02/2026",
            "10.0.0.1 and 192.168.100.100",
            "0.123456789 seconds, version 10.15.7",
            "isbn 978-3-16-148410-0",
            "req_01ARZ3NDEKTSV4RRFFQ69G5FAV at 2026-11-21T16:43:04.123456Z",
            "from 2019 2020 2021",
            "24/7 support, 9-5",
            "",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    #[test]
    fn a_removed_text_leaves_a_space() {
        assert_eq!(remove_in_prefix("refund to a@b.com now", 100), "refund to   now");
    }

    #[test]
    fn a_number_or_an_address_that_the_cut_parts_is_left_out() {
        for text in ["4111 1111 1111 1111", "jane.doe@example.com", "DE89 3704 0044 0532 0130 00", "+49 170 1234567"] {
            let text = format!("my account is {text} please");
            for max in 1..40 {
                let shown = mask_prefix(&text, max);
                assert!(shown.chars().count() <= max, "{shown}");
                assert!(!["411", "jane", "DE89 3", "170"].iter().any(|part| shown.contains(part)), "{shown}");
                assert!(!remove_in_prefix(&text, max).contains("411"));
            }
        }
        assert_eq!(mask_prefix("how do I reset my password", 12), "how do I res");
        assert_eq!(mask_prefix(&"\u{4E00}".repeat(900), 300).chars().count(), 300);
    }

    #[test]
    fn masking_is_linear() {
        let own =
            ["a@b.com ", "@", "a@", "4111 1111 1111 1111 ", "1.1.2020 ", "GB82", "gb82 WEST 1", "+49 ", "(0", "4"];
        growth::linear("mask", 32_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(mask(text));
        });
        growth::linear("mask_prefix and remove_in_prefix", 32_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((mask_prefix(text, 500), remove_in_prefix(text, 2_000)));
        });
    }
}
