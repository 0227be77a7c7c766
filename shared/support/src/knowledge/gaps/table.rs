//! Knowledge gaps: one item a gap, replaced under its next version, and a second one that lists gaps by the time they
//! were last asked. The indexes hold ids only; the gaps are then read from the table.
//!
//! Each question is an item in its session's partition, listed by its gap and written in the transaction that counts
//! it. So a repeated delivery counts once, a session counts once in a gap, and the erasure of a session finds what to
//! remove.
//!
//! The progress of a tenant's review of its gaps: one item, which exists while a review is due.
//!
//! `pending` says that the wiki changed and no walk has begun since; `place` is the position of a walk. A walk clears
//! `pending` when it begins, and ends only if it is still clear.

use std::collections::HashMap;

use domain::gaps::{UnansweredQuestion, with_query};
use domain::models::{Gap, GapExample, GapId, GapStatus, MessageId, Scope, SessionId, Timestamp, Total};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{
    self, Expression, Item, ItemKind, item, key_of, key_only_item, number, record, set_gsi1_key, text, value,
};
use crate::table::keys::{self, IndexKey, Key, moment};
use crate::table::transaction::{Tag, Transaction, Write, version_condition};
use crate::table::update::{Attempt, Basis, Decision, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

repository!(gaps: Gaps);

impl Gaps<'_> {
    /// A gap, consistently.
    pub(in crate::knowledge) async fn get(&self, scope: &Scope, id: &GapId) -> Result<Option<Gap>> {
        self.0.get(&gap_key(scope, id), Consistency::Strong).await
    }

    /// Adds a question to its gap; one that was added before changes nothing.
    pub(super) async fn add_question(&self, scope: &Scope, asked: &UnansweredQuestion) -> Result<()> {
        let attempt = |_: Basis<()>| self.try_add(scope, asked);
        self.0.retry(&contended(&gap_key(scope, &asked.gap_id)), Basis::Read, self.0.default_deadline(), attempt).await
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
    pub(super) async fn replace(&self, scope: &Scope, seen: &Gap, after: &Gap) -> Result<bool> {
        self.0.write_if(replacement(scope, seen.version, after)?).await
    }

    /// Changes a gap by `decide`, over and over until no other change came between; the gap after that, none if
    /// there is none. What `decide` leaves as it is is not written.
    pub(super) async fn update(
        &self,
        scope: &Scope,
        id: &GapId,
        decide: impl Fn(&Gap) -> Result<Gap>,
    ) -> Result<Option<Gap>> {
        let decide = |seen: Option<Gap>| {
            let Some(seen) = seen else { return Ok(Decision::Keep(None)) };
            let after = decide(&seen)?;
            if after == seen {
                return Ok(Decision::Keep(Some(after)));
            }
            Ok(Decision::Write(replacement(scope, seen.version, &after)?, Some(after)))
        };
        self.0.update(&gap_key(scope, id), Basis::Read, self.0.default_deadline(), decide).await
    }
}

/// Both items of a gap, on condition that it is still at `version`; 0: that there is none.
fn replacement(scope: &Scope, version: u64, after: &Gap) -> Result<Transaction> {
    let (gap, seen) = items(scope, after)?;
    let seen = Write::put(seen);
    Ok(Transaction::of(Write::replace(gap, version)).with(Tag::Beside, [seen]))
}

/// Both items of a gap: itself, and the one that lists it by time.
pub(crate) fn gap_items(scope: &Scope, gap: &Gap) -> Result<Vec<Item>> {
    items(scope, gap).map(|(gap, seen)| vec![gap, seen])
}

/// The order of a list of gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapOrder {
    /// Most asked first.
    Count,
    /// Last asked first.
    Recent,
}

/// The filter of a list of gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapFilter {
    /// Those of one status.
    pub status: GapStatus,
    /// Those asked at this moment or later.
    pub since: Timestamp,
    pub order: GapOrder,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct GapPage {
    /// In the requested order.
    pub gaps: Vec<Gap>,
    /// How many there are on all pages.
    pub total: Total,
}

