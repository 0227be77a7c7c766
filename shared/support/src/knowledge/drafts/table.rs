//! Drafts: one item each under its status, the number of the open ones, which ended ones are kept, and pointers from the
//! sessions that a draft quotes.
//!
//! A publication changes entry and draft in one transaction, each as it was read. A draft that ends moves: open ones
//! are listed without those that ended, of which the newest are kept, so that nobody fills the table with drafts. When
//! a session is erased, its quotations are removed from the drafts that its pointers lead to.

use domain::error::{Code, DetailCode};
use domain::models::{
    ChangeAction, DRAFT_KEPT_DAYS, Draft, DraftId, DraftStatus, MAX_ENDED_DRAFTS, MAX_OPEN_DRAFTS, RevisionAction,
    Scope, SessionId, Timestamp, Visibility, WikiEntry, WikiPath,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::edge::table::RequestKey;
use crate::table::item::{Expression, Item, ItemKind, item, key_only_item, number, record, text, value};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write, count, version_condition};
use crate::table::update::{Attempt, Basis, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};
use crate::wiki::table::revisions::entry_moved_on;
use crate::wiki::table::{EntryRecord, WikiRecord, entry_key, replacement};

/// The filter of a list of drafts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftFilter {
    pub status: DraftStatus,
    /// Those of one path.
    pub path: Option<WikiPath>,
}

repository!(drafts: DraftRepository);

impl DraftRepository<'_> {
    /// Keeps a new one, with the record of its request.
    ///
    /// # Errors
    /// 409 if there are as many open ones as there may be, and 503 if a session that it quotes was deleted.
    pub(crate) async fn create(&self, scope: &Scope, draft: &Draft, request: Option<RequestRecord>) -> Result<()> {
        let pointers = draft.quotes.iter().map(|quote| quote.session_id.clone());
        let pointers: std::collections::BTreeSet<SessionId> = pointers.collect();
        let pointer = |session: &SessionId| {
            let key = draft_of_session_key(scope, session, &draft.draft_id);
            Write::put(key_only_item(&key, ItemKind::DraftPointer))
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
    pub(crate) async fn put_copy(&self, scope: &Scope, draft: &Draft, stored: Item) -> Result<bool> {
        let count = (draft.status == DraftStatus::Open).then(|| count_open(scope, 1, None));
        self.0.write_if(Transaction::of(Write::create(stored)).with(Tag::Beside, count)).await
    }

    /// One that is kept; consistent.
    pub(crate) async fn get(&self, scope: &Scope, id: &DraftId) -> Result<Option<Draft>> {
        for status in DraftStatus::ALL {
            let found: Option<Draft> = self.0.get(&draft_key(scope, *status, id), Consistency::Strong).await?;
            if found.is_some() {
                return Ok(found.filter(|draft| draft.status == *status && draft.is_kept(self.0.runtime.now())));
            }
        }
        Ok(None)
    }

    /// Those that pass, newest first, older than `after`; consistent. One query reads 1 MiB at the most: a page may be
    /// short, or empty, and have a `next`.
    pub(in crate::knowledge) async fn list(
        &self,
        scope: &Scope,
        filter: &DraftFilter,
        after: Option<&DraftId>,
        limit: usize,
    ) -> Result<CursorPage<Draft, DraftId>> {
        let mut query = PartitionQuery::new(drafts_partition(scope, filter.status));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Below(id.as_str().to_owned()));
        query.forward = false;
        let oldest = value(&self.0.runtime.now().plus_hours(-DRAFT_KEPT_DAYS * 24))?;
        let kept = || Expression::new("updatedAt > :oldest").with(":oldest", oldest);
        let of_path = |path: &WikiPath| Expression::new("entryPath = :path").with(":path", text(path.as_str()));
        let kept = (filter.status != DraftStatus::Open).then(kept);
        query.filter = Expression::all(kept.into_iter().chain(filter.path.as_ref().map(of_path)));
        self.0.cursor_page(query, limit).await?.try_map(record, |sk| DraftId::parse(&sk))
    }
}

/// Adds `change` to the number of open drafts, while it is below `most`.
fn count_open(scope: &Scope, change: i32, most: Option<u32>) -> Write {
    count(draft_count_key(scope), ItemKind::DraftCount, change, most)
}

