//! Bank accounts: an IBAN (ISO 13616) with its check digits (mod 97 is 1), with or without spaces.

use std::ops::Range;

use super::digits::{bytes, is_boundary, is_hyphen, is_space, neighbours};

/// The shortest (Norway) and the longest that the standard allows.
const LENGTHS: Range<usize> = 15..35;

/// Where IBANs stand, in bytes.
pub(super) fn find(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < chars.len() {
        match iban_at(chars, place) {
            Some(end) => {
                found.push(bytes(chars, place..end));
                place = end;
            }
            None => place += 1,
        }
    }
    found
}

/// The end of the IBAN that begins at `start`: the longest whose check digits are right and which ends with a group.
fn iban_at(chars: &[(usize, char)], start: usize) -> Option<usize> {
    let head: Vec<char> = chars.get(start..start + 4)?.iter().map(|(_, c)| *c).collect();
    let shaped = head.iter().take(2).all(char::is_ascii_alphabetic) && head.iter().skip(2).all(char::is_ascii_digit);
    if !shaped || !is_boundary(neighbours(chars, &(start..start)).0) {
        return None;
    }
    let mut letters: Vec<char> = Vec::new();
    let mut end = None;
    let mut separated = false;
    for (place, (_, c)) in chars.iter().enumerate().skip(start) {
        if c.is_ascii_alphanumeric() && letters.len() < LENGTHS.end {
            letters.push(c.to_ascii_uppercase());
            separated = false;
            let at_group_end = is_boundary(neighbours(chars, &(place..place + 1)).1);
            if at_group_end && LENGTHS.contains(&letters.len()) && remainder(&letters) == Some(1) {
                end = Some(place + 1);
            }
        } else if (is_space(*c) || is_hyphen(*c)) && !separated {
            separated = true;
        } else {
            break;
        }
    }
    end
}

/// The number modulo 97, with the first four characters moved to the end and letters counting from A = 10.
fn remainder(letters: &[char]) -> Option<u32> {
    let (head, rest) = letters.split_at_checked(4)?;
    rest.iter().chain(head).try_fold(0, |remainder, c| {
        let value = c.to_digit(36)?;
        Some(if value > 9 { (remainder * 100 + value) % 97 } else { (remainder * 10 + value) % 97 })
    })
}
