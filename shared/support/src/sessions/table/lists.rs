//! Lists of sessions: by day of creation over gsi1, and those of a visitor and of an e-mail address by pointer. All
//! hold ids only; the sessions are then read from the table, so a list is as fresh as a read and a message writes no
//! index.
//!
//! An answer that a customer disliked has a pointer, named by its message. It is written and deleted with the reaction,
//! and erased with its session.

use domain::models::{Disposition, MessageId, Reaction, Scope, Session, SessionId, Timestamp, Turn};
use domain::{Result, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::sessions::table::{SessionRepository, session_of_item};
use crate::table::item::{Item, ItemKind, item, item_bytes, record};
use crate::table::keys::{self, IndexKey, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::Write;
use crate::table::{Consistency, PartitionQuery, SortCondition};

/// Days whose lists one call reads at the most; beyond, the caller gets a cursor.
const MAX_DAYS_PER_CALL: usize = 60;

/// Days that are read side by side, once the first gave too little.
const CONCURRENT_DAYS: i64 = 8;

const DAY_MS: i64 = 86_400_000;

/// Sessions that are read in one call of the table.
const SESSIONS_PER_READ: usize = 25;

/// How many of a visitor's sessions are read at a time if the latest is wanted.
const VISITOR_SESSIONS_PER_PAGE: usize = 20;

/// How many of a visitor's newest sessions are searched for an open one.
const MAX_VISITOR_SESSIONS: usize = 100;

/// The position where a list continues: behind a session, or with the newest session of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayCursor {
    /// When the session was created, or a moment of the day; unused for a visitor's list.
    #[serde(rename = "d")]
    pub at: Timestamp,
    /// The last session that was seen; none: from the newest.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub below: Option<SessionId>,
}

impl DayCursor {
    /// Begins with the newest session of the day of `at`.
    #[must_use]
    pub const fn newest_of_day(at: Timestamp) -> Self {
        Self { at, below: None }
    }

    fn behind((at, id): Place) -> Self {
        Self { at, below: Some(id) }
    }

    fn days_before(&self, days: i64) -> Self {
        Self::newest_of_day(self.at.plus_millis(-days * DAY_MS))
    }
}

/// Where a session stands in a list: by when it was created, and its id.
type Place = (Timestamp, SessionId);

/// How much one call reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageBound {
    /// So many sessions at the most, at least 1.
    pub limit: usize,
    /// After so many bytes of sessions no more are read.
    pub max_bytes: usize,
}

impl PageBound {
    /// At most `limit` sessions, and at most about 1 MiB.
    #[must_use]
    pub const fn of(limit: usize) -> Self {
        Self { limit, max_bytes: 1024 * 1024 }
    }
}

/// Sessions, newest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionPage {
    /// At most as many as asked for, each with the cursor just after it.
    pub sessions: Vec<(Session, DayCursor)>,
    /// Where the next page starts.
    pub next: Option<DayCursor>,
    /// How many bytes of sessions were read.
    pub bytes: usize,
}

/// Sessions that were read by id, with their places, newest first.
#[derive(Default)]
struct SessionsRead {
    sessions: Vec<(Session, Place)>,
    bytes: usize,
    /// The place of the last id that was looked at, if ids are left.
    stopped_at: Option<Place>,
}

