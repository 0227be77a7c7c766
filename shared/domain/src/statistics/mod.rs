//! Analytics: counters by UTC day, each changed by the increments of a change of the table.
//!
//! [`facts`] gives the figures of a stored session, turn or escalation. [`increments_from_change`] is their difference,
//! new image minus old, so a replaced reaction is subtracted. The recount in `app` adds up the whole table to verify
//! the counters.
//!
//! Session figures belong to the day when the session was created, whenever the event happened. Answer figures belong
//! to the day of the answer. Counts stay when a session is erased.

pub mod facts;
mod increments;

use std::collections::BTreeMap;

pub use increments::{Increment, increments_from_change};

use text::wire_enum;

wire_enum! {
    /// One counter of a tenant's day; the names are those of the stored attributes.
    pub enum Counter {
        /// Sessions created.
        Sessions => "totalSessions",
        /// Of these, those with a customer message that is more than small talk.
        SessionsWithMessage => "sessionsWithMessage",
        /// Of those with a customer message, those for which a human was ever asked.
        SessionsEscalated => "sessionsEscalated",
        /// AI turns, without those that answer small talk.
        Answers => "aiAnswers",
        /// Customer messages that the AI dealt with.
        Queries => "totalQueries",
        /// Of these, those that show a gap of the wiki.
        Unanswered => "unansweredQueries",
        /// Milliseconds from receipt to answer, added up.
        LatencyMs => "latencyMsSum",
        /// AI turns whose latency was taken.
        Timed => "timedAnswers",
        /// AI turns with `thumbs_up`.
        ThumbsUp => "thumbsUp",
        /// AI turns with `thumbs_down`.
        ThumbsDown => "thumbsDown",
        /// AI turns with `flag`.
        Flagged => "flaggedAnswers",
        /// Requests for a human that an agent resolved or handed back.
        Handled => "handledEscalations",
        /// Milliseconds from claim to that, added up.
        HandleMs => "handleMsSum",
    }
}

/// Counters with their values; one that is not there is 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts(BTreeMap<Counter, i64>);

impl Counts {
    /// A counter's value.
    #[must_use]
    pub fn of(&self, counter: Counter) -> i64 {
        self.0.get(&counter).copied().unwrap_or(0)
    }

    /// Adds to a counter; what comes to 0 is as if it never was.
    pub fn add(&mut self, counter: Counter, amount: i64) {
        let value = self.of(counter).saturating_add(amount);
        if value == 0 {
            self.0.remove(&counter);
        } else {
            self.0.insert(counter, value);
        }
    }

    /// Adds all of `other`.
    pub fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|(counter, amount)| self.add(counter, amount));
    }

    /// The counters that are not 0.
    pub fn iter(&self) -> impl Iterator<Item = (Counter, i64)> {
        self.0.iter().map(|(counter, amount)| (*counter, *amount))
    }
}

impl FromIterator<(Counter, i64)> for Counts {
    fn from_iter<I: IntoIterator<Item = (Counter, i64)>>(counts: I) -> Self {
        let mut all = Self::default();
        counts.into_iter().for_each(|(counter, amount)| all.add(counter, amount));
        all
    }
}