impl Gaps<'_> {
    /// The gaps after the first `offset`, at most `limit`; a change is seen within a second.
    pub(super) async fn list(&self, scope: &Scope, filter: &GapFilter, offset: usize, limit: usize) -> Result<GapPage> {
        let slice = self.0.offset_page(filter.query(scope), (offset, limit), usize::MAX).await?;
        let ids: Vec<Key> = slice.items.iter().filter_map(|item| key_of_gap(scope, item)).collect();
        Ok(GapPage { gaps: self.read(&ids).await?, total: slice.total })
    }

    /// All gaps, of any status, as far as one answer holds, from `after` on; and where the next page starts. Consistent.
    pub(crate) async fn list_all(&self, scope: &Scope, after: Option<&GapId>) -> Result<(Vec<Gap>, Option<GapId>)> {
        let mut query = PartitionQuery::new(gaps_partition(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.to_string()));
        let page = self.0.query(query).await?;
        let gaps = page.items.into_iter().map(record::<Gap>).collect::<Result<Vec<_>>>()?;
        let next = gaps.last().map(|gap| gap.gap_id.clone()).filter(|_| page.next.is_some());
        Ok((gaps, next))
    }

    /// Gaps by key, in the order of the keys; those that are gone are left out.
    async fn read(&self, keys: &[Key]) -> Result<Vec<Gap>> {
        let mut found = HashMap::new();
        for some in keys.chunks(100) {
            for gap in self.0.get_many::<Gap>(some, Consistency::Strong).await? {
                found.insert(gap.gap_id.as_str().to_owned(), gap);
            }
        }
        Ok(keys.iter().filter_map(|key| found.remove(&key.sk)).collect())
    }
}

/// The gap of an item of either index: both have its id as their sort key.
fn key_of_gap(scope: &Scope, item: &Item) -> Option<Key> {
    let id = GapId::parse(item.get("sk")?.as_s().ok()?)?;
    Some(gap_key(scope, &id))
}

impl GapFilter {
    fn query(&self, scope: &Scope) -> PartitionQuery {
        let since = moment(self.since);
        let mut query = match self.order {
            GapOrder::Count => {
                let seen_since = Expression::new("card.lastSeenAt >= :since").with(":since", text(since));
                let by_count = PartitionQuery::of_index("gsi1", gaps_by_count(scope, self.status.as_str()));
                PartitionQuery { filter: Some(seen_since), ..by_count }
            }
            GapOrder::Recent => {
                let by_time = PartitionQuery::of_index("gsi1", gaps_by_time(scope, self.status.as_str()));
                PartitionQuery { condition: SortCondition::Between(since, "~".into()), ..by_time }
            }
        };
        query.forward = false;
        query
    }
}

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
    pub(in crate::knowledge) async fn list_questions(
        &self,
        scope: &Scope,
        gap: &GapId,
        before: Option<&MessageId>,
        limit: usize,
    ) -> Result<Vec<GapExample>> {
        let mut query = PartitionQuery::of_index("gsi1", questions_of_gap(scope, gap));
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
            let gone = asked
                .iter()
                .map(|question| Write::delete(gap_question_key(scope, session, question.turn, question.part)));
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
                Transaction::of(unchanged(gap_key(scope, gap), ItemKind::Gap, version_condition(seen.version)))
            };
            self.0.write_if(transaction.with(Tag::Beside, gone)).await.map(Attempt::of)
        };
        self.0.retry(&contended(&gap_key(scope, gap)), Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// The first question of a gap that was asked in another session, with its key.
    async fn first_besides(
        &self,
        scope: &Scope,
        gap: &GapId,
        session: &SessionId,
    ) -> Result<Option<(GapExample, keys::Key)>> {
        let mut query = PartitionQuery::of_index("gsi1", questions_of_gap(scope, gap));
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

/// The record of a session's question that found no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GapQuestionRecord {
    gap_id: GapId,
    /// The number of the customer's turn.
    turn: u32,
    /// The place of the question in its turn, from 0.
    #[serde(default)]
    part: u32,
    /// How the customer put it; lists show it.
    card: QuestionCard,
}

/// How a customer put a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuestionCard {
    message_id: MessageId,
    asked_at: Timestamp,
    text: String,
}

impl QuestionCard {
    /// The question of a session.
    fn of(self, session_id: SessionId) -> GapExample {
        let Self { message_id, asked_at, text } = self;
        GapExample { session_id, message_id, asked_at, text }
    }
}

/// The attributes for lists, besides the key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Card {
    /// A moment as sortable text.
    last_seen_at: String,
}

/// The gap itself, listed by its count, and the item that lists it by the time it was last asked.
fn items(scope: &Scope, gap: &Gap) -> Result<(Item, Item)> {
    let mut stored = item(&gap_key(scope, &gap.gap_id), ItemKind::Gap, gap)?;
    set_gsi1_key(&mut stored, &gap_by_count(scope, gap.status.as_str(), gap.count, gap.last_seen_at, &gap.gap_id));
    stored.insert("card".into(), value(&Card { last_seen_at: moment(gap.last_seen_at) })?);
    let mut seen = key_only_item(&gap_by_last_seen_key(scope, &gap.gap_id), ItemKind::GapByLastSeen);
    set_gsi1_key(&mut seen, &gap_by_time(scope, gap.status.as_str(), gap.last_seen_at, &gap.gap_id));
    Ok((stored, seen))
}

