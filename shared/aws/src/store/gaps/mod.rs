//! Knowledge gaps: one item a gap, replaced under its next version, and a second one that lists gaps by the time they
//! were last asked.
//!
//! Each question leaves a pointer in its session's partition, written in the transaction that counts it. So a repeated
//! delivery counts once, a session counts once in a gap, and the erasure of a session finds what to remove.

mod list;
mod record;
mod review;

use std::collections::BTreeMap;

pub use list::{GapFilter, GapOrder, GapPage};
pub(super) use record::GapRecord;
use record::{GapPointerRecord, items};
pub use review::{GapReview, ReviewPage};

use super::client::Store;
use super::keys::{self, GAP_QUESTIONS};
use super::table::{Consistency, Item, PartitionQuery, SortCondition, item, record};
use super::transaction::{Tag, Transaction, Write};
use super::update::{Attempt, Basis, Decision, contended};
use crate::store::item_kind::ItemKind;
use domain::Result;
use domain::gaps::{UnansweredQuestion, forget};
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
        let pointers = self.pointers(scope, &asked.session_id).await?;
        if pointers.iter().any(|pointer| (pointer.turn, pointer.part) == (asked.turn, asked.part)) {
            return Ok(Attempt::Done(()));
        }
        let new_session = pointers.iter().all(|pointer| pointer.gap_id != asked.gap_id);
        let version = seen.as_ref().map_or(0, |gap| gap.version);
        let after = asked.merge_into(seen, new_session);
        let pointer = pointer_item(scope, &asked.session_id, &asked.gap_id, (asked.turn, asked.part))?;
        let gap = replacement(scope, version, &after)?;
        self.0.write_if(gap.with(Tag::Beside, [Write::create(pointer)])).await.map(Attempt::of)
    }

    /// Replaces a gap that is still as it was read; false where it moved on.
    pub async fn replace(&self, scope: &Scope, seen: &Gap, after: &Gap) -> Result<bool> {
        self.0.write_if(replacement(scope, seen.version, after)?).await
    }

    /// Changes a gap by `decide`, over and over until no other change came between; the gap after that, none where
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

    /// Forgets what was said in a session, wherever it is an example; counts stay. May be called again, and is nothing
    /// where nothing is left. A call that is cut off leaves less to the next one.
    pub async fn erase_session(&self, scope: &Scope, session: &SessionId) -> Result<()> {
        let mut questions_by_gap: BTreeMap<GapId, Vec<(u32, u32)>> = BTreeMap::new();
        for pointer in self.pointers(scope, session).await? {
            questions_by_gap.entry(pointer.gap_id).or_default().push((pointer.turn, pointer.part));
        }
        for (gap, questions) in questions_by_gap {
            self.erase_session_from(scope, &gap, session).await?;
            for (turn, part) in questions {
                let key = keys::gap_pointer(scope, session, turn, part);
                self.0.write(vec![Write::Delete { key, condition: None }]).await?;
            }
        }
        Ok(())
    }

    async fn erase_session_from(&self, scope: &Scope, gap: &GapId, session: &SessionId) -> Result<()> {
        let without = |seen: &Gap| Ok(forget(seen, session).unwrap_or_else(|| seen.clone()));
        self.update(scope, gap, without).await.map(drop)
    }

    /// The questions of a session that found no answer, oldest first: the number of the turn, which of its questions it
    /// is, and the gap.
    pub async fn list_questions(&self, scope: &Scope, session: &SessionId) -> Result<Vec<(u32, u32, GapId)>> {
        let pointers = self.pointers(scope, session).await?;
        Ok(pointers.into_iter().map(|pointer| (pointer.turn, pointer.part, pointer.gap_id)).collect())
    }

    async fn pointers(&self, scope: &Scope, session: &SessionId) -> Result<Vec<GapPointerRecord>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(GAP_QUESTIONS.into());
        let mut pointers = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            for item in page.items {
                pointers.push(record(item)?);
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(pointers),
            }
        }
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

/// The pointer from a session's question to its gap.
pub(super) fn pointer_item(
    scope: &Scope,
    session: &SessionId,
    gap_id: &GapId,
    (turn, part): (u32, u32),
) -> Result<Item> {
    let pointer = GapPointerRecord { gap_id: gap_id.clone(), turn, part };
    item(&keys::gap_pointer(scope, session, turn, part), ItemKind::GapPointer, &pointer)
}
