//! The increments of the counters by one change of the table.

use std::collections::BTreeMap;

use super::{Cell, Counts, facts};
use crate::change::{Change, Subject};
use crate::models::Day;

/// So much more, or less, of one number of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Increment {
    /// The UTC day it belongs to.
    pub day: Day,
    /// The cell that is counted.
    pub cell: Cell,
    /// How much more; negative for less.
    pub amount: i64,
}

/// The increments of one change. Every fact is a field of the image, set once or taken back by a later image of the
/// same item, so the sum over an item's changes is what its last image counts for, in whatever order they are added.
#[must_use]
pub fn increments_from_change(change: &Change) -> Vec<Increment> {
    match &change.subject {
        Subject::Session { old, new } => {
            difference(old.as_ref(), new.as_ref(), |session| vec![facts::of_session(session)])
        }
        Subject::Turn { old, new, .. } => difference(old.as_ref(), new.as_ref(), |turn| vec![facts::of_turn(turn)]),
        Subject::Escalation { old, new } => difference(old.as_ref(), new.as_ref(), facts::of_escalation),
        _ => Vec::new(),
    }
}

/// The counts of `new` that `old` did not have, by day. An item that is gone was erased, and its counts stay.
fn difference<T>(old: Option<&T>, new: Option<&T>, of: impl Fn(&T) -> Vec<(Day, Counts)>) -> Vec<Increment> {
    let Some(new) = new else { return Vec::new() };
    let mut amounts: BTreeMap<(Day, Cell), i64> = BTreeMap::new();
    for (sign, thing) in old.map(|old| (-1, old)).into_iter().chain([(1, new)]) {
        for (day, counts) in of(thing) {
            counts.iter().for_each(|(cell, amount)| *amounts.entry((day, cell)).or_default() += sign * amount);
        }
    }
    amounts.retain(|_, amount| *amount != 0);
    amounts.into_iter().map(|((day, cell), amount)| Increment { day, cell, amount }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Timestamp;
    use crate::statistics::Counter;

    /// A thing that counts for `(thumbs up, thumbs down)`.
    fn of(thing: &(i64, i64)) -> Vec<(Day, Counts)> {
        let counts = [(Counter::ThumbsUp, thing.0), (Counter::ThumbsDown, thing.1)];
        vec![(Day::of(Timestamp::from_millis(0)), counts.into_iter().collect())]
    }

    fn amounts(old: Option<(i64, i64)>, new: Option<(i64, i64)>) -> Vec<(Counter, i64)> {
        difference(old.as_ref(), new.as_ref(), of).into_iter().map(|i| (i.cell.counter, i.amount)).collect()
    }

    #[test]
    fn a_change_adds_what_the_new_image_counts_for_and_the_old_did_not() {
        assert_eq!(amounts(None, Some((1, 0))), [(Counter::ThumbsUp, 1)]);
        assert_eq!(amounts(Some((1, 0)), Some((0, 1))), [(Counter::ThumbsUp, -1), (Counter::ThumbsDown, 1)]);
        assert_eq!(amounts(Some((1, 0)), Some((1, 0))), []);
    }

    #[test]
    fn a_count_that_moves_to_another_day_is_subtracted_from_its_old_day() {
        let rated = |day: &i64| {
            let counts: Counts = std::iter::once((Counter::Ratings, 1)).collect();
            vec![(Day::of(Timestamp::from_millis(day * 86_400_000)), counts)]
        };
        let increments = difference(Some(&3), Some(&5), rated);
        let moved: Vec<_> = increments.iter().map(|i| (i.day.to_string(), i.amount)).collect();
        assert_eq!(moved, [("1970-01-04".to_owned(), -1), ("1970-01-06".to_owned(), 1)]);
    }

    #[test]
    fn erased_sessions_stay_counted() {
        assert_eq!(amounts(Some((1, 1)), None), []);
        assert_eq!(amounts(None, None), []);
    }
}
