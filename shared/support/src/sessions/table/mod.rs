//! Sessions with their turns and requests for a human.
//!
//! Everything that changes a session is a [`changes::SessionChange`]: one transaction under the condition that the session is
//! still the one that was read. [`SessionRepository::update`] decides again if it is not.

pub mod changes;
pub mod erasure;
pub mod escalations;
pub mod lists;

use std::collections::BTreeSet;

use domain::models::{Scope, Session, SessionId, Settings, Turn};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{self, Item, ItemKind, item_bytes, record};
use crate::table::keys::{self, Key};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// How many turns are read at a time if it is not known how many are wanted.
const TURNS_PER_PAGE: i32 = 50;

/// Turns in which one answer's messages are looked for at a time.
const ANSWERED_SEARCH_TURNS: i32 = 200;

repository!(sessions: SessionRepository);

/// A session with its newest turns, read together.
#[derive(Debug, Clone)]
pub struct SessionWithTurns {
    pub session: Session,
    /// Its newest turns, oldest first.
    pub recent: Vec<Turn>,
    /// The tenant's settings.
    pub settings: Settings,
}

/// Turns in order, as far as one answer holds.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnPage {
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// There are more after the last.
    pub has_more: bool,
}

impl SessionRepository<'_> {
    /// A session, consistently.
    pub async fn get(&self, scope: &Scope, id: &SessionId) -> Result<Option<Session>> {
        let found = self.0.get_item(&keys::session(scope, id), Consistency::Strong).await?;
        Ok(found.map(session_of_item).transpose()?.flatten())
    }

    /// Those of these sessions that are there, consistently.
    pub(crate) async fn list_existing(&self, scope: &Scope, ids: &BTreeSet<SessionId>) -> Result<BTreeSet<SessionId>> {
        let wanted: Vec<keys::Key> = ids.iter().map(|id| keys::session(scope, id)).collect();
        let found = self.0.get_many_items(&wanted, Consistency::Strong).await?;
        let sessions = found.into_iter().filter_map(|item| session_of_item(item).transpose());
        sessions.map(|session| session.map(|session| session.session_id)).collect()
    }

    /// A session with its newest `recent` turns, by one query, and the tenant's settings.
    ///
    /// # Errors 404 when there is no such session.
    pub(crate) async fn get_with_turns(&self, scope: &Scope, id: &SessionId, recent: u16) -> Result<SessionWithTurns> {
        let both = turns_query(scope, id, SortCondition::Between(TURN_PREFIX.into(), keys::SESSION.into()));
        let tenant_settings = self.0.settings();
        let (items, settings) = tokio::join!(self.list_last(both, usize::from(recent) + 1), tenant_settings.get(scope));
        let mut items = items?.into_iter();
        let session = items.next().filter(|item| ItemKind::of(item) != Some(ItemKind::Turn)).map(session_of_item);
        let session = session.transpose()?.flatten().ok_or_else(|| Error::not_found("session"))?;
        Ok(SessionWithTurns { session, recent: read_turns(items.rev())?, settings: settings? })
    }

    /// One turn by its number, consistently.
    pub(crate) async fn get_turn(&self, scope: &Scope, id: &SessionId, number: u32) -> Result<Option<Turn>> {
        self.0.get(&turn_key(scope, id, number), Consistency::Strong).await
    }

    /// The newest `count` turns, oldest first.
    pub(crate) async fn list_last_turns(&self, scope: &Scope, id: &SessionId, count: u16) -> Result<Vec<Turn>> {
        let query = turns_query(scope, id, SortCondition::Prefix(TURN_PREFIX.into()));
        read_turns(self.list_last(query, count.into()).await?.into_iter().rev())
    }

    /// The last `count` items of a query, the last first.
    async fn list_last(&self, mut query: PartitionQuery, count: usize) -> Result<Vec<Item>> {
        query.forward = false;
        let mut items = Vec::new();
        loop {
            // A page ends at 1 MB, be it full or not.
            query.limit = i32::try_from(count - items.len()).ok();
            let page = self.0.query(query.clone()).await?;
            items.extend(page.items);
            query.start = page.next;
            if items.len() >= count || query.start.is_none() {
                return Ok(items);
            }
        }
    }

    /// Of the turns after the newest that `stops`, the newest `most` that are `wanted`, oldest first. Reads a page at a
    /// time, and none after the last that is needed.
    pub(crate) async fn list_newest_until(
        &self,
        scope: &Scope,
        id: &SessionId,
        stops: impl Fn(&Turn) -> bool + Send + Sync,
        wanted: impl Fn(&Turn) -> bool + Send + Sync,
        most: usize,
    ) -> Result<Vec<Turn>> {
        let mut query = turns_query(scope, id, SortCondition::Prefix(TURN_PREFIX.into()));
        query.forward = false;
        query.limit = Some(TURNS_PER_PAGE);
        let mut turns = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            query.start = page.next;
            for turn in read_turns(page.items)? {
                if turns.len() == most || stops(&turn) {
                    query.start = None;
                    break;
                }
                if wanted(&turn) {
                    turns.push(turn);
                }
            }
            if turns.len() == most || query.start.is_none() {
                turns.reverse();
                return Ok(turns);
            }
        }
    }

    /// The newest `most` turns before number `below`, oldest first, as many as one page of the table holds, and how many
    /// bytes were read.
    pub(crate) async fn list_turns_below(
        &self,
        scope: &Scope,
        id: &SessionId,
        below: u32,
        most: i32,
    ) -> Result<(Vec<Turn>, usize)> {
        let last = format!("{TURN_PREFIX}{:08}", below.saturating_sub(1).min(99_999_999));
        let mut query = turns_query(scope, id, SortCondition::Between(format!("{TURN_PREFIX}{:08}", 0), last));
        query.forward = false;
        query.limit = Some(most);
        let items = self.0.query(query).await?.items;
        let bytes = items.iter().map(item_bytes).sum();
        let mut turns = read_turns(items)?;
        turns.reverse();
        Ok((turns, bytes))
    }

    /// The turns after number `after`, oldest first, consistently: at most `limit`, and at most about `max_bytes` of
    /// text.
    pub async fn list_turns_after(
        &self,
        scope: &Scope,
        id: &SessionId,
        after: u32,
        limit: Option<usize>,
        max_bytes: usize,
    ) -> Result<TurnPage> {
        let (first, last) = (format!("{TURN_PREFIX}{:08}", after.saturating_add(1)), format!("{TURN_PREFIX}99999999"));
        let mut query = turns_query(scope, id, SortCondition::Between(first, last));
        let mut turns: Vec<Turn> = Vec::new();
        let mut bytes = 0;
        loop {
            query.limit = limit.and_then(|limit| i32::try_from(limit.saturating_sub(turns.len()) + 1).ok());
            let page = self.0.query(query.clone()).await?;
            for turn in read_turns(page.items)? {
                bytes += rendered_bytes(&turn);
                if limit.is_some_and(|limit| turns.len() >= limit) || (bytes > max_bytes && !turns.is_empty()) {
                    return Ok(TurnPage { turns, has_more: true });
                }
                turns.push(turn);
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(TurnPage { turns, has_more: false }),
            }
        }
    }

    /// The customer's turns that an AI turn answers, oldest first. Reads back from the answer, no further than the first.
    pub(crate) async fn list_answered_by(&self, scope: &Scope, id: &SessionId, answer: &Turn) -> Result<Vec<Turn>> {
        let Some(ai) = answer.ai() else { return Ok(Vec::new()) };
        if ai.queries <= 1 {
            return Ok(self.get_turn(scope, id, ai.answers).await?.into_iter().collect());
        }
        let (mut found, mut below) = (Vec::new(), answer.number);
        loop {
            let (page, _) = self.list_turns_below(scope, id, below, ANSWERED_SEARCH_TURNS).await?;
            below = page.first().map_or(0, |turn| turn.number);
            found.extend(page.into_iter().rev().filter(|turn| turn.answered_by() == Some(answer.number)));
            if below <= 1 || u32::try_from(found.len()).is_ok_and(|found| found >= ai.queries) {
                found.reverse();
                return Ok(found);
            }
        }
    }
}

