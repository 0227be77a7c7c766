//! E-mail addresses: a name, `@`, and a domain with a dot and a top level of two letters or more.

use std::ops::Range;

use super::digits::bytes;

/// Where addresses stand, in bytes.
pub(super) fn find(chars: &[(usize, char)]) -> Vec<Range<usize>> {
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
