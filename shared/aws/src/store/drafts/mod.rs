//! Drafts: one item each under its status, the number of the open ones, which ended ones are kept, and pointers from the
//! sessions that a draft quotes.
//!
//! When a session is erased, its quotations are removed from the drafts that quote it. The pointers lead to these
//! drafts.

mod change;
mod ending;
mod publish;

pub use publish::{Publication, PublishedDraft};

use super::client::Store;
use super::counter::count;
use super::cursor_page::CursorPage;
use super::expression::Expression;
use super::keys;
use super::table::{
    Consistency, Item, PartitionQuery, SortCondition, item, key_only_item, number, record, text, value,
};
use super::transaction::{RequestRecord, Tag, Transaction, Write};
use crate::store::item_kind::ItemKind;
use domain::error::{Code, DetailCode};
use domain::models::{DRAFT_KEPT_DAYS, Draft, DraftId, DraftStatus, MAX_OPEN_DRAFTS, Scope, SessionId, WikiPath};
use domain::{Error, Result};

/// The filter of a list of drafts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftFilter {
    pub status: DraftStatus,
    /// Those of one path.
    pub path: Option<WikiPath>,
}

/// Drafts; made by [`Store::drafts`].
#[derive(Debug, Clone, Copy)]
pub struct DraftRepository<'a>(&'a Store);

impl Store {
    /// Drafts.
    #[must_use]
    pub const fn drafts(&self) -> DraftRepository<'_> {
        DraftRepository(self)
    }
}

impl DraftRepository<'_> {
    /// Keeps a new one, with the record of its request.
    ///
    /// # Errors
    /// 409 if there are as many open ones as there may be, and 503 if a session that it quotes was deleted.
    pub async fn create(&self, scope: &Scope, draft: &Draft, request: Option<RequestRecord>) -> Result<()> {
        let pointers = draft.quotes.iter().map(|quote| quote.session_id.clone());
        let pointers: std::collections::BTreeSet<SessionId> = pointers.collect();
        let pointer = |session: &SessionId| {
            let key = keys::draft_of_session(scope, session, &draft.draft_id);
            Write::Put { item: key_only_item(&key, ItemKind::DraftPointer), condition: None }
        };
        // The erasure of a session that is deleted from here on finds the pointer.
        let is_there = |session: &SessionId| Write::Check {
            key: keys::session(scope, session),
            condition: Expression::new("attribute_not_exists(pk) OR attribute_exists(version)"),
        };
        let new = Transaction::of(Write::create(draft_item(scope, draft)?))
            .with(Tag::Beside, pointers.iter().map(pointer))
            .with(Tag::Quoted, pointers.iter().map(is_there))
            .with(Tag::Taken, [count_open(scope, 1, Some(MAX_OPEN_DRAFTS))])
            .recording(request);
        let outcome = self.0.commit(new, None).await?;
        if outcome.at(Tag::Item).is_some() {
            // Nobody else has its id: the reply of this very write was lost, and it was sent again.
            return Ok(());
        }
        if outcome.at(Tag::Quoted).is_some() {
            return Err(Error::unavailable("a session that the draft quotes was deleted meanwhile"));
        }
        if outcome.at(Tag::Taken).is_some() { Err(too_many()) } else { outcome.expected() }
    }

    /// Keeps an imported one, unless it is there; whether it was not.
    pub(super) async fn put_copy(&self, scope: &Scope, draft: &Draft, stored: Item) -> Result<bool> {
        let count = (draft.status == DraftStatus::Open).then(|| count_open(scope, 1, None));
        self.0.write_if(Transaction::of(Write::create(stored)).with(Tag::Beside, count)).await
    }

    /// One that is kept; consistent.
    pub async fn get(&self, scope: &Scope, id: &DraftId) -> Result<Option<Draft>> {
        for status in DraftStatus::ALL {
            let found: Option<Draft> = self.0.get(&keys::draft(scope, *status, id), Consistency::Strong).await?;
            if found.is_some() {
                return Ok(found.filter(|draft| draft.status == *status && draft.is_kept(self.0.runtime.now())));
            }
        }
        Ok(None)
    }

    /// Those that pass, newest first, older than `after`; consistent. One query reads 1 MiB at the most: a page may be
    /// short, or empty, and have a `next`.
    pub async fn list(
        &self,
        scope: &Scope,
        filter: &DraftFilter,
        after: Option<&DraftId>,
        limit: usize,
    ) -> Result<CursorPage<Draft, DraftId>> {
        let mut query = PartitionQuery::new(keys::drafts(scope, filter.status));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Below(id.as_str().to_owned()));
        query.forward = false;
        let (mut terms, mut values) = (Vec::new(), Vec::new());
        if filter.status != DraftStatus::Open {
            terms.push("updatedAt > :oldest");
            values.push((":oldest", value(&self.0.runtime.now().plus_hours(-DRAFT_KEPT_DAYS * 24))?));
        }
        if let Some(path) = &filter.path {
            terms.push("entryPath = :path");
            values.push((":path", text(path.as_str())));
        }
        query.filter = (!terms.is_empty()).then(|| Expression { text: terms.join(" AND "), values });
        self.0.cursor_page(query, limit).await?.try_map(record, |sk| DraftId::parse(&sk))
    }
}

/// Adds `change` to the number of open drafts, while it is below `most`.
fn count_open(scope: &Scope, change: i32, most: Option<u32>) -> Write {
    count(keys::draft_count(scope), ItemKind::DraftCount, change, most)
}

fn too_many() -> Error {
    let message = format!("A tenant may have at most {MAX_OPEN_DRAFTS} open drafts.");
    Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyDrafts, "publish or discard one first")
}

/// 409 for what only an open draft takes.
#[must_use]
pub fn draft_closed() -> Error {
    Error::new(Code::InvalidState, "The draft is not open.")
}

fn missing() -> Error {
    Error::not_found("draft")
}

/// A draft as an item under its status. The table deletes it some time after it ends; until then its end counts.
pub(super) fn draft_item(scope: &Scope, draft: &Draft) -> Result<Item> {
    let mut stored = item(&keys::draft(scope, draft.status, &draft.draft_id), ItemKind::Draft, draft)?;
    if let Some(end) = draft.ends_at() {
        stored.insert("ttl".into(), number(end.as_seconds() + 1));
    }
    Ok(stored)
}
