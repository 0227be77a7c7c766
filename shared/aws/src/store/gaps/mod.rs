//! Knowledge gaps: one item a gap, replaced under its next version, and a second one that lists gaps by the time they
//! were last asked.
//!
//! Each question leaves a pointer in its session's partition, written in the transaction that counts it. So a repeated
//! delivery counts once, a session counts once in a gap, and the erasure of a session finds what to remove.

mod list;
mod record;
mod review;

use std::collections::BTreeSet;

pub use list::{GapFilter, GapOrder, GapPage};
use record::{GapRecord, PointerRecord, items};
pub use review::{GapReview, GapsToReview};

use super::Store;
use super::expression::Expression;
use super::keys::{self, GAP_QUESTIONS};
use super::line::Contest;
use super::table::{Consistency, PartitionQuery, SortCondition, item, number, record};
use super::transaction::{Refused, Write};
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
    pub async fn add(&self, scope: &Scope, asked: &UnansweredQuestion) -> Result<()> {
        let mut contest = self.contest(scope, &asked.gap_id);
        loop {
            // The gap first: what another question of this session adds after this read fails the condition below.
            let seen = self.get(scope, &asked.gap_id).await?;
            let pointers = self.pointers(scope, &asked.session_id).await?;
            if pointers.iter().any(|pointer| pointer.turn == asked.turn) {
                return Ok(());
            }
            let new_session = pointers.iter().all(|pointer| pointer.gap_id != asked.gap_id);
            let version = seen.as_ref().map(|gap| gap.version);
            let after = asked.merge_into(seen, new_session);
            let pointer = PointerRecord { gap_id: asked.gap_id.clone(), turn: asked.turn };
            let key = keys::gap_question(scope, &asked.session_id, asked.turn);
            let mut writes = replacement(scope, version, &after)?;
            writes.push(Write::create(item(&key, "gap_question", &pointer)?));
            match self.0.transact(writes, None).await {
                Ok(()) => return Ok(()),
                Err(Refused::Condition(_)) => contest.lost().await?,
                Err(refused) => return Err(refused.into_error()),
            }
        }
    }

    /// Replaces a gap that is still as it was read; false where it moved on.
    pub async fn replace(&self, scope: &Scope, seen: &Gap, after: &Gap) -> Result<bool> {
        match self.0.transact(replacement(scope, Some(seen.version), after)?, None).await {
            Ok(()) => Ok(true),
            Err(Refused::Condition(_)) => Ok(false),
            Err(refused) => Err(refused.into_error()),
        }
    }

    /// Changes a gap by `decide`, over and over until no other change came between; the gap after that, none where there
    /// is none. What `decide` leaves as it is is not written.
    pub async fn change(&self, scope: &Scope, id: &GapId, decide: impl Fn(&Gap) -> Result<Gap>) -> Result<Option<Gap>> {
        let mut contest = self.contest(scope, id);
        loop {
            let Some(seen) = self.get(scope, id).await? else { return Ok(None) };
            let after = decide(&seen)?;
            if after == seen || self.replace(scope, &seen, &after).await? {
                return Ok(Some(after));
            }
            contest.lost().await?;
        }
    }

    /// Forgets what was said in a session, wherever it is an example; counts stay. May be called again, and is nothing
    /// where nothing is left.
    pub async fn forget_session(&self, scope: &Scope, session: &SessionId) -> Result<()> {
        let pointers = self.pointers(scope, session).await?;
        let gaps: BTreeSet<&GapId> = pointers.iter().map(|pointer| &pointer.gap_id).collect();
        for gap in gaps {
            self.forget(scope, gap, session).await?;
        }
        for pointer in &pointers {
            let key = keys::gap_question(scope, session, pointer.turn);
            let gone = Write::Delete { key, condition: None };
            self.0.transact(vec![gone], None).await.map_err(Refused::into_error)?;
        }
        Ok(())
    }

    async fn forget(&self, scope: &Scope, gap: &GapId, session: &SessionId) -> Result<()> {
        let mut contest = self.contest(scope, gap);
        loop {
            let Some(seen) = self.get(scope, gap).await? else { return Ok(()) };
            let Some(after) = forget(&seen, session) else { return Ok(()) };
            if self.replace(scope, &seen, &after).await? {
                return Ok(());
            }
            contest.lost().await?;
        }
    }

    async fn pointers(&self, scope: &Scope, session: &SessionId) -> Result<Vec<PointerRecord>> {
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

    fn contest(&self, scope: &Scope, gap: &GapId) -> Contest<'_> {
        self.0.contest(&keys::gap(scope, gap), self.0.patience())
    }
}

/// Both items of a gap, on condition that it is still at `version`; none: that there is none.
fn replacement(scope: &Scope, version: Option<u64>, after: &Gap) -> Result<Vec<Write>> {
    let (gap, seen) = items(scope, after)?;
    let unchanged = match version {
        None => Expression::new("attribute_not_exists(pk)"),
        Some(version) => Expression::new("version = :seen").with(":seen", number(version)),
    };
    Ok(vec![Write::Put { item: gap, condition: Some(unchanged) }, Write::Put { item: seen, condition: None }])
}
