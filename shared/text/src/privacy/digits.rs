//! Numbers as people write them: digits of any of the common scripts, in groups.

use std::ops::Range;

/// The value of a digit: ASCII, full width, Arabic-Indic (both), Devanagari, Bengali, Tamil.
pub(super) fn digit(c: char) -> Option<u8> {
    const ZEROS: [u32; 7] = [0x30, 0xFF10, 0x0660, 0x06F0, 0x0966, 0x09E6, 0x0BE6];
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(*zero).filter(|value| *value < 10))?;
    u8::try_from(value).ok()
}

/// Whether a number may be adjacent to this character: letters of scripts without spaces do not join it.
pub(super) fn is_boundary(neighbour: Option<char>) -> bool {
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
pub(super) struct Group {
    /// Places in the sequence of characters.
    pub(super) places: Range<usize>,
    /// The digits' values.
    pub(super) digits: Vec<u8>,
}

/// A number in groups, as far as its separators go.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub(super) groups: Vec<Group>,
    /// The separators between the groups.
    pub(super) between: Vec<String>,
}

/// The runs of a text: groups of digits with what `joins` accepts between them.
pub(super) fn runs(chars: &[(usize, char)], joins: impl Fn(&str) -> bool) -> Vec<Run> {
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
pub(super) fn neighbours(chars: &[(usize, char)], places: &Range<usize>) -> (Option<char>, Option<char>) {
    let at = |place: usize| chars.get(place).map(|(_, c)| *c);
    (places.start.checked_sub(1).and_then(at), at(places.end))
}
