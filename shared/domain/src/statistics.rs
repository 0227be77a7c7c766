//! Analytics: counters by UTC day, each changed by the increments of a change of the table.
//!
//! [`facts`] gives the figures of a stored session, turn or escalation. [`increments_from_change`] is their difference,
//! new image minus old, so a replaced reaction is subtracted. The recount in `support` adds up the whole table to verify
//! the counters.
//!
//! Session figures belong to the day when the session was created, whenever the event happened. Answer figures belong
//! to the day of the answer. First responses and ratings belong to their own day. Counts
//! stay when a session is erased.

use std::collections::BTreeMap;
use std::fmt;

use text::wire_enum;

use crate::change::{Change, Subject};
use crate::models::{Day, Disposition, Escalation, Reaction, Session, Turn};
use crate::timestamp::written_as_text;

/// The figures of one stored thing.
pub mod facts {
    pub use super::{of_escalation, of_session, of_turn};
}

/// Counters with their values; one that is not there is 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
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
        Subject::Session { old, new } => difference(old.as_ref(), new.as_ref(), |session| vec![of_session(session)]),
        Subject::Turn { old, new, .. } => difference(old.as_ref(), new.as_ref(), |turn| vec![of_turn(turn)]),
        Subject::Escalation { old, new } => difference(old.as_ref(), new.as_ref(), of_escalation),
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

/// The counts of a session, on the day it was created.
#[must_use]
pub fn of_session(session: &Session) -> (Day, Counts) {
    let asked = session.has_customer_message;
    let counts = [
        (Counter::Sessions, 1),
        (Counter::SessionsWithMessage, i64::from(asked)),
        (Counter::SessionsEscalated, i64::from(asked && session.ever_escalated)),
    ];
    (Day::of(session.created_at), counts.into_iter().collect())
}

/// The counts of a turn, on its own day: an answer of the AI for itself, for the messages it answers and for what the
/// customer thinks of it, also in the bin of its confidence; any other turn, and an answer to small talk, for nothing.
#[must_use]
pub fn of_turn(turn: &Turn) -> (Day, Counts) {
    let day = Day::of(turn.created_at);
    let Some(answer) = turn.ai().filter(|ai| ai.disposition != Disposition::SmallTalk) else {
        return (day, Counts::default());
    };
    let queries = i64::from(answer.queries);
    let has = |reaction| i64::from(answer.reactions.contains(&reaction));
    let counts = [
        (Counter::Answers, 1),
        (Counter::Queries, queries),
        (Counter::Unanswered, if answer.unanswered { queries } else { 0 }),
        (Counter::LatencyMs, i64::try_from(answer.latency_ms).unwrap_or(i64::MAX)),
        (Counter::Timed, 1),
        (Counter::ThumbsUp, has(Reaction::ThumbsUp)),
        (Counter::ThumbsDown, has(Reaction::ThumbsDown)),
        (Counter::Flagged, has(Reaction::Flag)),
    ];
    let mut counts: Counts = counts.into_iter().collect();
    let mut add = |counter, amount| counts.add(Cell::in_bin(counter, Bin::of(answer.confidence)), amount);
    add(Counter::Answers, 1);
    add(Counter::Unanswered, i64::from(answer.unanswered));
    add(Counter::ThumbsUp, has(Reaction::ThumbsUp));
    add(Counter::ThumbsDown, has(Reaction::ThumbsDown));
    (day, counts)
}

/// The figures of an escalation, each on its day.
#[must_use]
pub fn of_escalation(escalation: &Escalation) -> Vec<(Day, Counts)> {
    let responded = escalation.first_response_at.map(|at| {
        let waited = at.millis_since(escalation.created_at).max(0);
        (Day::of(at), [(Counter::FirstResponses, 1), (Counter::FirstResponseMs, waited)].into_iter().collect())
    });
    let rated = escalation.rating.as_ref().map(|rating| {
        let score = i64::from(rating.score);
        (Day::of(rating.at), [(Counter::Ratings, 1), (Counter::RatingSum, score)].into_iter().collect())
    });
    std::iter::once(handling(escalation)).chain(responded).chain(rated).collect()
}