fn too_many() -> Error {
    let message = format!("A tenant may have at most {MAX_OPEN_DRAFTS} open drafts.");
    Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyDrafts, "publish or discard one first")
}

/// 409 for what only an open draft takes.
#[must_use]
pub(super) fn draft_closed() -> Error {
    Error::new(Code::InvalidState, "The draft is not open.")
}

fn missing() -> Error {
    Error::not_found("draft")
}

/// A draft as an item under its status. The table deletes it some time after it ends; until then its end counts.
pub(crate) fn draft_item(scope: &Scope, draft: &Draft) -> Result<Item> {
    let mut stored = item(&draft_key(scope, draft.status, &draft.draft_id), ItemKind::Draft, draft)?;
    // A filter takes no reserved word, which the name of the path is.
    stored.insert("entryPath".into(), text(draft.path.as_str()));
    if let Some(end) = draft.ends_at() {
        stored.insert("ttl".into(), number(end.as_seconds() + 1));
    }
    Ok(stored)
}

impl DraftRepository<'_> {
    /// Replaces one by what `decide` makes of it, again from the start when another writer was faster; `None`
    /// leaves it as it is.
    ///
    /// # Errors
    /// The error of `decide`; 404 if there is none; 409 if it opens and there are as many open ones as there may
    /// be.
    pub(crate) async fn update(
        &self,
        scope: &Scope,
        id: &DraftId,
        decide: impl Fn(&Draft) -> Result<Option<Draft>>,
    ) -> Result<Draft> {
        let (decide, key) = (&decide, draft_key(scope, DraftStatus::Open, id));
        let attempt = |_: Basis<()>| async move {
            let seen = self.get(scope, id).await?.ok_or_else(missing)?;
            let Some(after) = decide(&seen)? else { return Ok(Attempt::Done(seen)) };
            let after = Draft { version: seen.version + 1, ..after };
            let change = match [seen.status, after.status].map(|status| status == DraftStatus::Open) {
                [true, false] => Transaction::from(self.ending(scope, &seen, &after).await?),
                [false, true] => Transaction::from(moved(scope, &seen, &after)?)
                    .with(Tag::Taken, [count_open(scope, 1, Some(MAX_OPEN_DRAFTS))]),
                _ => Transaction::of(Write::replace(draft_item(scope, &after)?, seen.version)),
            };
            let outcome = self.0.commit(change, None).await?;
            // If the reply of this very write was lost, and it was sent again, the draft is what it made.
            let is_written = outcome.is_committed() || self.get(scope, id).await?.as_ref() == Some(&after);
            if !is_written && outcome.at(Tag::Taken).is_some() {
                return Err(too_many());
            }
            Ok(if is_written { Attempt::Done(after) } else { Attempt::Conflict(Basis::Read) })
        };
        self.0.retry(&contended(&key), Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// Takes what a session said out of the drafts that quote it and are not published; may be called again.
    pub(crate) async fn erase_session(&self, scope: &Scope, session: &SessionId) -> Result<()> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(DRAFT_POINTERS.into());
        let pointers = self.0.query_all_items(query).await?;
        let names = pointers.iter().filter_map(|item| item.get("sk")?.as_s().ok()?.strip_prefix(DRAFT_POINTERS));
        for id in names.filter_map(DraftId::parse) {
            self.erase_session_from(scope, &id, session).await?;
        }
        Ok(())
    }

    async fn erase_session_from(&self, scope: &Scope, id: &DraftId, session: &SessionId) -> Result<()> {
        let without = |seen: &Draft| {
            let quotes =
                seen.status != DraftStatus::Published && seen.quotes.iter().any(|it| it.session_id == *session);
            Ok(quotes.then(|| seen.clone().without_quotes(|of| of == session)))
        };
        match self.update(scope, id, without).await {
            Err(error) if error.code() == Code::NotFound => Ok(()),
            outcome => outcome.map(drop),
        }
    }
}

/// The parameters of a publication.
#[derive(Debug, Clone, Copy)]
pub struct Publication<'a> {
    /// The version of the draft that its publisher read.
    pub version: u64,
    /// The entry's visibility, if it is named.
    pub visibility: Option<Visibility>,
    /// The publisher.
    pub by: &'a str,
}

