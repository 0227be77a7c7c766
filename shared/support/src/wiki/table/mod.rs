//! Wiki entries: one item a path, replaced under its next version.
//!
//! A deleted path keeps a tombstone: its version without text. So a later entry continues the version, and an index
//! that gets both writes in the wrong order ends up correct. Every write is conditioned on the version that was read
//! and carries a token: a write whose reply was lost finds its own token and is done.

pub mod answers;
pub mod index;
pub mod lists;
pub mod revisions;
pub mod vectors;

use domain::error::Code;
use domain::models::{
    AuditAction, EntryCard, EntrySource, IngestId, Mode, RevisionAction, Scope, TenantId, Timestamp, Visibility,
    WikiEntry, WikiPath,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::edge::table::RequestKey;
use crate::table::item::{self, Item, ItemKind};
use crate::table::keys::{self, IndexKey, Key};
use crate::table::transaction::{Tag, Transaction, Write};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, repository};

/// How long a write is retried against other writers of the same path, in milliseconds.
const WRITE_TIMEOUT_MS: i64 = 15_000;

/// The fields of a new entry.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// Its name.
    pub path: WikiPath,
    pub title: String,
    /// Its text.
    pub content: String,
    /// The people who may read it.
    pub visibility: Visibility,
    /// As given.
    pub tags: Vec<String>,
    /// The key that creates it.
    pub created_by: String,
    /// Where it comes from.
    pub source: EntrySource,
}

/// The stored result of a request that created an entry. Everything else is in the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedEntry {
    version: u64,
    created_at: Timestamp,
}

/// What became of an entry that was put.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PutOutcome {
    /// The path held none.
    Created(WikiEntry),
    /// It was another one.
    Updated(WikiEntry),
    /// It was the same.
    Unchanged(WikiEntry),
    /// It is another one, and stays.
    Kept(WikiEntry),
}

/// An entry after an update, and whether the update changed anything.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdatedEntry {
    /// The entry as it is now.
    pub entry: WikiEntry,
    /// False when nothing was written.
    pub changed: bool,
}

repository!(wiki: WikiRepository);