fn turns_query(scope: &Scope, id: &SessionId, condition: SortCondition) -> PartitionQuery {
    PartitionQuery { condition, ..PartitionQuery::new(keys::session(scope, id).pk) }
}

/// The size of a turn in a list, in bytes of JSON: an answer is there twice, as `content` and as `answer`.
fn rendered_bytes(turn: &Turn) -> usize {
    let text = json_bytes(&turn.content) * if turn.ai().is_some() { 2 } else { 1 };
    let sources: usize = turn.sources().iter().map(|s| 120 + s.path.as_str().len() + json_bytes(&s.title)).sum();
    text + sources + 600
}

/// The length of a text as a JSON string, without its quotes.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

fn read_turns(items: impl IntoIterator<Item = Item>) -> Result<Vec<Turn>> {
    items.into_iter().map(record).collect()
}

/// The session of an item; none if what is there is a tombstone.
fn session_of_item(item: Item) -> Result<Option<Session>> {
    if item.contains_key(ERASED_AT) {
        return Ok(None);
    }
    item::record(item).map(Some)
}

/// An attribute that only a tombstone has.
const ERASED_AT: &str = "erasedAt";

/// The stored result of a request that stored a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTurn {
    /// The turn's number.
    pub turn: u32,
}

/// The beginning of the sort key of every turn.
const TURN_PREFIX: &str = "TURN#";

fn turn_key(s: &Scope, id: &SessionId, number: u32) -> Key {
    Key::new(keys::session_partition(s, id), format!("{TURN_PREFIX}{number:08}"))
}
