//! Old versions of entries, the history of a path, and the return to one of its versions.

use domain::error::{Code, Detail, DetailCode};
use domain::models::{MAX_REVISIONS, RevisionAction, Scope, Timestamp, Visibility, WikiEntry, WikiPath};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::table::RequestKey;
use crate::table::item::{self, Item, ItemKind, record};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{Tag, Transaction, Write};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, PartitionQuery, SortCondition};
use crate::wiki::table::{DeletedEntry, EntryRecord, WikiRecord, WikiRepository, entry_key, replacement};

/// A version of a path, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The version.
    pub version: u64,
    /// The entry's title then; null for a deletion.
    pub title: Option<String>,
    /// Who could read it then; null for a deletion.
    pub visibility: Option<Visibility>,
    /// The action that made the version.
    pub action: RevisionAction,
    /// The key, member or ingest job that made it; null where that is not known.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The bytes of its content; 0 for a deletion.
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
    pub(in crate::wiki) async fn list_history(
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
        let [first, last] = [1, below - 1].map(|version| revision_key(scope, path, version));
        let mut query = PartitionQuery::new(first.pk);
        query.condition = SortCondition::Between(first.sk, last.sk);
        query.forward = false;
        let page = self.0.cursor_page(query, limit - items.len()).await?;
        let revision = |item| record::<EntryRecord>(item).map(|stored| Revision::from(WikiRecord::from(stored)));
        let page = page.try_map(revision, |sk| sk.parse().ok())?;
        items.extend(page.items);
        Ok(CursorPage { items, next: page.next })
    }

    /// The version of a path: what it holds now, or an older one.
    pub(in crate::wiki) async fn get_version(
        &self,
        scope: &Scope,
        path: &WikiPath,
        version: u64,
    ) -> Result<Option<(WikiEntry, bool)>> {
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
    pub(in crate::wiki) async fn restore(
        &self,
        scope: &Scope,
        restoration: Restoration<'_>,
        request: Option<&RequestKey>,
    ) -> Result<WikiEntry> {
        let (token, path) = (self.0.runtime.token()?, &restoration.old.path);
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
            let after = restoration.of(today.as_ref(), version + 1, self.0.runtime.now());
            let kept = RestoredEntry { version: after.version };
            let record = self.0.idempotency().completed(scope, request, kept)?;
            let write = replacement(scope, &EntryRecord::live(&after, &create_token, &token), version)?;
            let published = self.publication(scope, today.as_ref(), &after)?;
            Ok(Decision::Write(Transaction::of(write).with(Tag::Beside, published).recording(record), after))
        };
        self.0.update(&entry_key(scope, path), Basis::Read, self.deadline(), decide).await
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
pub(crate) fn entry_moved_on(field: &'static str, version: u64) -> Error {
    let detail =
        Detail { field: Some(field.to_owned()), code: DetailCode::CurrentVersion, message: version.to_string().into() };
    Error::new(Code::Conflict, "The entry has changed since.").detail(detail)
}

/// So many revisions are erased in one transaction.
const ERASE_BATCH_SIZE: i32 = 50;

impl WikiRepository<'_> {
    /// Keeps a version that was replaced or deleted, in the place of the oldest above the limit; one that is kept already
    /// stays as it is.
    pub(in crate::wiki) async fn put_revision(&self, scope: &Scope, entry: &WikiEntry) -> Result<()> {
        let oldest = entry.version.checked_sub(MAX_REVISIONS).filter(|version| *version > 0);
        let deleted = oldest.map(|version| revision_key(scope, &entry.path, version));
        let mut writes = vec![Write::create(revision_item(scope, entry)?)];
        writes.extend(deleted.map(Write::delete));
        self.0.write_if(writes).await.map(drop)
    }

    /// A version that was replaced or deleted.
    pub async fn get_revision(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<Option<WikiEntry>> {
        let key = revision_key(scope, path, version);
        let record: Option<EntryRecord> = self.0.get(&key, Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }

    /// Keeps the deletion of a path as a revision, and makes all of them up to it due to be erased at `due`.
    pub(in crate::wiki) async fn schedule_revision_erasure(
        &self,
        scope: &Scope,
        path: &WikiPath,
        deleted: &DeletedEntry,
        due: Timestamp,
    ) -> Result<()> {
        let mut items = revisions_end_items(scope, path, deleted)?;
        let place = keys::due(&revisions_end_key(scope, path, deleted.version), due);
        items.iter_mut().take(1).for_each(|end| item::set_gsi2_key(end, &place));
        self.0.write(items.into_iter().map(Write::put).collect()).await
    }

    /// The versions of a path below `version` that were replaced or deleted, as far as one answer holds, from `after` on;
    /// and where the next page starts.
    pub(crate) async fn list_revisions(
        &self,
        scope: &Scope,
        path: &WikiPath,
        (after, version): (u64, u64),
    ) -> Result<(Vec<WikiEntry>, Option<u64>)> {
        let [first, last] =
            [after.saturating_add(1), version.saturating_sub(1)].map(|at| revision_key(scope, path, at));
        if after.saturating_add(1) >= version {
            return Ok((Vec::new(), None));
        }
        let mut query = PartitionQuery::new(first.pk);
        query.condition = SortCondition::Between(first.sk, last.sk);
        let page = self.0.query(query).await?;
        let records = page.items.into_iter().map(item::record::<EntryRecord>).collect::<Result<Vec<_>>>()?;
        let next = records.last().map(|record| record.version).filter(|_| page.next.is_some());
        Ok((records.into_iter().filter_map(EntryRecord::into_entry).collect(), next))
    }

    /// A path's deletions whose revisions are to be erased.
    pub(crate) async fn list_revisions_ends(&self, scope: &Scope, path: &WikiPath) -> Result<Vec<DeletedEntry>> {
        let mut query = PartitionQuery::new(revision_key(scope, path, 0).pk);
        query.condition = SortCondition::Prefix(REVISIONS_END.to_owned());
        self.0.query_all(query).await
    }

    /// The deletion as `version` of the path whose revisions up to it are due; none if they are erased already.
    pub(in crate::wiki) async fn get_revisions_end(
        &self,
        scope: &Scope,
        path: &WikiPath,
        version: u64,
    ) -> Result<Option<DeletedEntry>> {
        self.0.get(&revisions_end_key(scope, path, version), Consistency::Strong).await
    }

    /// Erases the revisions of a path up to `version`, and in the end that they are due. May be ended in the middle and
    /// begun again.
    pub(in crate::wiki) async fn erase_revisions(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
        let (first, last) = (revision_key(scope, path, 0), revision_key(scope, path, version));
        let mut query = PartitionQuery::new(first.pk.clone());
        query.condition = SortCondition::Between(first.sk, last.sk);
        query.limit = Some(ERASE_BATCH_SIZE);
        loop {
            let page = self.0.query(query.clone()).await?;
            let keys = page.items.iter().filter_map(item::key_of);
            let writes: Vec<Write> = keys.map(Write::delete).collect();
            if !writes.is_empty() {
                self.0.write(writes).await?;
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => break,
            }
        }
        let end = Write::delete(revisions_end_key(scope, path, version));
        self.0.write(vec![end]).await
    }
}

/// The item of a version that was replaced or deleted.
pub(crate) fn revision_item(scope: &Scope, entry: &WikiEntry) -> Result<Item> {
    let record = EntryRecord { card: None, ..EntryRecord::live(entry, "", "") };
    item::item(&revision_key(scope, &entry.path, entry.version), ItemKind::Revision, &record)
}

/// The items of a path's deletion: the end of its revisions, without the due time, and the deletion as one of them.
pub(crate) fn revisions_end_items(scope: &Scope, path: &WikiPath, deleted: &DeletedEntry) -> Result<Vec<Item>> {
    let (end_key, key) = (revisions_end_key(scope, path, deleted.version), revision_key(scope, path, deleted.version));
    let deletion = EntryRecord::deleted(path.clone(), deleted);
    Ok(vec![item::item(&end_key, ItemKind::RevisionsEnd, deleted)?, item::item(&key, ItemKind::Revision, &deletion)?])
}

/// A version of an entry that was replaced or deleted.
fn revision_key(s: &Scope, path: &WikiPath, version: u64) -> Key {
    Key::new(format!("{}#REV#{path}", keys::scope(s)), format!("{version:012}"))
}

/// The end of a path's revisions up to the version of its deletion.
pub(crate) fn revisions_end_key(s: &Scope, path: &WikiPath, version: u64) -> Key {
    Key::new(format!("{}#REV#{path}", keys::scope(s)), format!("{REVISIONS_END}{version:012}"))
}

/// Where the sort keys of the ends of revisions begin.
const REVISIONS_END: &str = "END#";

/// Reads back at which version revisions end.
pub(crate) fn version_of_revisions_end(sk: &str) -> Option<u64> {
    sk.strip_prefix(REVISIONS_END)?.parse().ok()
}
