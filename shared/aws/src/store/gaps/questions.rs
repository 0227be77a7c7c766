//! The questions of gaps: an item each, in its session's partition, listed by its gap.
//!
//! The item is the mark that the question was counted, has the words, and is erased with its session.

use serde::Deserialize;

use super::record::{GapQuestionRecord, QuestionCard};
use super::{Gaps, replacement};
use crate::store::expression::Expression;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table::{Item, PartitionQuery, SortCondition, key_of, record};
use crate::store::transaction::{Tag, Transaction, Write, version_condition};
use crate::store::update::{Attempt, Basis, contended};
use domain::gaps::with_query;
use domain::models::{GapExample, GapId, MessageId, Scope, SessionId};
use domain::{Error, Result};

/// Questions of one session and gap that are erased in one transaction.
const ERASED_AT_ONCE: usize = 50;
/// Questions of a gap that are read at a time if the first of another session is looked for.
const QUESTIONS_PER_PAGE: i32 = 25;

/// The attributes of a question that lists read.
#[derive(Debug, Deserialize)]
struct ListedQuestion {
    pk: String,
    card: QuestionCard,
}

impl Gaps<'_> {
    /// The questions of a gap, newest first, before message `before`, at most `limit`; seen within a second.
    pub async fn list_questions(
        &self,
        scope: &Scope,
        gap: &GapId,
        before: Option<&MessageId>,
        limit: usize,
    ) -> Result<Vec<GapExample>> {
        let mut query = PartitionQuery::of_index("gsi1", keys::questions_of_gap(scope, gap));
        query.condition = before.map_or(SortCondition::Any, |before| SortCondition::Below(before.to_string()));
        query.forward = false;
        query.limit = i32::try_from(limit).ok();
        self.0.query(query).await?.items.into_iter().map(|found| Ok(example(found)?.0)).collect()
    }

    /// The questions of a session that found no answer, oldest first: each with its gap, the number of the turn, and
    /// which of the turn's questions it is.
    pub async fn list_of_session(
        &self,
        scope: &Scope,
        session: &SessionId,
    ) -> Result<Vec<(GapId, (u32, u32), GapExample)>> {
        let of = |found: GapQuestionRecord| (found.gap_id, (found.turn, found.part), found.card.of(session.clone()));
        Ok(self.of_session(scope, session).await?.into_iter().map(of).collect())
    }

    /// Erases what was asked in a session, wherever it was counted; counts stay. May be called again, and is nothing
    /// if nothing is left. A call that is cut off leaves less to the next one.
    pub async fn erase_session(&self, scope: &Scope, session: &SessionId) -> Result<()> {
        let mut asked = self.of_session(scope, session).await?;
        asked.sort_by(|a, b| a.gap_id.cmp(&b.gap_id));
        for of_gap in asked.chunk_by(|a, b| a.gap_id == b.gap_id) {
            for some in of_gap.chunks(ERASED_AT_ONCE) {
                self.erase_questions(scope, session, some).await?;
            }
        }
        Ok(())
    }

    /// Erases questions of one session and gap. If the gap has its first wording from the session, it gets that of
    /// another, which must be there still: of two sessions that are erased at once none keeps words of the other.
    async fn erase_questions(&self, scope: &Scope, session: &SessionId, asked: &[GapQuestionRecord]) -> Result<()> {
        let Some(gap) = asked.first().map(|question| &question.gap_id) else { return Ok(()) };
        let attempt = |_: Basis<()>| async move {
            let gone = asked.iter().map(|question| Write::Delete {
                key: keys::gap_question(scope, session, question.turn, question.part),
                condition: None,
            });
            let Some(seen) = self.get(scope, gap).await? else {
                return self.0.write_if(gone.collect::<Vec<_>>()).await.map(Attempt::of);
            };
            let transaction = if seen.query.as_ref().is_some_and(|first| first.session_id == *session) {
                // A gap of one session has no other wording.
                let next = if seen.sessions > 1 { self.first_besides(scope, gap, session).await? } else { None };
                let exists = Expression::new("attribute_exists(pk)");
                let is_there = |key| unchanged(key, ItemKind::GapQuestion, exists.clone());
                let (query, is_there) = next.map(|(query, key)| (query, is_there(key))).unzip();
                replacement(scope, seen.version, &with_query(&seen, query))?.with(Tag::Quoted, is_there)
            } else {
                Transaction::of(unchanged(keys::gap(scope, gap), ItemKind::Gap, version_condition(seen.version)))
            };
            self.0.write_if(transaction.with(Tag::Beside, gone)).await.map(Attempt::of)
        };
        self.0.retry(&contended(&keys::gap(scope, gap)), Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// The first question of a gap that was asked in another session, with its key.
    async fn first_besides(
        &self,
        scope: &Scope,
        gap: &GapId,
        session: &SessionId,
    ) -> Result<Option<(GapExample, keys::Key)>> {
        let mut query = PartitionQuery::of_index("gsi1", keys::questions_of_gap(scope, gap));
        query.limit = Some(QUESTIONS_PER_PAGE);
        loop {
            let page = self.0.query(query.clone()).await?;
            for found in page.items {
                let (example, key) = example(found)?;
                if example.session_id != *session {
                    return Ok(Some((example, key)));
                }
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(None),
            }
        }
    }
}

/// Holds while `condition` does, and changes nothing: who erases has no right to check an item without a write.
fn unchanged(key: keys::Key, kind: ItemKind, condition: Expression) -> Write {
    let update = Expression::new("SET kind = :kind").with(":kind", kind.attribute());
    Write::Update { key, update, condition: Some(condition) }
}

/// A question as the index has it, and its key.
fn example(found: Item) -> Result<(GapExample, keys::Key)> {
    let key = key_of(&found).ok_or_else(|| Error::internal("a question of a gap without a key"))?;
    let ListedQuestion { pk, card } = record(found)?;
    let session_id = keys::session_of_turn(&pk);
    let session_id = session_id.ok_or_else(|| Error::internal("a question of a gap outside every session"))?;
    Ok((card.of(session_id), key))
}
