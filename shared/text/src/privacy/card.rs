//! Payment cards: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1, annex B).

use std::ops::Range;

use super::digits::{Group, bytes, is_boundary, is_hyphen, is_space, neighbours, runs};

/// How many digits a card's number has.
const LENGTHS: std::ops::RangeInclusive<usize> = 13..=19;

/// Where cards stand, in bytes.
pub(super) fn find(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let joins = |between: &str| {
        let mut between = between.chars();
        matches!((between.next(), between.next()), (Some(c), None) if is_space(c) || is_hyphen(c) || c == '.')
    };
    runs(chars, joins).iter().flat_map(|run| cards(chars, &run.groups)).collect()
}

/// A card may be followed by its expiry and code: every sequence of whole groups is tried, the longest first.
fn cards(chars: &[(usize, char)], groups: &[Group]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut rest = groups;
    while let Some((first, others)) = rest.split_first() {
        match card(chars, first, rest) {
            Some((places, taken)) => {
                found.push(bytes(chars, places));
                rest = rest.get(taken..).unwrap_or_default();
            }
            None => rest = others,
        }
    }
    found
}

/// The longest card that begins with `first`, the first of `groups`, and how many groups it takes.
fn card(chars: &[(usize, char)], first: &Group, groups: &[Group]) -> Option<(Range<usize>, usize)> {
    // The major industries of payment cards begin with 2 to 6.
    let begins = first.digits.first().is_some_and(|digit| (2..=6).contains(digit));
    if !begins || !is_boundary(neighbours(chars, &first.places).0) {
        return None;
    }
    let mut digits: Vec<u8> = Vec::new();
    let mut found = None;
    for (at, group) in groups.iter().enumerate() {
        if digits.len() + group.digits.len() > *LENGTHS.end() {
            break;
        }
        digits.extend(&group.digits);
        let places = first.places.start..group.places.end;
        if LENGTHS.contains(&digits.len()) && is_boundary(neighbours(chars, &places).1) && luhn(&digits) {
            found = Some((places, at + 1));
        }
    }
    found
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, u32::from(*digit) * 2) {
            (0, _) => u32::from(*digit),
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}
