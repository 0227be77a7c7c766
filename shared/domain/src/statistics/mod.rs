//! Analytics: counters by UTC day, each changed by the increments of a change of the table.
//!
//! [`facts`] gives the figures of a stored session, turn or escalation. [`increments_from_change`] is their difference,
//! new image minus old, so a replaced reaction is subtracted. The recount in `app` adds up the whole table to verify
//! the counters.
//!
//! Session figures belong to the day when the session was created, whenever the event happened. Answer figures belong
//! to the day of the answer. First responses and ratings belong to their own day. Counts
//! stay when a session is erased.

mod cell;
mod counter;
pub mod facts;
mod increments;

use std::collections::BTreeMap;

pub use cell::{Bin, Cell};
pub use counter::Counter;
pub use increments::{Increment, increments_from_change};

/// Counters with their values; one that is not there is 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts(BTreeMap<Cell, i64>);

impl Counts {
    /// A counter's value.
    #[must_use]
    pub fn of(&self, cell: impl Into<Cell>) -> i64 {
        self.0.get(&cell.into()).copied().unwrap_or(0)
    }

    /// Adds to a counter; what comes to 0 is as if it never was.
    pub fn add(&mut self, cell: impl Into<Cell>, amount: i64) {
        let cell = cell.into();
        let value = self.of(cell).saturating_add(amount);
        if value == 0 {
            self.0.remove(&cell);
        } else {
            self.0.insert(cell, value);
        }
    }

    /// Adds all of `other`.
    pub fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|(cell, amount)| self.add(cell, amount));
    }

    /// The counters that are not 0.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, i64)> {
        self.0.iter().map(|(cell, amount)| (*cell, *amount))
    }
}

impl<C: Into<Cell>> FromIterator<(C, i64)> for Counts {
    fn from_iter<I: IntoIterator<Item = (C, i64)>>(counts: I) -> Self {
        let mut all = Self::default();
        counts.into_iter().for_each(|(cell, amount)| all.add(cell, amount));
        all
    }
}
