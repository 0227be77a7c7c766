//! The history of a path, and the return to one of its versions.

use serde::{Deserialize, Serialize};

use super::entry_record::EntryRecord;
use super::wiki_record::{DeletedEntry, WikiRecord};
use super::{WikiRepository, replacement};
use crate::store::cursor_page::CursorPage;
use crate::store::idempotency::RequestKey;
use crate::store::keys;
use crate::store::table::{PartitionQuery, SortCondition, record};
use crate::store::transaction::{Tag, Transaction};
use crate::store::update::{Basis, Decision};
use domain::error::{Code, Detail, DetailCode};
use domain::models::{RevisionAction, Scope, Timestamp, Visibility, WikiEntry, WikiPath};
use domain::{Error, Result};

/// A version of a path, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub version: u64,
    /// The entry's title then; none for a deletion.
    pub title: Option<String>,
    /// The people who could read it then; none for a deletion.
    pub visibility: Option<Visibility>,
    /// The action that made the version.
    pub action: RevisionAction,
    /// The author; none for a deletion by an earlier release.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The bytes of its content.
    pub bytes: u64,
}

impl From<WikiRecord> for Revision {
    fn from(held: WikiRecord) -> Self {
        match held {
            WikiRecord::Entry(entry) => Self {
                version: entry.version,
                action: entry.made_by(),
                at: entry.updated_at,
                bytes: u64::try_from(entry.content.len()).unwrap_or(u64::MAX),
                title: Some(entry.title),
                visibility: Some(entry.visibility),
                by: Some(entry.updated_by),
            },
            WikiRecord::Deleted(_, DeletedEntry { version, at, by }) => {
                Self { version, title: None, visibility: None, action: RevisionAction::Deleted, by, at, bytes: 0 }
            }
        }
    }
}

/// The parameters of a restoration.
#[derive(Debug, Clone, Copy)]
pub struct Restoration<'a> {
    /// The version that comes back.
    pub old: &'a WikiEntry,
    /// The version of the path that it replaces: of an entry, or of its deletion.
    pub current_version: u64,
    /// The visibility; today's if none is named, and `internal` after a deletion.
    pub visibility: Option<Visibility>,
    /// The person or key that restores it.
    pub by: &'a str,
}

/// The stored result of a request that restored an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoredEntry {
    /// Its version after that.
    pub version: u64,
}

impl WikiRepository<'_> {
    /// The versions of a path below `before`, newest first; without it from what the path holds now on. One query reads
    /// 1 MiB at the most: a page may be short, or empty, and have a `next`.
    pub async fn list_history(
        &self,
        scope: &Scope,
        path: &WikiPath,
        before: Option<u64>,
        limit: usize,
    ) -> Result<CursorPage<Revision, u64>> {
        let (mut items, mut below) = (Vec::new(), before.unwrap_or(0));
        if before.is_none() {
            let Some(now) = self.get_record(scope, path).await? else {
                return Ok(CursorPage { items, next: None });
            };
            below = now.version();
            items.push(Revision::from(now));
        }
        if below <= 1 || items.len() >= limit {
            return Ok(CursorPage { items, next: (below > 1).then_some(below) });
        }
        let [first, last] = [1, below - 1].map(|version| keys::revision(scope, path, version));
        let mut query = PartitionQuery::new(first.pk);
        query.condition = SortCondition::Between(first.sk, last.sk);
        query.forward = false;
        let page = self.store.cursor_page(query, limit - items.len()).await?;
        let revision = |item| record::<EntryRecord>(item).map(|stored| Revision::from(WikiRecord::from(stored)));
        let page = page.try_map(revision, |sk| sk.parse().ok())?;
        items.extend(page.items);
        Ok(CursorPage { items, next: page.next })
    }

    /// The version of a path: what it holds now, or an older one.
    pub async fn get_version(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<Option<(WikiEntry, bool)>> {
        let current = self.get(scope, path).await?.filter(|entry| entry.version == version);
        if let Some(entry) = current {
            return Ok(Some((entry, true)));
        }
        Ok(self.get_revision(scope, path, version).await?.map(|entry| (entry, false)))
    }

    /// Makes an old version what the path holds, under the next version, with the record of its request.
    ///
    /// # Errors
    /// 409 `CONFLICT` with the current version if the path moved on from the one that is named.
    pub async fn restore(
        &self,
        scope: &Scope,
        restoration: Restoration<'_>,
        request: Option<&RequestKey>,
    ) -> Result<WikiEntry> {
        let (token, path) = (self.store.runtime.token()?, &restoration.old.path);
        let decide = |seen: Option<EntryRecord>| {
            let version = seen.as_ref().map_or(0, |held| held.version);
            if let Some(mine) = seen.clone().filter(|held| held.write_token == token).and_then(EntryRecord::into_entry)
            {
                return Ok(Decision::Keep(mine));
            }
            if version != restoration.current_version {
                return Err(entry_moved_on("currentVersion", version));
            }
            let create_token = seen.as_ref().map_or_else(|| token.clone(), |held| held.create_token.clone());
            let today = seen.and_then(EntryRecord::into_entry);
            let after = restoration.of(today.as_ref(), version + 1, self.store.runtime.now());
            let kept = RestoredEntry { version: after.version };
            let record = self.store.idempotency().completed(scope, request, kept)?;
            let write = replacement(scope, &EntryRecord::live(&after, &create_token, &token), version)?;
            let published = self.publication(scope, today.as_ref(), &after)?;
            Ok(Decision::Write(Transaction::of(write).with(Tag::Beside, published).recording(record), after))
        };
        self.store.update(&keys::entry(scope, path), Basis::Read, self.deadline(), decide).await
    }
}

impl Restoration<'_> {
    /// The entry that it makes in the place of `today`'s, which is none after a deletion.
    fn of(&self, today: Option<&WikiEntry>, version: u64, now: Timestamp) -> WikiEntry {
        let kept = today.unwrap_or(self.old);
        let unnamed = today.map_or(Visibility::Internal, |entry| entry.visibility);
        WikiEntry {
            title: self.old.title.clone(),
            content: self.old.content.clone(),
            tags: self.old.tags.clone(),
            visibility: self.visibility.unwrap_or(unnamed),
            version,
            updated_at: now,
            updated_by: self.by.to_owned(),
            action: Some(RevisionAction::Restored),
            ..kept.clone()
        }
    }
}

/// 409 if a path is no longer at the version that a request names in `field`: the detail has the one it is at, 0 if
/// it never held anything.
#[must_use]
pub fn entry_moved_on(field: &'static str, version: u64) -> Error {
    let detail =
        Detail { field: Some(field.to_owned()), code: DetailCode::CurrentVersion, message: version.to_string().into() };
    Error::new(Code::Conflict, "The entry has changed since.").detail(detail)
}