impl WikiRepository<'_> {
    /// The entry of a path; sees every acknowledged write.
    pub async fn get(&self, scope: &Scope, path: &WikiPath) -> Result<Option<WikiEntry>> {
        let record: Option<EntryRecord> = self.0.get(&entry_key(scope, path), Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }

    /// Creates an entry; 409 `CONFLICT` if there is one. A deleted path continues its version.
    pub async fn create(&self, scope: &Scope, new: NewEntry) -> Result<WikiEntry> {
        self.create_once(scope, new, None).await
    }

    /// The same for a request with a key, whose record is a [`CreatedEntry`].
    pub(super) async fn create_once(
        &self,
        scope: &Scope,
        new: NewEntry,
        request: Option<&RequestKey>,
    ) -> Result<WikiEntry> {
        let token = self.0.runtime.token()?;
        let decide = |seen: Option<EntryRecord>| {
            if seen.as_ref().is_some_and(EntryRecord::is_live) {
                let mine = seen.filter(|there| there.create_token == token);
                return mine.and_then(EntryRecord::into_entry).map(Decision::Keep).ok_or_else(conflict);
            }
            let version = seen.map_or(0, |tombstone| tombstone.version);
            let entry = new.clone().into_entry(version + 1, self.0.runtime.now());
            let created = CreatedEntry { version: entry.version, created_at: entry.created_at };
            let request = self.0.idempotency().completed(scope, request, created)?;
            Ok(Decision::Write(self.writing(scope, None, &entry, (&token, &token))?.recording(request), entry))
        };
        let key = entry_key(scope, &new.path);
        // Mostly there is nothing yet.
        self.0.update(&key, Basis::Known(None), self.deadline(), decide).await
    }

    /// Replaces an entry by the result of `decide`, which is called again if another writer was faster. `decide`
    /// refuses with an error, and leaves everything unchanged with `None`. Version and time are set here. 404 if there
    /// is no entry.
    pub async fn update(
        &self,
        scope: &Scope,
        path: &WikiPath,
        decide: impl Fn(&WikiEntry) -> Result<Option<WikiEntry>>,
    ) -> Result<UpdatedEntry> {
        let token = self.0.runtime.token()?;
        let decide = |seen: Option<EntryRecord>| {
            let (seen, current) = seen.and_then(live).ok_or_else(missing)?;
            if seen.write_token == token {
                return Ok(Decision::Keep(UpdatedEntry { entry: current, changed: true }));
            }
            let Some(mut entry) = decide(&current)? else {
                return Ok(Decision::Keep(UpdatedEntry { entry: current, changed: false }));
            };
            entry.version = current.version + 1;
            entry.updated_at = self.0.runtime.now();
            entry.action = Some(RevisionAction::Updated);
            let transaction = self.writing(scope, Some(&current), &entry, (&seen.create_token, &token))?;
            Ok(Decision::Write(transaction, UpdatedEntry { entry, changed: true }))
        };
        self.0.update(&entry_key(scope, path), Basis::Read, self.deadline(), decide).await
    }

    /// Makes the entry of a path, or replaces it if `may_replace` says so; an error of `may_replace`, which also sees that
    /// there is none, refuses either. The same text, visibility and tags change nothing. A deleted path continues its
    /// version.
    pub(crate) async fn put(
        &self,
        scope: &Scope,
        new: &NewEntry,
        may_replace: impl Fn(Option<&WikiEntry>) -> Result<bool>,
    ) -> Result<PutOutcome> {
        let token = self.0.runtime.token()?;
        let decide = |seen: Option<EntryRecord>| {
            let (version, create_token) =
                seen.as_ref().map_or((0, token.clone()), |seen| (seen.version, seen.create_token.clone()));
            let is_mine = seen.as_ref().is_some_and(|seen| seen.write_token == token);
            let current = seen.and_then(EntryRecord::into_entry);
            if let Some(mine) = current.clone().filter(|_| is_mine) {
                let made = if create_token == token { PutOutcome::Created } else { PutOutcome::Updated };
                return Ok(Decision::Keep(made(mine)));
            }
            let may_replace = may_replace(current.as_ref())?;
            let outcome = new.clone().outcome(current.clone(), version, self.0.runtime.now(), may_replace);
            let (entry, create_token) = match &outcome {
                PutOutcome::Created(entry) => (entry, &token),
                PutOutcome::Updated(entry) => (entry, &create_token),
                PutOutcome::Unchanged(_) | PutOutcome::Kept(_) => return Ok(Decision::Keep(outcome)),
            };
            let transaction = self.writing(scope, current.as_ref(), entry, (create_token, &token))?;
            Ok(Decision::Write(transaction, outcome))
        };
        self.0.update(&entry_key(scope, &new.path), Basis::Read, self.deadline(), decide).await
    }

    /// Writes `entry` under the version after the one that it replaces, with what is audited of it.
    fn writing(
        &self,
        scope: &Scope,
        before: Option<&WikiEntry>,
        entry: &WikiEntry,
        (create_token, write_token): (&str, &str),
    ) -> Result<Transaction> {
        let record = EntryRecord::live(entry, create_token, write_token);
        let published = self.publication(scope, before, entry)?;
        Ok(Transaction::of(replacement(scope, &record, entry.version - 1)?).with(Tag::Beside, published))
    }

    /// Deletes an entry for `by`, if `allow` lets it go, leaving a tombstone under the next version. 404 if there is
    /// none.
    pub(crate) async fn delete(
        &self,
        scope: &Scope,
        path: &WikiPath,
        by: &str,
        allow: impl Fn(&WikiEntry) -> Result<()>,
    ) -> Result<DeletedEntry> {
        let token = self.0.runtime.token()?;
        let decide = |seen: Option<EntryRecord>| {
            if let Some(mine) = seen.as_ref().filter(|there| there.write_token == token) {
                return Ok(Decision::Keep(mine.into()));
            }
            let (seen, current) = seen.and_then(live).ok_or_else(missing)?;
            allow(&current)?;
            let record = EntryRecord::tombstone(&seen, (self.0.runtime.now(), by), &token);
            Ok(Decision::Write(replacement(scope, &record, seen.version)?, (&record).into()))
        };
        self.0.update(&entry_key(scope, path), Basis::Read, self.deadline(), decide).await
    }

    /// The audit of an entry that becomes public, or whose public words change. That of a job was written with the job.
    pub(crate) fn publication(
        &self,
        scope: &Scope,
        before: Option<&WikiEntry>,
        after: &WikiEntry,
    ) -> Result<Option<Write>> {
        let differs = |before: &WikiEntry| {
            before.visibility != after.visibility || before.title != after.title || before.content != after.content
        };
        let is_news = after.visibility == Visibility::Public && before.is_none_or(differs);
        if !is_news || IngestId::parse(&after.updated_by).is_some() {
            return Ok(None);
        }
        let (action, target) = (AuditAction::EntryPublished, after.path.as_str());
        self.0.audit().effect(&scope.tenant, action, target, Vec::new()).map(Some)
    }

    fn deadline(&self) -> Timestamp {
        self.0.runtime.now().plus_millis(WRITE_TIMEOUT_MS)
    }
}