impl SessionRepository<'_> {
    /// The sessions of a tenant and mode, newest first, down to the day `oldest`. A page may be short because of empty
    /// days or long sessions, and says where the list continues.
    pub async fn list(
        &self,
        scope: &Scope,
        from: DayCursor,
        oldest: Timestamp,
        bound: PageBound,
    ) -> Result<SessionPage> {
        let mut page = SessionPage::default();
        let mut days = vec![from];
        let mut days_read = 0;
        loop {
            days_read += days.len();
            let missing = bound.limit - page.sessions.len();
            let lists = days.iter().map(|day| self.list_ids_of_day(scope, day, missing));
            let mut last = DayCursor::newest_of_day(oldest);
            for (day, list) in days.iter().zip(futures::future::join_all(lists).await) {
                let (ids, more) = list?;
                last = day.clone();
                if ids.is_empty() {
                    continue;
                }
                let missing = bound.limit - page.sessions.len();
                let enough = ids.len() >= missing;
                let ids: Vec<_> = ids.into_iter().take(missing).collect();
                let last_id = ids.last().filter(|_| enough || more.is_some()).cloned();
                let read = self.get_sessions(scope, ids, bound.max_bytes.saturating_sub(page.bytes)).await?;
                let stopped_at = read.stopped_at.clone().or(last_id);
                page.add(read);
                if let Some(place) = stopped_at {
                    return Ok(page.before(DayCursor::behind(place)));
                }
            }
            let next = last.days_before(1);
            if next.at.day() < oldest.day() {
                return Ok(page);
            }
            if days_read >= MAX_DAYS_PER_CALL || page.bytes >= bound.max_bytes {
                return Ok(page.before(next));
            }
            days = next_days(&next, oldest);
        }
    }

    async fn list_ids_of_day(
        &self,
        scope: &Scope,
        day: &DayCursor,
        limit: usize,
    ) -> Result<(Vec<Place>, Option<Place>)> {
        let query = PartitionQuery::of_index("gsi1", sessions_of_day(scope, &day.at.day()));
        let below = day.below.as_ref().map(|id| session_by_day(scope, id, day.at).sk);
        self.newest_first(query, below, "gsi1sk", limit).await
    }

    /// A visitor's sessions, newest first.
    pub(in crate::sessions) async fn list_of_visitor(
        &self,
        scope: &Scope,
        visitor: &str,
        from: DayCursor,
        bound: PageBound,
    ) -> Result<SessionPage> {
        self.list_pointed(scope, visitor_sessions(scope, visitor), from, bound).await
    }

    /// The sessions of an e-mail address, compared in lower case, newest first.
    pub(in crate::sessions) async fn list_of_email(
        &self,
        scope: &Scope,
        email: &str,
        from: DayCursor,
        bound: PageBound,
    ) -> Result<SessionPage> {
        self.list_pointed(scope, email_sessions(scope, email), from, bound).await
    }

    /// The sessions that the items of a partition point to, newest first.
    async fn list_pointed(
        &self,
        scope: &Scope,
        pointers: String,
        from: DayCursor,
        bound: PageBound,
    ) -> Result<SessionPage> {
        let query = PartitionQuery::new(pointers);
        let below = from.below.map(|id| id.to_string());
        let (ids, more) = self.newest_first(query, below, "sk", bound.limit).await?;
        let read = self.get_sessions(scope, ids, bound.max_bytes).await?;
        let next = read.stopped_at.clone().or(more).map(DayCursor::behind);
        let mut page = SessionPage { next, ..SessionPage::default() };
        page.add(read);
        Ok(page)
    }

    /// Of a visitor's sessions that are `visible`, the newest open one; without an open one, the newest.
    pub(crate) async fn latest_of_visitor(
        &self,
        scope: &Scope,
        visitor: &str,
        visible: impl Fn(&Session) -> bool,
    ) -> Result<Option<Session>> {
        let (mut from, mut read, mut newest) = (DayCursor::newest_of_day(Timestamp::default()), 0, None);
        loop {
            let page = self.list_of_visitor(scope, visitor, from, PageBound::of(VISITOR_SESSIONS_PER_PAGE)).await?;
            read += page.sessions.len();
            let mut found = page.sessions.into_iter().map(|(session, _)| session).filter(&visible);
            newest = newest.or_else(|| found.next());
            let open = newest.iter().cloned().chain(found).find(|one| one.closing().is_none());
            match (open, page.next) {
                (Some(open), _) => return Ok(Some(open)),
                (None, Some(next)) if read < MAX_VISITOR_SESSIONS || newest.is_none() => from = next,
                (None, _) => return Ok(newest),
            }
        }
    }

    /// Places, newest first, and the place to continue from if there are more.
    async fn newest_first(
        &self,
        mut query: PartitionQuery,
        below: Option<String>,
        sort_key: &str,
        limit: usize,
    ) -> Result<(Vec<Place>, Option<Place>)> {
        query.forward = false;
        query.limit = i32::try_from(limit).ok();
        if let Some(below) = below {
            query.condition = SortCondition::Below(below);
        }
        let page = self.0.query(query).await?;
        let ids: Vec<_> = page.items.iter().filter_map(|item| place_of(item, sort_key)).collect();
        let more = page.next.and_then(|_| ids.last().cloned());
        Ok((ids, more))
    }

    /// Reads sessions by id until there are `max_bytes` of them.
    async fn get_sessions(&self, scope: &Scope, ids: Vec<Place>, max_bytes: usize) -> Result<SessionsRead> {
        let mut read = SessionsRead::default();
        let mut batches = ids.chunks(SESSIONS_PER_READ).peekable();
        while let Some(ids) = batches.next() {
            let keys: Vec<Key> = ids.iter().map(|(_, id)| keys::session(scope, id)).collect();
            for item in self.0.get_many_items(&keys, Consistency::Strong).await? {
                read.bytes += item_bytes(&item);
                let Some(session) = session_of_item(item)? else { continue };
                if let Some(place) = ids.iter().find(|(_, id)| *id == session.session_id) {
                    read.sessions.push((session, place.clone()));
                }
            }
            if read.bytes >= max_bytes && batches.peek().is_some() {
                read.stopped_at = ids.last().cloned();
                break;
            }
        }
        read.sessions.sort_by(|a, b| b.1.cmp(&a.1));
        Ok(read)
    }
}