/// The stored result of a request that published a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDraft {
    /// The version of the entry, or of its deletion, after that.
    pub entry_version: u64,
}

/// The records that a publication writes, and the entry before and after; none if it is not there.
struct Plan {
    draft: Draft,
    held: EntryRecord,
    before: Option<WikiEntry>,
    after: Option<WikiEntry>,
}

impl DraftRepository<'_> {
    /// Makes the entry what a draft proposes, and the draft published; with the record of the request. Returns the draft
    /// and what its path holds then.
    ///
    /// # Errors
    /// 404 if there is no such draft; 412 if it moved on, 409 `INVALID_STATE` if it is not open or has no text,
    /// 409 `CONFLICT` with the current version if the entry moved on, and 400 if the visibility would change
    /// unnamed.
    pub(super) async fn publish(
        &self,
        scope: &Scope,
        id: &DraftId,
        publication: Publication<'_>,
        request: Option<&RequestKey>,
    ) -> Result<(Draft, WikiRecord)> {
        let (token, key) = (self.0.runtime.token()?, draft_key(scope, DraftStatus::Open, id));
        let token = &token;
        let attempt = |_: Basis<()>| async move {
            let draft = self.get(scope, id).await?.ok_or_else(missing)?;
            let place = entry_key(scope, &draft.path);
            let held: Option<EntryRecord> = self.0.get(&place, Consistency::Strong).await?;
            if let Some(mine) = held.clone().filter(|held| held.write_token == *token) {
                return Ok(Attempt::Done((draft, mine.into())));
            }
            let version = held.as_ref().map_or(0, |held| held.version);
            let plan = publication.plan(draft.clone(), held, self.0.runtime.now(), token)?;
            let kept = PublishedDraft { entry_version: plan.held.version };
            let audit = |after| self.0.wiki().publication(scope, plan.before.as_ref(), after);
            let writes = Transaction::of(replacement(scope, &plan.held, version)?)
                .with(Tag::Beside, self.ending(scope, &draft, &plan.draft).await?)
                .with(Tag::Beside, plan.after.as_ref().map(audit).transpose()?.flatten())
                .recording(self.0.idempotency().completed(scope, request, kept)?);
            let outcome = self.0.commit(writes, None).await?;
            let done = outcome.is_committed().then(|| (plan.draft, WikiRecord::from(plan.held)));
            Ok(done.map_or(Attempt::Conflict(Basis::Read), Attempt::Done))
        };
        self.0.retry(&contended(&key), Basis::Read, self.0.default_deadline(), attempt).await
    }
}

impl Publication<'_> {
    fn plan(&self, draft: Draft, held: Option<EntryRecord>, now: Timestamp, token: &str) -> Result<Plan> {
        if draft.version != self.version {
            return Err(Error::new(Code::PreconditionFailed, "The draft has changed since."));
        }
        if draft.status != DraftStatus::Open {
            return Err(draft_closed());
        }
        let version = held.as_ref().map_or(0, |held| held.version);
        let today = held.clone().and_then(EntryRecord::into_entry);
        let is_as_seen = match draft.action {
            ChangeAction::Create => today.is_none(),
            ChangeAction::Update | ChangeAction::Delete => today.is_some() && draft.base_version == Some(version),
        };
        if !is_as_seen {
            return Err(entry_moved_on("baseVersion", version));
        }
        let draft = Draft { status: DraftStatus::Published, version: draft.version + 1, updated_at: now, ..draft };
        if draft.action == ChangeAction::Delete {
            let last = held.ok_or_else(missing)?;
            let held = EntryRecord::tombstone(&last, (now, self.by), token);
            return Ok(Plan { draft, held, before: today, after: None });
        }
        let visibility = self.visibility(&draft, today.as_ref())?;
        let action = if today.is_some() { RevisionAction::Updated } else { RevisionAction::Created };
        let base = today.clone().unwrap_or_else(|| WikiEntry::begun(draft.path.clone(), self.by, now));
        let after = draft
            .applied_to(&base, visibility, self.by)
            .ok_or_else(|| Error::new(Code::InvalidState, "The draft has no text."))?;
        let entry = WikiEntry { version: version + 1, updated_at: now, action: Some(action), ..after };
        let create_token = held.filter(EntryRecord::is_live).map_or_else(|| token.to_owned(), |held| held.create_token);
        let draft = Draft { visibility: Some(visibility), quotes: Vec::new(), ..draft };
        let held = EntryRecord::live(&entry, &create_token, token);
        Ok(Plan { draft, held, before: today, after: Some(entry) })
    }

    /// The visibility afterwards: the publisher's, else the draft's, if that is no change. A new entry is internal
    /// unless its publisher says otherwise.
    fn visibility(&self, draft: &Draft, today: Option<&WikiEntry>) -> Result<Visibility> {
        let unnamed = today.map_or(Visibility::Internal, |entry| entry.visibility);
        match self.visibility {
            Some(named) => Ok(named),
            None if draft.visibility.is_none_or(|proposed| proposed == unnamed) => Ok(unnamed),
            None => Err(Error::invalid(
                "visibility",
                DetailCode::Required,
                "must be named, because the draft changes who may read the entry",
            )),
        }
    }
}

