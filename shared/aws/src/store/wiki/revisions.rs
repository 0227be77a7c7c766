//! Old versions of entries.

use serde::{Deserialize, Serialize};

use super::WikiRepository;
use super::record::EntryRecord;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table;
use crate::store::table::{Consistency, PartitionQuery, SortCondition};
use crate::store::transaction::Write;
use domain::Result;
use domain::models::{Scope, Timestamp, WikiEntry, WikiPath};

/// So many revisions are erased in one transaction.
const ERASE_BATCH_SIZE: i32 = 50;

/// When the entry was deleted whose revisions end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RevisionEndRecord {
    deleted_at: Timestamp,
}

impl WikiRepository<'_> {
    /// Keeps a version that was replaced or deleted; one that is kept already stays as it is.
    pub async fn put_revision(&self, scope: &Scope, entry: &WikiEntry) -> Result<()> {
        let record = EntryRecord { card: None, ..EntryRecord::live(entry, "", "") };
        let item = table::item(&keys::revision(scope, &entry.path, entry.version), ItemKind::Revision, &record)?;
        self.store.write_if(Write::create(item)).await.map(drop)
    }

    /// A version that was replaced or deleted.
    pub async fn get_revision(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<Option<WikiEntry>> {
        let key = keys::revision(scope, path, version);
        let record: Option<EntryRecord> = self.store.get(&key, Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }

    /// Makes the revisions of a path that was deleted, at `deleted_at` as `version`, due to be erased at `due`.
    pub async fn schedule_revision_erasure(
        &self,
        scope: &Scope,
        (path, version): (&WikiPath, u64),
        deleted_at: Timestamp,
        due: Timestamp,
    ) -> Result<()> {
        let key = keys::revisions_end(scope, path, version);
        let mut item = table::item(&key, ItemKind::RevisionsEnd, &RevisionEndRecord { deleted_at })?;
        table::set_gsi2_key(&mut item, &keys::due(&key, due));
        self.store.write(vec![Write::Put { item, condition: None }]).await
    }

    /// When the path was deleted whose revisions up to `version` are due; none where they are erased already.
    pub async fn get_revisions_deleted_at(
        &self,
        scope: &Scope,
        path: &WikiPath,
        version: u64,
    ) -> Result<Option<Timestamp>> {
        let key = keys::revisions_end(scope, path, version);
        let end: Option<RevisionEndRecord> = self.store.get(&key, Consistency::Strong).await?;
        Ok(end.map(|end| end.deleted_at))
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