/// The record of an entry, and the entry; none if it is deleted.
fn live(record: EntryRecord) -> Option<(EntryRecord, WikiEntry)> {
    Some((record.clone(), record.into_entry()?))
}

fn missing() -> Error {
    Error::not_found("entry")
}

/// Puts `entry_record` in the place of the one at `version`; a version names one state of a path, alive or deleted, so it is
/// the whole condition.
pub(crate) fn replacement(scope: &Scope, record: &EntryRecord, version: u64) -> Result<Write> {
    Ok(Write::replace(entry_item(&entry_key(scope, &record.path), scope, record)?, version))
}

impl NewEntry {
    /// The entry as it was created.
    #[must_use]
    pub(super) fn created(self, created: &CreatedEntry) -> WikiEntry {
        self.into_entry(created.version, created.created_at)
    }

    /// What becomes of it at a path that holds `there`, or nothing since `version`.
    pub(crate) fn outcome(
        self,
        there: Option<WikiEntry>,
        version: u64,
        now: Timestamp,
        may_replace: bool,
    ) -> PutOutcome {
        let Some(there) = there else { return PutOutcome::Created(self.into_entry(version + 1, now)) };
        let entry = self.replacing(&there, now);
        match entry.says_the_same_as(&there) {
            true => PutOutcome::Unchanged(there),
            false if may_replace => PutOutcome::Updated(entry),
            false => PutOutcome::Kept(there),
        }
    }

    /// The entry that takes the place of `current`, by the same hand.
    fn replacing(self, current: &WikiEntry, now: Timestamp) -> WikiEntry {
        let (created_at, created_by) = (current.created_at, current.created_by.clone());
        let entry = self.into_entry(current.version + 1, now);
        WikiEntry { created_at, created_by, action: Some(RevisionAction::Updated), ..entry }
    }

    fn into_entry(self, version: u64, now: Timestamp) -> WikiEntry {
        WikiEntry {
            path: self.path,
            title: self.title,
            content: self.content,
            visibility: self.visibility,
            tags: self.tags,
            version,
            created_at: now,
            updated_at: now,
            updated_by: self.created_by.clone(),
            created_by: self.created_by,
            source: self.source,
            action: Some(RevisionAction::Created),
        }
    }
}

fn entry_item(key: &Key, scope: &Scope, record: &EntryRecord) -> Result<Item> {
    let mut item = item::item(key, ItemKind::Entry, record)?;
    if let Some(card) = &record.card {
        item::set_gsi1_key(&mut item, &entry_by_update(scope, card.updated_at, &record.path));
    }
    Ok(item)
}

/// The items of an imported entry.
pub(crate) fn entry_items(scope: &Scope, entry: &WikiEntry) -> Result<Vec<Item>> {
    let record = EntryRecord::live(entry, "", "");
    Ok(vec![entry_item(&entry_key(scope, &entry.path), scope, &record)?])
}

/// The items of an imported deletion.
pub(crate) fn deleted_entry_items(scope: &Scope, path: &WikiPath, deleted: &DeletedEntry) -> Result<Vec<Item>> {
    let record = EntryRecord::deleted(path.clone(), deleted);
    Ok(vec![entry_item(&entry_key(scope, path), scope, &record)?])
}

fn conflict() -> Error {
    Error::new(Code::Conflict, "An entry with this path exists already.")
}

/// The record of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum WikiRecord {
    Entry(WikiEntry),
    /// The deletion of one.
    Deleted(WikiPath, DeletedEntry),
}

impl WikiRecord {
    #[must_use]
    pub(super) const fn path(&self) -> &WikiPath {
        match self {
            Self::Entry(entry) => &entry.path,
            Self::Deleted(path, _) => path,
        }
    }

