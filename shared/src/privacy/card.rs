//! Payment cards: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1, annex B).

use std::ops::Range;

use super::digits::{Run, bytes, is_boundary, is_hyphen, is_space, neighbours, runs};

/// Where cards stand, in bytes.
pub(super) fn find(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let joins = |between: &str| {
        let mut between = between.chars();
        matches!((between.next(), between.next()), (Some(c), None) if is_space(c) || is_hyphen(c) || c == '.')
    };
    runs(chars, joins).iter().flat_map(|run| cards(chars, run)).collect()
}

/// A card may be followed by its expiry and code: every sequence of whole groups is tried, the longest first.
fn cards(chars: &[(usize, char)], run: &Run) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < run.groups.len() {
        let card = (from + 1..=run.groups.len()).rev().find_map(|to| {
            let groups = run.groups.get(from..to)?;
            let places = groups.first()?.places.start..groups.last()?.places.end;
            let (before, after) = neighbours(chars, &places);
            let digits: Vec<u8> = groups.iter().flat_map(|group| group.digits.iter().copied()).collect();
            (is_boundary(before) && is_boundary(after) && is_card(&digits)).then(|| (bytes(chars, places), to))
        });
        match card {
            Some((range, to)) => {
                found.push(range);
                from = to;
            }
            None => from += 1,
        }
    }
    found
}

/// The major industries of payment cards begin with 2 to 6.
fn is_card(digits: &[u8]) -> bool {
    (13..=19).contains(&digits.len()) && digits.first().is_some_and(|first| (2..=6).contains(first)) && luhn(digits)
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