impl SessionPage {
    fn add(&mut self, read: SessionsRead) {
        self.bytes += read.bytes;
        let with_cursor = |(session, place)| (session, DayCursor::behind(place));
        self.sessions.extend(read.sessions.into_iter().map(with_cursor));
    }

    /// The page before another one.
    fn before(self, next: DayCursor) -> Self {
        Self { next: Some(next), ..self }
    }
}

/// The place of an item: its sort key is a moment and an id, or an id alone.
fn place_of(item: &Item, sort_key: &str) -> Option<Place> {
    let key = item.get(sort_key)?.as_s().ok()?;
    match key.split_once('#') {
        Some((created_at, id)) => Some((keys::moment_of(created_at)?, SessionId::parse(id)?)),
        None => SessionId::parse(key).map(|id| (id.created_at(), id)),
    }
}

/// The days to read next: a few from `first` down, none before `oldest`.
fn next_days(first: &DayCursor, oldest: Timestamp) -> Vec<DayCursor> {
    let days = (0..CONCURRENT_DAYS).map(|n| first.days_before(n));
    days.take_while(|day| day.at.day() >= oldest.day()).collect()
}

/// An answer that a customer disliked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DislikedAnswer {
    pub session_id: SessionId,
    /// The message of the answer.
    pub message_id: MessageId,
}

impl SessionRepository<'_> {
    /// The answers that are disliked, newest first, older than `after`; consistent.
    pub(crate) async fn list_disliked(
        &self,
        scope: &Scope,
        after: Option<&MessageId>,
        limit: usize,
    ) -> Result<CursorPage<DislikedAnswer, MessageId>> {
        let mut query = PartitionQuery::new(disliked_answers(scope));
        query.forward = false;
        query.condition = after.map_or(SortCondition::Any, |after| SortCondition::Below(after.to_string()));
        let page = self.0.cursor_page(query, limit).await?;
        page.try_map(record, |sk| MessageId::parse(&sk))
    }
}

/// The pointer to an answer if it is disliked. Small talk is no answer, as in the figures.
pub(crate) fn dislike_item(scope: &Scope, id: &SessionId, turn: &Turn) -> Result<Option<Item>> {
    let ai = turn.ai().filter(|ai| ai.disposition != Disposition::SmallTalk);
    if !ai.is_some_and(|ai| ai.reactions.contains(&Reaction::ThumbsDown)) {
        return Ok(None);
    }
    let key = disliked_answer_key(scope, &turn.message_id);
    let disliked = DislikedAnswer { session_id: id.clone(), message_id: turn.message_id.clone() };
    item(&key, ItemKind::DislikedAnswer, &disliked).map(Some)
}

/// The pointer that the reactions of `turn` call for, if they were `before`.
pub(super) fn dislike_write(scope: &Scope, id: &SessionId, turn: &Turn, before: &[Reaction]) -> Result<Option<Write>> {
    let was = before.contains(&Reaction::ThumbsDown);
    Ok(match dislike_item(scope, id, turn)? {
        Some(item) if !was => Some(Write::put(item)),
        None if was => Some(Write::delete(disliked_answer_key(scope, &turn.message_id))),
        _ => None,
    })
}

/// The answers that customers disliked, oldest first.
fn disliked_answers(s: &Scope) -> String {
    format!("{}#DISLIKED", keys::scope(s))
}

/// The pointer to one of them, by its message.
fn disliked_answer_key(s: &Scope, answer: &MessageId) -> Key {
    Key::new(disliked_answers(s), answer.as_str())
}

/// A visitor's sessions, by id, which is by time.
pub(super) fn visitor_session_key(s: &Scope, external_user_id: &str, id: &SessionId) -> Key {
    Key::new(visitor_sessions(s, external_user_id), id.as_str())
}

fn visitor_sessions(s: &Scope, external_user_id: &str) -> String {
    format!("{}#USER#{}", keys::scope(s), sha256_hex(external_user_id.as_bytes()))
}

/// A session among those of an e-mail address, which is compared in lower case.
pub(super) fn email_session_key(s: &Scope, email: &str, id: &SessionId) -> Key {
    Key::new(email_sessions(s, email), id.as_str())
}

fn email_sessions(s: &Scope, email: &str) -> String {
    format!("{}#MAIL#{}", keys::scope(s), sha256_hex(email.to_ascii_lowercase().as_bytes()))
}

/// gsi1: a day's sessions, by creation. `day` is `YYYY-MM-DD`.
fn sessions_of_day(s: &Scope, day: &str) -> String {
    format!("{}#SESSIONS#{day}", keys::scope(s))
}

pub(super) fn session_by_day(s: &Scope, id: &SessionId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: sessions_of_day(s, &created_at.day()), sk: format!("{}#{id}", keys::moment(created_at)) }
}
