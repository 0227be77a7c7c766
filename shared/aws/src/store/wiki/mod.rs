//! Wiki entries: one item a path, replaced under its next version.
//!
//! A deleted path keeps a tombstone: its version without text. So a later entry continues the version, and an index
//! that gets both writes in the wrong order ends up correct. Every write is conditioned on the version that was read
//! and carries a token: a write whose reply was lost finds its own token and is done.

mod every;
mod held;
mod list;
mod owed;
mod record;
mod revisions;
mod under;

pub use every::{WikiPosition, WikiRecords};
pub use held::{DeletedEntry, WikiRecord};
pub use list::{EntryFilter, EntryPage};
pub use owed::Reindexing;
pub(super) use record::EntryRecord;
use record::Life;
pub use under::EntryHead;

use super::Store;
use super::expression::Expression;
use super::keys::{self, Key};
use super::table::{self, Consistency, Item, number};
use super::transaction::Write;
use crate::store::line::Contest;
use domain::error::Code;
use domain::models::{EntrySource, Scope, Timestamp, Visibility, WikiEntry, WikiPath};
use domain::{Error, Result};

/// How long a write is retried against other writers of the same path, in milliseconds.
const PATIENCE_MS: i64 = 15_000;

/// The fields of a new entry.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// Its name.
    pub path: WikiPath,
    /// Its title.
    pub title: String,
    /// Its text.
    pub content: String,
    /// Who may read it.
    pub visibility: Visibility,
    /// As given.
    pub tags: Vec<String>,
    /// The key that creates it.
    pub created_by: String,
    /// Where it comes from.
    pub source: EntrySource,
}

/// An entry after an update, and whether the update changed anything.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdatedEntry {
    /// The entry as it is now.
    pub entry: WikiEntry,
    /// False when nothing was written.
    pub changed: bool,
}

/// The wiki of every tenant; made by [`Store::wiki`].
#[derive(Debug, Clone, Copy)]
pub struct WikiRepository<'a> {
    store: &'a Store,
}

impl Store {
    /// The wiki.
    #[must_use]
    pub const fn wiki(&self) -> WikiRepository<'_> {
        WikiRepository { store: self }
    }
}

/// How a conditioned write of one item ended.
enum Written {
    /// It is there, by this attempt or by an earlier one whose reply was lost.
    Mine,
    /// A foreign one exists; none when there is no item.
    Theirs(Option<Box<EntryRecord>>),
}

impl WikiRepository<'_> {
    /// The entry of a path; sees every acknowledged write.
    pub async fn get(&self, scope: &Scope, path: &WikiPath) -> Result<Option<WikiEntry>> {
        let record: Option<EntryRecord> = self.store.get(&keys::entry(scope, path), Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }

    /// Creates an entry; 409 `CONFLICT` if there is one. A deleted path continues its version.
    pub async fn create(&self, scope: &Scope, new: NewEntry) -> Result<WikiEntry> {
        let token = self.token()?;
        let mut contest = self.contest(scope, &new.path);
        let mut seen: Option<Box<EntryRecord>> = None;
        loop {
            let now = self.store.ambient.now();
            let version = seen.as_ref().map_or(1, |tombstone| tombstone.version + 1);
            let entry = new.clone().into_entry(version, now);
            let record = EntryRecord::live(&entry, &token, &token);
            match self.write(scope, &record, seen.as_deref(), |there| there.create_token == token).await? {
                Written::Mine => return Ok(entry),
                Written::Theirs(Some(there)) if matches!(there.life(), Life::Live) => return Err(conflict()),
                Written::Theirs(there) => seen = there,
            }
            contest.lost().await?;
        }
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
        let token = self.token()?;
        let mut contest = self.contest(scope, path);
        loop {
            let (seen, current) = self.live(scope, path).await?;
            let Some(mut entry) = decide(&current)? else { return Ok(UpdatedEntry { entry: current, changed: false }) };
            entry.version = current.version + 1;
            entry.updated_at = self.store.ambient.now();
            let record = EntryRecord::live(&entry, &seen.create_token, &token);
            if let Written::Mine = self.write(scope, &record, Some(&seen), |there| there.write_token == token).await? {
                return Ok(UpdatedEntry { entry, changed: true });
            }
            contest.lost().await?;
        }
    }

    /// Deletes an entry that `allow` lets go, leaving a tombstone under the next version. 404 where there is none.
    pub async fn delete(
        &self,
        scope: &Scope,
        path: &WikiPath,
        allow: impl Fn(&WikiEntry) -> Result<()>,
    ) -> Result<DeletedEntry> {
        let token = self.token()?;
        let mut contest = self.contest(scope, path);
        loop {
            let (seen, current) = self.live(scope, path).await?;
            allow(&current)?;
            let at = self.store.ambient.now();
            let record = EntryRecord::tombstone(&seen, at, &token);
            if let Written::Mine = self.write(scope, &record, Some(&seen), |there| there.write_token == token).await? {
                return Ok(DeletedEntry { version: record.version, at });
            }
            contest.lost().await?;
        }
    }

    async fn live(&self, scope: &Scope, path: &WikiPath) -> Result<(EntryRecord, WikiEntry)> {
        let record: Option<EntryRecord> = self.store.get(&keys::entry(scope, path), Consistency::Strong).await?;
        let found = record.and_then(|record| Some((record.clone(), record.into_entry()?)));
        found.ok_or_else(|| Error::not_found("entry"))
    }

    /// Replaces what was `seen` by `record`. `mine` recognises an earlier attempt of the same write.
    async fn write(
        &self,
        scope: &Scope,
        record: &EntryRecord,
        seen: Option<&EntryRecord>,
        mine: impl Fn(&EntryRecord) -> bool,
    ) -> Result<Written> {
        let item = entry_item(&keys::entry(scope, &record.path), scope, record)?;
        let write = match seen {
            None => Write::create(item),
            Some(seen) => Write::Put { item, condition: Some(at_version(seen.version)) },
        };
        let refused = match self.store.transact(vec![write], None).await {
            Ok(()) => return Ok(Written::Mine),
            Err(refused) => refused,
        };
        let Some(there) = refused.at(0) else { return Err(refused.into_error()) };
        let there = there.cloned().map(table::record::<Box<EntryRecord>>).transpose()?;
        Ok(match there {
            Some(there) if mine(&there) => Written::Mine,
            there => Written::Theirs(there),
        })
    }

    fn token(&self) -> Result<String> {
        Ok(format!("{:032x}", u128::from_be_bytes(self.store.ambient.bytes::<16>()?)))
    }

    fn contest(&self, scope: &Scope, path: &WikiPath) -> Contest<'_> {
        let deadline = self.store.ambient.now().plus_millis(PATIENCE_MS);
        self.store.contest(&keys::entry(scope, path), deadline)
    }
}

impl NewEntry {
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
        }
    }
}

/// A version names one state of a path, alive or deleted, so it is the whole condition.
fn at_version(version: u64) -> Expression {
    Expression::new("version = :seen_version").with(":seen_version", number(version))
}

fn entry_item(key: &Key, scope: &Scope, record: &EntryRecord) -> Result<Item> {
    let mut item = table::item(key, "entry", record)?;
    if let Some(card) = &record.card {
        table::in_gsi1(&mut item, &keys::entry_by_update(scope, card.updated_at, &record.path));
    }
    Ok(item)
}

fn conflict() -> Error {
    Error::new(Code::Conflict, "An entry with this path exists already.")
}