/// The ended drafts that are kept, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EndedDrafts {
    ids: Vec<DraftId>,
    version: u64,
}

impl DraftRepository<'_> {
    /// The writes that end an open draft, as it was seen.
    async fn ending(&self, scope: &Scope, seen: &Draft, after: &Draft) -> Result<Vec<Write>> {
        let mut writes = moved(scope, seen, after)?;
        writes.push(count_open(scope, -1, None));
        writes.extend(self.ended(scope, after.status, &after.draft_id).await?);
        Ok(writes)
    }

    /// Adds a draft to those that are kept after their end, and deletes the oldest above the limit.
    async fn ended(&self, scope: &Scope, status: DraftStatus, id: &DraftId) -> Result<Vec<Write>> {
        let key = ended_drafts_key(scope, status);
        let kept: Option<EndedDrafts> = self.0.get(&key, Consistency::Strong).await?;
        let EndedDrafts { mut ids, version } = kept.unwrap_or_default();
        // One that was opened again ends again.
        ids.retain(|other| other != id);
        ids.push(id.clone());
        let oldest: Vec<DraftId> = ids.drain(..ids.len().saturating_sub(MAX_ENDED_DRAFTS)).collect();
        let kept = item(&key, ItemKind::EndedDrafts, &EndedDrafts { ids, version: version + 1 })?;
        let deleted = oldest.iter().map(|id| Write::delete(draft_key(scope, status, id)));
        Ok([Write::replace(kept, version)].into_iter().chain(deleted).collect())
    }
}

/// The writes that put a draft, as it was seen, below another status.
fn moved(scope: &Scope, seen: &Draft, after: &Draft) -> Result<Vec<Write>> {
    let key = draft_key(scope, seen.status, &seen.draft_id);
    let gone = Write::Delete { key, condition: Some(version_condition(seen.version)) };
    Ok(vec![gone, Write::create(draft_item(scope, after)?)])
}

/// Every draft of a tenant and mode with a status.
fn drafts_partition(s: &Scope, status: DraftStatus) -> String {
    match status {
        DraftStatus::Open => format!("{}#DRAFTS", keys::scope(s)),
        DraftStatus::Published | DraftStatus::Discarded => format!("{}#DRAFTS#{status}", keys::scope(s)),
    }
}

fn draft_key(s: &Scope, status: DraftStatus, id: &DraftId) -> Key {
    Key::new(drafts_partition(s, status), id.as_str())
}

/// The drafts with a status that are kept after their end.
fn ended_drafts_key(s: &Scope, status: DraftStatus) -> Key {
    Key::new(format!("{}#DRAFTSENDED", keys::scope(s)), status.as_str())
}

/// How many drafts are open.
fn draft_count_key(s: &Scope) -> Key {
    Key::new(format!("{}#DRAFTCOUNT", keys::scope(s)), "OPEN")
}

/// The prefix of the sort key of every pointer from a session to a draft that quotes it.
const DRAFT_POINTERS: &str = "DRAFT#";

/// The pointer from a session to a draft that quotes it.
fn draft_of_session_key(s: &Scope, id: &SessionId, draft: &DraftId) -> Key {
    Key::new(keys::session(s, id).pk, format!("{DRAFT_POINTERS}{draft}"))
}
