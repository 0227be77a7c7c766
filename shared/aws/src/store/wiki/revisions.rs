//! Old versions of entries.

use serde::{Deserialize, Serialize};

use super::WikiRepository;
use super::entry_record::EntryRecord;
use super::wiki_record::DeletedEntry;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table;
use crate::store::table::{Consistency, Item, PartitionQuery, SortCondition};
use crate::store::transaction::Write;
use domain::models::{MAX_REVISIONS, Scope, Timestamp, WikiEntry, WikiPath};
use domain::{Error, Result};

/// So many revisions are erased in one transaction.
const ERASE_BATCH_SIZE: i32 = 50;

/// When the entry was deleted whose revisions end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RevisionEndRecord {
    deleted_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_by: Option<String>,
}

impl RevisionEndRecord {
    fn of(self, version: u64) -> DeletedEntry {
        DeletedEntry { version, at: self.deleted_at, by: self.deleted_by }
    }
}

impl WikiRepository<'_> {
    /// Keeps a version that was replaced or deleted, in the place of the oldest above the limit; one that is kept already
    /// stays as it is.
    pub async fn put_revision(&self, scope: &Scope, entry: &WikiEntry) -> Result<()> {
        let oldest = entry.version.checked_sub(MAX_REVISIONS).filter(|version| *version > 0);
        let deleted = oldest.map(|version| keys::revision(scope, &entry.path, version));
        let mut writes = vec![Write::create(revision_item(scope, entry)?)];
        writes.extend(deleted.map(|key| Write::Delete { key, condition: None }));
        self.store.write_if(writes).await.map(drop)
    }

    /// A version that was replaced or deleted.
    pub async fn get_revision(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<Option<WikiEntry>> {
        let key = keys::revision(scope, path, version);
        let record: Option<EntryRecord> = self.store.get(&key, Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }

    /// Keeps the deletion of a path as a revision, and makes all of them up to it due to be erased at `due`.
    pub async fn schedule_revision_erasure(
        &self,
        scope: &Scope,
        path: &WikiPath,
        deleted: &DeletedEntry,
        due: Timestamp,
    ) -> Result<()> {
        let mut items = revisions_end_items(scope, path, deleted)?;
        let place = keys::due(&keys::revisions_end(scope, path, deleted.version), due);
        items.iter_mut().take(1).for_each(|end| table::set_gsi2_key(end, &place));
        self.store.write(items.into_iter().map(|item| Write::Put { item, condition: None }).collect()).await
    }

    /// The versions of a path below `version` that were replaced or deleted, as far as one answer holds, from `after` on;
    /// and where the next page starts.
    pub async fn list_revisions(
        &self,
        scope: &Scope,
        path: &WikiPath,
        (after, version): (u64, u64),
    ) -> Result<(Vec<WikiEntry>, Option<u64>)> {
        let [first, last] =
            [after.saturating_add(1), version.saturating_sub(1)].map(|at| keys::revision(scope, path, at));
        if after.saturating_add(1) >= version {
            return Ok((Vec::new(), None));
        }
        let mut query = PartitionQuery::new(first.pk);
        query.condition = SortCondition::Between(first.sk, last.sk);
        let page = self.store.query(query).await?;
        let records = page.items.into_iter().map(table::record::<EntryRecord>).collect::<Result<Vec<_>>>()?;
        let next = records.last().map(|record| record.version).filter(|_| page.next.is_some());
        Ok((records.into_iter().filter_map(EntryRecord::into_entry).collect(), next))
    }

    /// A path's deletions whose revisions are to be erased.
    pub async fn list_revisions_ends(&self, scope: &Scope, path: &WikiPath) -> Result<Vec<DeletedEntry>> {
        let mut query = PartitionQuery::new(keys::revision(scope, path, 0).pk);
        query.condition = SortCondition::Prefix(keys::REVISIONS_END.to_owned());
        let mut ends = Vec::new();
        loop {
            let page = self.store.query(query.clone()).await?;
            for item in page.items {
                let version = table::key_of(&item).and_then(|key| keys::version_of_revisions_end(&key.sk));
                let version = version.ok_or_else(|| Error::internal("the end of revisions without a version"))?;
                ends.push(table::record::<RevisionEndRecord>(item)?.of(version));
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(ends),
            }
        }
    }

    /// The deletion as `version` of the path whose revisions up to it are due; none if they are erased already.
    pub async fn get_revisions_end(
        &self,
        scope: &Scope,
        path: &WikiPath,
        version: u64,
    ) -> Result<Option<DeletedEntry>> {
        let key = keys::revisions_end(scope, path, version);
        let end: Option<RevisionEndRecord> = self.store.get(&key, Consistency::Strong).await?;
        Ok(end.map(|end| end.of(version)))
    }

    /// Erases the revisions of a path up to `version`, and in the end that they are due. May be ended in the middle and
    /// begun again.
    pub async fn erase_revisions(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
        let (first, last) = (keys::revision(scope, path, 0), keys::revision(scope, path, version));
        let mut query = PartitionQuery::new(first.pk.clone());
        query.condition = SortCondition::Between(first.sk, last.sk);
        query.limit = Some(ERASE_BATCH_SIZE);
        loop {
            let page = self.store.query(query.clone()).await?;
            let keys = page.items.iter().filter_map(table::key_of);
            let writes: Vec<Write> = keys.map(|key| Write::Delete { key, condition: None }).collect();
            if !writes.is_empty() {
                self.store.write(writes).await?;
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => break,
            }
        }
        let end = Write::Delete { key: keys::revisions_end(scope, path, version), condition: None };
        self.store.write(vec![end]).await
    }
}

/// The item of a version that was replaced or deleted.
pub(in crate::store) fn revision_item(scope: &Scope, entry: &WikiEntry) -> Result<Item> {
    let record = EntryRecord { card: None, ..EntryRecord::live(entry, "", "") };
    table::item(&keys::revision(scope, &entry.path, entry.version), ItemKind::Revision, &record)
}

/// The items of a path's deletion: the end of its revisions, without the due time, and the deletion as one of them.
pub(in crate::store) fn revisions_end_items(
    scope: &Scope,
    path: &WikiPath,
    deleted: &DeletedEntry,
) -> Result<Vec<Item>> {
    let end = RevisionEndRecord { deleted_at: deleted.at, deleted_by: deleted.by.clone() };
    let (end_key, key) =
        (keys::revisions_end(scope, path, deleted.version), keys::revision(scope, path, deleted.version));
    let deletion = EntryRecord::deleted(path.clone(), deleted);
    Ok(vec![table::item(&end_key, ItemKind::RevisionsEnd, &end)?, table::item(&key, ItemKind::Revision, &deletion)?])
}
