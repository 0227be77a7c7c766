//! Telephone numbers: recognised by country code, trunk zero, grouping, or a word that announces one. They have no
//! check digit, so dates, decimals and network addresses are excluded first.

use std::ops::Range;

use super::digits::{Run, bytes, digit, is_boundary, is_hyphen, is_space, neighbours, runs};

/// Words after which a number is a telephone's, lower case, in a few languages.
const PHONE_LABELS: [&str; 22] = [
    "phone",
    "tel",
    "call",
    "mobile",
    "cell",
    "whatsapp",
    "sms",
    "fax",
    "ring",
    "telefon",
    "telefono",
    "teléfono",
    "téléphone",
    "telefone",
    "handy",
    "handynummer",
    "portable",
    "móvil",
    "celular",
    "cellulare",
    "mobil",
    "телефон",
];
/// How far before a number such a word may stand, in characters.
const ANNOUNCED_WITHIN: usize = 24;

/// Where telephone numbers stand, in bytes.
pub(super) fn find(chars: &[(usize, char)]) -> Vec<Range<usize>> {
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
