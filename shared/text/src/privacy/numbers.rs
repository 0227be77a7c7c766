//! Numbers of people: payment cards (13 to 19 digits that pass Luhn's check, ISO/IEC 7812-1, annex B), bank accounts (an
//! IBAN with its check digits, ISO 13616, mod 97 is 1) and telephone numbers.
//!
//! Numbers are read as people write them: digits of any of the common scripts, in groups. A telephone number is recognised by
//! country code, trunk zero, grouping, or a word that announces one. It has no check digit, so dates, decimals and network
//! addresses are excluded first.

use std::ops::{Range, RangeInclusive};

crate::lists! { "../lists.txt": PHONE_LABELS }

/// How many digits a card's number has.
const CARD_LENGTHS: RangeInclusive<usize> = 13..=19;

/// Where cards stand, in bytes.
pub(super) fn cards(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let joins = |between: &str| {
        let mut between = between.chars();
        matches!((between.next(), between.next()), (Some(c), None) if is_space(c) || is_hyphen(c) || c == '.')
    };
    runs(chars, joins).iter().flat_map(|run| cards_of(chars, &run.groups)).collect()
}

/// A card may be followed by its expiry and code: every sequence of whole groups is tried, the longest first.
fn cards_of(chars: &[(usize, char)], groups: &[Group]) -> Vec<Range<usize>> {
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
        if digits.len() + group.digits.len() > *CARD_LENGTHS.end() {
            break;
        }
        digits.extend(&group.digits);
        let places = first.places.start..group.places.end;
        if CARD_LENGTHS.contains(&digits.len()) && is_boundary(neighbours(chars, &places).1) && luhn(&digits) {
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

/// The shortest (Norway) and the longest that the standard allows.
const IBAN_LENGTHS: Range<usize> = 15..35;

/// Where IBANs stand, in bytes.
pub(super) fn ibans(chars: &[(usize, char)]) -> Vec<Range<usize>> {
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
        if c.is_ascii_alphanumeric() && letters.len() < IBAN_LENGTHS.end {
            letters.push(c.to_ascii_uppercase());
            separated = false;
            let at_group_end = is_boundary(neighbours(chars, &(place..place + 1)).1);
            if at_group_end && IBAN_LENGTHS.contains(&letters.len()) && remainder(&letters) == Some(1) {
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

/// How far before a number such a word may stand, in characters.
const ANNOUNCED_WITHIN: usize = 24;

/// Where telephone numbers stand, in bytes.
pub(super) fn phones(chars: &[(usize, char)]) -> Vec<Range<usize>> {
    let runs = runs(chars, joins);
    runs.into_iter().flat_map(without_dates).filter_map(|run| phone(chars, &run)).collect()
}

/// One separator, or one next to a bracket or a space: `-`, `) `, ` (0) ` are at most four characters.
fn joins(between: &str) -> bool {
    let count = between.chars().count();
    let all = between.chars().all(|c| is_space(c) || is_hyphen(c) || matches!(c, '.' | '/' | '(' | ')'));
    let strokes = between.chars().filter(|c| !is_space(*c) && !matches!(c, '(' | ')')).count();
    all && (1..=3).contains(&count) && strokes <= 1 && !between.contains(" / ") && !between.contains("  ")
}

/// The parts of a run without the dates in it.
fn without_dates(run: Run) -> Vec<Run> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < run.groups.len() {
        if is_date(&run, at) {
            parts.extend(part(&run, from..at));
            at += 3;
            from = at;
        } else {
            at += 1;
        }
    }
    if from == 0 {
        return vec![run];
    }
    parts.extend(part(&run, from..run.groups.len()));
    parts
}

fn part(run: &Run, groups: Range<usize>) -> Option<Run> {
    let between = run.between.get(groups.start..groups.end.saturating_sub(1)).unwrap_or_default().to_vec();
    let groups = run.groups.get(groups).filter(|groups| !groups.is_empty())?.to_vec();
    Some(Run { groups, between })
}

/// Three groups with the same stroke between: day, month and year, in any order that is used.
fn is_date(run: &Run, at: usize) -> bool {
    let strokes = run.between.get(at..at + 2).unwrap_or_default();
    let [first, second] = strokes else { return false };
    if first != second || !matches!(first.as_str(), "." | "/" | "-") {
        return false;
    }
    let lengths: Vec<usize> = run.groups.iter().skip(at).take(3).map(|group| group.digits.len()).collect();
    matches!(lengths.as_slice(), [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2])
}

fn phone(chars: &[(usize, char)], run: &Run) -> Option<Range<usize>> {
    let mut places = run.groups.first()?.places.start..run.groups.last()?.places.end;
    let digits: Vec<u8> = run.groups.iter().flat_map(|group| group.digits.iter().copied()).collect();
    let (before, after) = neighbours(chars, &places);
    let in_brackets = before == Some('(') && run.between.first().is_some_and(|between| between.contains(')'));
    let plus = if in_brackets { neighbours(chars, &(places.start - 1..places.end)).0 } else { before } == Some('+');
    places.start -= usize::from(in_brackets) + usize::from(plus);
    let (before, _) = neighbours(chars, &places);
    // A plus begins a number, also directly after another one.
    let begins = is_boundary(before) || plus && before.is_some_and(|c| digit(c).is_some());
    if !begins || !is_boundary(after) {
        return None;
    }
    let lengths: Vec<usize> = run.groups.iter().map(|group| group.digits.len()).collect();
    let is_one = if plus {
        (7..=15).contains(&digits.len())
    } else {
        has_international_prefix(&digits, run)
            || has_grouping(&digits, &lengths, run)
            || has_label(chars, places.start, &digits)
    };
    is_one.then(|| bytes(chars, places))
}

/// A trunk zero, or the two of an international call; not the one of a decimal, nor those of a padded number.
fn has_international_prefix(digits: &[u8], run: &Run) -> bool {
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    let decimal = matches!(run.between.as_slice(), [only] if only == ".");
    match zeros {
        1 => (8..=13).contains(&digits.len()) && !decimal,
        2 => (9..=17).contains(&digits.len()) && !decimal,
        _ => false,
    }
}

/// The grouping of North America, or three groups and more of 9 to 12 digits that are not years or a round amount.
fn has_grouping(digits: &[u8], lengths: &[usize], run: &Run) -> bool {
    if matches!(lengths, [3, 3, 4] | [1, 3, 3, 4]) {
        return true;
    }
    let spaced = run.between.iter().all(|between| between.chars().all(|c| is_space(c) || is_hyphen(c)));
    let years = run.groups.iter().all(|group| matches!(group.digits.as_slice(), [1, 9, _, _] | [2, 0, _, _]));
    let round = digits.ends_with(&[0, 0, 0]);
    lengths.len() >= 3 && (9..=12).contains(&digits.len()) && spaced && !years && !round
}

fn has_label(chars: &[(usize, char)], start: usize, digits: &[u8]) -> bool {
    let before = chars.get(start.saturating_sub(ANNOUNCED_WITHIN)..start).unwrap_or_default();
    let before: String = before.iter().map(|(_, c)| *c).collect::<String>().to_lowercase();
    let mut words = before.split(|c: char| !c.is_alphabetic());
    (6..=15).contains(&digits.len()) && words.any(|word| PHONE_LABELS.contains(&word))
}

/// The value of a digit: ASCII, full width, Arabic-Indic (both), Devanagari, Bengali, Tamil.
pub(super) fn digit(c: char) -> Option<u8> {
    const ZEROS: [u32; 7] = [0x30, 0xFF10, 0x0660, 0x06F0, 0x0966, 0x09E6, 0x0BE6];
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|value| *value < 10))?;
    u8::try_from(value).ok()
}

/// Whether a number may be adjacent to this character: letters of scripts without spaces do not join it.
fn is_boundary(neighbour: Option<char>) -> bool {
    neighbour.is_none_or(|c| !(c.is_ascii_alphanumeric() || c == '_' || digit(c).is_some()))
}

/// White space inside a number.
pub(super) const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{2007}' | '\u{2009}' | '\u{202F}')
}

/// A hyphen inside a number.
pub(super) const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2013}')
}