/// On the day when its session was created (by the session's id): the time of each claim until its agent resolved or handed
/// back, the last one and those before it was reopened.
fn handling(escalation: &Escalation) -> (Day, Counts) {
    let day = Day::of(escalation.session_id.created_at());
    let last = escalation.last_part_ms();
    let counts = [
        (Counter::Handled, i64::from(escalation.earlier_parts) + i64::from(last.is_some())),
        (Counter::HandleMs, escalation.earlier_parts_ms + last.unwrap_or(0)),
    ];
    (day, counts.into_iter().collect())
}

/// A twentieth of the range of confidence: 0 is below 0.05, 19 from 0.95 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bin(u8);

impl Bin {
    /// How many there are.
    pub const COUNT: u8 = 20;

    /// Every bin, the least confidence first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The bin of a confidence from 0 to 1.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 20 fits")]
    pub fn of(confidence: f64) -> Self {
        let bin = (confidence.clamp(0.0, 1.0) * f64::from(Self::COUNT)).floor() as u8;
        Self(bin.min(Self::COUNT - 1))
    }

    /// Where it begins and where the next one does.
    #[must_use]
    pub fn bounds(self) -> (f64, f64) {
        let of = |bin: u8| f64::from(bin) / f64::from(Self::COUNT);
        (of(self.0), of(self.0 + 1))
    }
}

/// The key of a number in the statistics: a counter, and perhaps a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The counter.
    pub counter: Counter,
    /// Of the answers in this bin alone.
    pub bin: Option<Bin>,
}

impl Cell {
    /// A counter of the answers in a bin.
    #[must_use]
    pub const fn in_bin(counter: Counter, bin: Bin) -> Self {
        Self { counter, bin: Some(bin) }
    }

    /// Reads a name as it is written.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(counter) = Counter::parse(name) {
            return Some(counter.into());
        }
        let (counter, bin) = name.rsplit_once('_')?;
        let counted = Self::in_bin(Counter::parse(counter)?, Bin(bin.parse().ok().filter(|bin| *bin < Bin::COUNT)?));
        (counted.to_string() == name).then_some(counted)
    }
}

impl From<Counter> for Cell {
    fn from(counter: Counter) -> Self {
        Self { counter, bin: None }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bin {
            None => self.counter.fmt(f),
            Some(Bin(bin)) => write!(f, "{}_{bin:02}", self.counter),
        }
    }
}

written_as_text!(Cell, "no counter");

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
        /// Requests for a human that an agent answered.
        FirstResponses => "firstResponses",
        /// Milliseconds from the request to the first answer, added up.
        FirstResponseMs => "firstResponseMsSum",
        /// Requests for a human that are rated.
        Ratings => "ratings",
        /// Their scores, added up.
        RatingSum => "ratingSum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Timestamp;

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

    #[test]
    fn a_confidence_has_one_bin_of_twenty() {
        for (confidence, bin) in [(0.0, 0), (0.049, 0), (0.05, 1), (0.5, 10), (0.949, 18), (0.95, 19), (1.0, 19)] {
            assert_eq!(Bin::of(confidence), Bin(bin), "{confidence}");
        }
        assert_eq!((Bin(0).bounds(), Bin(19).bounds()), ((0.0, 0.05), (0.95, 1.0)));
        assert_eq!(Bin::all().count(), 20);
    }

    #[test]
    fn a_cell_is_read_as_it_is_written_and_nothing_else_is() {
        let cells = Counter::ALL.iter().flat_map(|counter| {
            std::iter::once(Cell::from(*counter)).chain(Bin::all().map(|bin| Cell::in_bin(*counter, bin)))
        });
        for cell in cells {
            assert_eq!(Cell::parse(&cell.to_string()), Some(cell));
        }
        for bad in ["", "nothing", "aiAnswers_20", "aiAnswers_7", "aiAnswers_007", "aiAnswers_", "_07"] {
            assert_eq!(Cell::parse(bad), None, "{bad}");
        }
    }
}
