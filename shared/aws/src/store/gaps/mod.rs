//! Knowledge gaps: one item a gap, replaced under its next version, and a second one that lists gaps by the time they
//! were last asked.
//!
//! Each question is an item in its session's partition ([`questions`]), written in the transaction that counts it. So a
//! repeated delivery counts once, a session counts once in a gap, and the erasure of a session finds what to remove.

mod list;
mod questions;
mod record;
mod review;

pub use list::{GapFilter, GapOrder, GapPage};
use record::{GapQuestionRecord, items};
pub(super) use record::{GapRecord, question_item};
pub use review::{GapReview, ReviewPage};

use super::client::Store;
use super::keys::{self, GAP_QUESTIONS};
use super::table::{Consistency, Item, PartitionQuery, SortCondition};
use super::transaction::{Tag, Transaction, Write};
use super::update::{Attempt, Basis, Decision, contended};
use domain::Result;
use domain::gaps::UnansweredQuestion;
use domain::models::{Gap, GapId, Scope, SessionId};

/// Knowledge gaps; made by [`Store::gaps`].
#[derive(Debug, Clone, Copy)]
pub struct Gaps<'a>(&'a Store);

impl Store {
    /// Knowledge gaps.
    #[must_use]
    pub const fn gaps(&self) -> Gaps<'_> {
        Gaps(self)
    }
}

impl Gaps<'_> {
    /// A gap, consistently.
    pub async fn get(&self, scope: &Scope, id: &GapId) -> Result<Option<Gap>> {
        let found: Option<GapRecord> = self.0.get(&keys::gap(scope, id), Consistency::Strong).await?;
        Ok(found.map(Gap::from))
    }

    /// Adds a question to its gap; one that was added before changes nothing.
    pub async fn add_question(&self, scope: &Scope, asked: &UnansweredQuestion) -> Result<()> {
        let attempt = |_: Basis<()>| self.try_add(scope, asked);
        self.0
            .retry(&contended(&keys::gap(scope, &asked.gap_id)), Basis::Read, self.0.default_deadline(), attempt)
            .await
    }

    async fn try_add(&self, scope: &Scope, asked: &UnansweredQuestion) -> Result<Attempt<(), ()>> {
        // The gap first: what another question of this session adds after this read fails the condition below.
        let seen = self.get(scope, &asked.gap_id).await?;
        let counted = self.of_session(scope, &asked.session_id).await?;
        if counted.iter().any(|other| (other.turn, other.part) == (asked.turn, asked.part)) {
            return Ok(Attempt::Done(()));
        }
        let new_session = counted.iter().all(|other| other.gap_id != asked.gap_id);
        let version = seen.as_ref().map_or(0, |gap| gap.version);
        let after = asked.merge_into(seen, new_session);
        let question = question_item(scope, &asked.gap_id, (asked.turn, asked.part), &asked.example())?;
        let gap = replacement(scope, version, &after)?;
        self.0.write_if(gap.with(Tag::Beside, [Write::create(question)])).await.map(Attempt::of)
    }

    /// The questions of a session, oldest first.
    async fn of_session(&self, scope: &Scope, session: &SessionId) -> Result<Vec<GapQuestionRecord>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(GAP_QUESTIONS.into());
        self.0.query_all(query).await
    }

    /// Replaces a gap that is still as it was read; false if it moved on.
    pub async fn replace(&self, scope: &Scope, seen: &Gap, after: &Gap) -> Result<bool> {
        self.0.write_if(replacement(scope, seen.version, after)?).await
    }

    /// Changes a gap by `decide`, over and over until no other change came between; the gap after that, none if
    /// there is none. What `decide` leaves as it is is not written.
    pub async fn update(&self, scope: &Scope, id: &GapId, decide: impl Fn(&Gap) -> Result<Gap>) -> Result<Option<Gap>> {
        let decide = |seen: Option<GapRecord>| {
            let Some(seen) = seen.map(Gap::from) else { return Ok(Decision::Keep(None)) };
            let after = decide(&seen)?;
            if after == seen {
                return Ok(Decision::Keep(Some(after)));
            }
            Ok(Decision::Write(replacement(scope, seen.version, &after)?, Some(after)))
        };
        self.0.update(&keys::gap(scope, id), Basis::Read, self.0.default_deadline(), decide).await
    }
}

/// Both items of a gap, on condition that it is still at `version`; 0: that there is none.
fn replacement(scope: &Scope, version: u64, after: &Gap) -> Result<Transaction> {
    let (gap, seen) = items(scope, after)?;
    let seen = Write::Put { item: seen, condition: None };
    Ok(Transaction::of(Write::replace(gap, version)).with(Tag::Beside, [seen]))
}

/// Both items of a gap: itself, and the one that lists it by time.
pub(super) fn gap_items(scope: &Scope, gap: &Gap) -> Result<Vec<Item>> {
    items(scope, gap).map(|(gap, seen)| vec![gap, seen])
}