    /// The version of the entry, or of its deletion.
    #[must_use]
    pub(crate) const fn version(&self) -> u64 {
        match self {
            Self::Entry(entry) => entry.version,
            Self::Deleted(_, deleted) => deleted.version,
        }
    }
}

/// A deletion.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedEntry {
    /// The version of the deletion itself, one above the entry's last.
    pub version: u64,
    /// When.
    #[serde(rename = "deletedAt")]
    pub at: Timestamp,
    /// The deleter; none if an earlier release did it.
    #[serde(rename = "deletedBy")]
    pub by: Option<String>,
}

/// The item of a path. Without `entry` and `card` it is a tombstone.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryRecord {
    pub(crate) path: WikiPath,
    pub(crate) version: u64,
    #[serde(default)]
    pub(crate) deleted: bool,
    pub(crate) deleted_at: Option<Timestamp>,
    pub(crate) deleted_by: Option<String>,
    /// Of the request that created the path (last); outlives changes and deletion.
    pub(crate) create_token: String,
    /// Of the request that wrote this version.
    pub(crate) write_token: String,
    pub(crate) entry: Option<WikiEntry>,
    /// The card that lists read from the index.
    pub(crate) card: Option<EntryCard>,
}

impl EntryRecord {
    pub(crate) fn live(entry: &WikiEntry, create_token: &str, write_token: &str) -> Self {
        Self {
            path: entry.path.clone(),
            version: entry.version,
            deleted: false,
            deleted_at: None,
            deleted_by: None,
            create_token: create_token.to_owned(),
            write_token: write_token.to_owned(),
            card: Some(EntryCard::of(entry)),
            entry: Some(entry.clone()),
        }
    }

    /// The record of `last` after its deletion: path and version, no text.
    pub(crate) fn tombstone(last: &Self, (at, by): (Timestamp, &str), write_token: &str) -> Self {
        let deleted = DeletedEntry { version: last.version + 1, at, by: Some(by.to_owned()) };
        let (create_token, write_token) = (last.create_token.clone(), write_token.to_owned());
        Self { create_token, write_token, ..Self::deleted(last.path.clone(), &deleted) }
    }

    /// The record of a deleted path of which nothing else is known.
    fn deleted(path: WikiPath, deleted: &DeletedEntry) -> Self {
        Self {
            path,
            version: deleted.version,
            deleted: true,
            deleted_at: Some(deleted.at),
            deleted_by: deleted.by.clone(),
            create_token: String::new(),
            write_token: String::new(),
            entry: None,
            card: None,
        }
    }

    pub(crate) const fn is_live(&self) -> bool {
        self.entry.is_some() && !self.deleted
    }

    pub(crate) fn into_entry(self) -> Option<WikiEntry> {
        let Self { path, version, deleted: false, entry: Some(entry), .. } = self else { return None };
        Some(WikiEntry { path, version, ..entry })
    }
}

impl From<&EntryRecord> for DeletedEntry {
    fn from(tombstone: &EntryRecord) -> Self {
        let (at, by) = (tombstone.deleted_at.unwrap_or_default(), tombstone.deleted_by.clone());
        Self { version: tombstone.version, at, by }
    }
}

impl From<EntryRecord> for WikiRecord {
    fn from(record: EntryRecord) -> Self {
        let path = record.path.clone();
        let deleted = DeletedEntry::from(&record);
        record.into_entry().map_or(Self::Deleted(path, deleted), Self::Entry)
    }
}

/// Every entry and tombstone of a tenant and mode.
fn wiki_partition(s: &Scope) -> String {
    format!("{}#WIKI", keys::scope(s))
}

/// Reads back whose wiki a partition is.
pub(crate) fn scope_of_wiki(pk: &str) -> Option<Scope> {
    let (tenant, mode) = pk.strip_suffix("#WIKI")?.split_once('#')?;
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}

pub(crate) fn entry_key(s: &Scope, path: &WikiPath) -> Key {
    Key::new(wiki_partition(s), path.as_str())
}

/// gsi1: entries by their last change.
fn entry_by_update(s: &Scope, updated_at: Timestamp, path: &WikiPath) -> IndexKey {
    IndexKey { pk: wiki_partition(s), sk: format!("{}#{path}", keys::moment(updated_at)) }
}