/// Some digits without anything between them.
#[derive(Debug, Clone)]
struct Group {
    /// Places in the sequence of characters.
    places: Range<usize>,
    /// The digits' values.
    digits: Vec<u8>,
}

/// A number in groups, as far as its separators go.
#[derive(Debug, Clone, Default)]
struct Run {
    groups: Vec<Group>,
    /// The separators between the groups.
    between: Vec<String>,
}

/// The runs of a text: groups of digits with what `joins` accepts between them.
fn runs(chars: &[(usize, char)], joins: impl Fn(&str) -> bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut last_end = None;
    for group in groups(chars) {
        let between: Option<String> = last_end
            .and_then(|end: usize| chars.get(end..group.places.start))
            .map(|between| between.iter().map(|(_, c)| *c).collect());
        last_end = Some(group.places.end);
        match (runs.last_mut(), between.filter(|between| joins(between))) {
            (Some(run), Some(between)) => {
                run.between.push(between);
                run.groups.push(group);
            }
            _ => runs.push(Run { groups: vec![group], between: Vec::new() }),
        }
    }
    runs
}

fn groups(chars: &[(usize, char)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, (_, c)) in chars.iter().enumerate() {
        let Some(value) = digit(*c) else { continue };
        match groups.last_mut().filter(|group| group.places.end == place) {
            Some(group) => {
                group.places.end = place + 1;
                group.digits.push(value);
            }
            None => groups.push(Group { places: place..place + 1, digits: vec![value] }),
        }
    }
    groups
}

/// The bytes of a text that the characters from `places` take.
pub(super) fn bytes(chars: &[(usize, char)], places: Range<usize>) -> Range<usize> {
    let start = chars.get(places.start).map_or(0, |(at, _)| *at);
    let end = places.end.checked_sub(1).and_then(|last| chars.get(last)).map_or(start, |(at, c)| at + c.len_utf8());
    start..end
}

/// The character before and after `places`.
fn neighbours(chars: &[(usize, char)], places: &Range<usize>) -> (Option<char>, Option<char>) {
    let at = |place: usize| chars.get(place).map(|(_, c)| *c);
    (places.start.checked_sub(1).and_then(at), at(places.end))
}
