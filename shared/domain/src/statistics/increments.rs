//! The increments of the counters by one change of the table.

use super::{Counter, Counts, facts};
use crate::change::{Change, Subject};
use crate::models::Day;

/// So much more, or less, of one counter of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Increment {
    /// The UTC day it belongs to.
    pub day: Day,
    /// The counter.
    pub counter: Counter,
    /// How much more; negative for less.
    pub amount: i64,
}

/// The increments of one change. Every fact is a field of the image, set once or taken back by a later image of the
/// same item, so the sum over an item's changes is what its last image counts for, in whatever order they are added.
#[must_use]
pub fn increments_from_change(change: &Change) -> Vec<Increment> {
    match &change.subject {
        Subject::Session { old, new } => difference(old.as_ref(), new.as_ref(), facts::of_session),
        Subject::Turn { old, new, .. } => difference(old.as_ref(), new.as_ref(), facts::of_turn),
        Subject::Escalation { old, new } => difference(old.as_ref(), new.as_ref(), facts::of_escalation),
        _ => Vec::new(),
    }
}

/// The counts of `new` that `old` did not have. An item that is gone was erased, and its counts stay.
fn difference<T>(old: Option<&T>, new: Option<&T>, of: impl Fn(&T) -> (Day, Counts)) -> Vec<Increment> {
    let Some((day, after)) = new.map(&of) else { return Vec::new() };
    let before = old.map(|old| of(old).1).unwrap_or_default();
    let amounts = Counter::ALL.iter().map(|counter| (*counter, after.of(*counter) - before.of(*counter)));
    amounts.filter(|(_, amount)| *amount != 0).map(|(counter, amount)| Increment { day, counter, amount }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Timestamp;

    /// A thing that counts for `(thumbs up, thumbs down)`.
    fn of(thing: &(i64, i64)) -> (Day, Counts) {
        let counts = [(Counter::ThumbsUp, thing.0), (Counter::ThumbsDown, thing.1)];
        (Day::of(Timestamp::from_millis(0)), counts.into_iter().collect())
    }

    fn amounts(old: Option<(i64, i64)>, new: Option<(i64, i64)>) -> Vec<(Counter, i64)> {
        difference(old.as_ref(), new.as_ref(), of).into_iter().map(|i| (i.counter, i.amount)).collect()
    }

    #[test]
    fn a_change_adds_what_the_new_image_counts_for_and_the_old_did_not() {
        assert_eq!(amounts(None, Some((1, 0))), [(Counter::ThumbsUp, 1)]);
        assert_eq!(amounts(Some((1, 0)), Some((0, 1))), [(Counter::ThumbsUp, -1), (Counter::ThumbsDown, 1)]);
        assert_eq!(amounts(Some((1, 0)), Some((1, 0))), []);
    }

    #[test]
    fn erased_sessions_stay_counted() {
        assert_eq!(amounts(Some((1, 1)), None), []);
        assert_eq!(amounts(None, None), []);
    }
}