/// A question of a gap, in its session's partition.
pub(crate) fn question_item(scope: &Scope, gap: &GapId, (turn, part): (u32, u32), asked: &GapExample) -> Result<Item> {
    let GapExample { session_id, message_id, asked_at, text } = asked.clone();
    let by_time = gap_question_by_time(scope, gap, &message_id, part);
    let card = QuestionCard { message_id, asked_at, text };
    let stored = GapQuestionRecord { gap_id: gap.clone(), turn, part, card };
    let mut stored = item(&gap_question_key(scope, &session_id, turn, part), ItemKind::GapQuestion, &stored)?;
    set_gsi1_key(&mut stored, &by_time);
    Ok(stored)
}

/// Every gap of a tenant and mode.
fn gaps_partition(s: &Scope) -> String {
    format!("{}#GAP", keys::scope(s))
}

fn gap_key(s: &Scope, id: &GapId) -> Key {
    Key::new(gaps_partition(s), id.as_str())
}

/// The item by which a gap is listed by time.
fn gap_by_last_seen_key(s: &Scope, id: &GapId) -> Key {
    Key::new(format!("{}#GAPSEEN", keys::scope(s)), id.as_str())
}

/// gsi1: the gaps of one status, by how often they were asked.
fn gaps_by_count(s: &Scope, status: &str) -> String {
    format!("{}#GAPS#{status}", keys::scope(s))
}

fn gap_by_count(s: &Scope, status: &str, count: u64, last_seen_at: Timestamp, id: &GapId) -> IndexKey {
    IndexKey { pk: gaps_by_count(s, status), sk: format!("{count:012}#{}#{id}", keys::moment(last_seen_at)) }
}

/// gsi1: the gaps of one status, by when they were last asked.
fn gaps_by_time(s: &Scope, status: &str) -> String {
    format!("{}#GAPSEEN#{status}", keys::scope(s))
}

fn gap_by_time(s: &Scope, status: &str, last_seen_at: Timestamp, id: &GapId) -> IndexKey {
    IndexKey { pk: gaps_by_time(s, status), sk: format!("{}#{id}", keys::moment(last_seen_at)) }
}

/// The beginning of the sort key of every question without an answer, in its session's partition.
const GAP_QUESTIONS: &str = "GAP#";

/// A question of a session, one of those of a turn, that its gap counted.
fn gap_question_key(s: &Scope, id: &SessionId, number: u32, part: u32) -> Key {
    let part = if part == 0 { String::new() } else { format!("#{part}") };
    Key::new(keys::session_partition(s, id), format!("{GAP_QUESTIONS}{number:08}{part}"))
}

/// gsi1: the questions of a gap, oldest first.
fn questions_of_gap(s: &Scope, id: &GapId) -> String {
    format!("{}#GAPASKED#{id}", keys::scope(s))
}

fn gap_question_by_time(s: &Scope, id: &GapId, message: &MessageId, part: u32) -> IndexKey {
    IndexKey { pk: questions_of_gap(s, id), sk: format!("{message}#{part}") }
}

/// How long a review waits for the index to have what changed, and for more changes, in milliseconds.
const REVIEW_DELAY_MS: i64 = 2_000;

/// Gaps that were not asked for this many days are not reviewed.
const REVIEW_WINDOW_DAYS: i64 = 90;

/// The position of a walk among the gaps of one status, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewCursor {
    status: GapStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    below: Option<String>,
}

/// A review that is due or under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapReview {
    /// When it continues.
    pub due_at: Timestamp,
    /// Its position; none before it begins.
    #[serde(default)]
    pub place: Option<ReviewCursor>,
    version: u64,
}

/// Some gaps to ask, and the next position; none at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewPage {
    pub gaps: Vec<Gap>,
    /// The next position.
    pub next: Option<ReviewCursor>,
}

impl GapReview {
    /// Whether it has not begun yet, or begins again.
    #[must_use]
    pub(super) const fn is_at_start(&self) -> bool {
        self.place.is_none()
    }
}

impl Gaps<'_> {
    /// Makes a review due, if none waits already.
    pub(crate) async fn schedule_review(&self, scope: &Scope) -> Result<()> {
        let key = gap_review_key(scope);
        let due_at = self.0.runtime.now().plus_millis(REVIEW_DELAY_MS);
        let due = keys::due(&key, due_at);
        let update = Expression::new(
            "SET kind = :kind, pending = :yes, dueAt = :at, gsi2pk = :pk, gsi2sk = :sk, version = if_not_exists(version, :zero)",
        )
        .with(":kind", ItemKind::GapReview.attribute())
        .with(":yes", value(&true)?)
        .with(":at", value(&due_at)?)
        .with(":pk", text(due.pk))
        .with(":sk", text(due.sk))
        .with(":zero", number(0));
        let none_waits = Some(Expression::new("attribute_not_exists(pending)"));
        self.0.write_if(Write::Update { key, update, condition: none_waits }).await.map(drop)
    }

    /// The review that is due, if one is.
    pub(super) async fn get_review(&self, scope: &Scope) -> Result<Option<GapReview>> {
        self.0.get(&gap_review_key(scope), Consistency::Strong).await
    }

    /// Begins a walk: what changes from now on calls for another. False if another sweep was faster.
    pub(super) async fn begin_review(&self, scope: &Scope, review: &mut GapReview) -> Result<bool> {
        review.place = Some(ReviewCursor { status: GapStatus::Open, below: None });
        self.write(scope, review, "REMOVE pending").await
    }

    /// Stores the position of a walk, due at once. False if another sweep was faster.
    pub(super) async fn save_cursor(&self, scope: &Scope, review: &mut GapReview) -> Result<bool> {
        self.write(scope, review, "REMOVE dueFailures").await
    }

    /// Ends a walk; false if the wiki changed meanwhile, or another sweep was faster.
    pub(super) async fn end_review(&self, scope: &Scope, review: &GapReview) -> Result<bool> {
        let unchanged = Expression::new("version = :seen AND attribute_not_exists(pending)");
        let condition = Some(unchanged.with(":seen", number(review.version)));
        self.0.write_if(Write::Delete { key: gap_review_key(scope), condition }).await
    }

    async fn write(&self, scope: &Scope, review: &mut GapReview, more: &str) -> Result<bool> {
        let key = gap_review_key(scope);
        let now = self.0.runtime.now();
        let update = Expression::new(format!("SET place = :place, version = :next, dueAt = :at, gsi2sk = :sk {more}"))
            .with(":place", value(&review.place)?)
            .with(":next", number(review.version + 1))
            .with(":at", value(&now)?)
            .with(":sk", text(keys::due(&key, now).sk));
        let condition = Some(Expression::new("version = :seen").with(":seen", number(review.version)));
        let written = self.0.write_if(Write::Update { key, update, condition }).await?;
        review.version += u64::from(written);
        Ok(written)
    }

    /// The next gaps of a walk, at most `limit`.
    pub(super) async fn list_to_review(&self, scope: &Scope, review: &GapReview, limit: usize) -> Result<ReviewPage> {
        let Some(ReviewCursor { status, below }) = review.place.clone() else {
            return Ok(ReviewPage { gaps: Vec::new(), next: None });
        };
        let mut query = PartitionQuery::of_index("gsi1", gaps_by_time(scope, status.as_str()));
        query.forward = false;
        query.limit = i32::try_from(limit).ok();
        if let Some(below) = below {
            query.condition = SortCondition::Below(below);
        }
        let page = self.0.query(query).await?;
        let oldest = moment(self.0.runtime.now().plus_hours(-24 * REVIEW_WINDOW_DAYS));
        let place = |item: &item::Item| item.get("gsi1sk")?.as_s().ok().cloned();
        let recent = page.items.iter().filter(|item| place(item).is_some_and(|place| place >= oldest));
        let keys: Vec<Key> = recent.clone().filter_map(|item| key_of_gap(scope, item)).collect();
        let all_recent = recent.count() == page.items.len();
        let last = page.items.last().and_then(place).filter(|_| all_recent && page.next.is_some());
        let next = match (last, status) {
            (Some(below), status) => Some(ReviewCursor { status, below: Some(below) }),
            (None, GapStatus::Open) => Some(ReviewCursor { status: GapStatus::Resolved, below: None }),
            // A dismissed gap is not asked again.
            (None, GapStatus::Resolved | GapStatus::Dismissed) => None,
        };
        Ok(ReviewPage { gaps: self.read(&keys).await?, next })
    }
}

/// The review of a tenant's gaps.
pub(crate) fn gap_review_key(s: &Scope) -> Key {
    Key::new(format!("{}#GAPREVIEW", keys::scope(s)), "REVIEW")
}
