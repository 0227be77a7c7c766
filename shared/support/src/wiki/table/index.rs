//! Pending updates of the index: paths that it did not accept, and wikis whose language changed.
//!
//! Both are due items, so the sweeper finds them. Neither changes an entry's version, so they have no effects.

use domain::Result;
use domain::models::{Scope, Timestamp, WikiPath};
use serde::{Deserialize, Serialize};

use crate::table::item::{self, Expression, ItemKind, text};
use crate::table::keys::{self, Key};
use crate::table::transaction::{Write, version_condition};
use crate::table::{Consistency, PartitionQuery, SortCondition};
use crate::wiki::table::{EntryRecord, WikiRecord, WikiRepository, entry_key, wiki_partition};

/// The progress of a wiki's reindex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reindexing {
    /// The change of settings that began it; a later one begins it again.
    pub began_with: String,
    /// Whether this is the second time through, for entries written by who still knew the old language.
    #[serde(default)]
    pub second: bool,
    /// The last path that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<WikiPath>,
}

impl WikiRepository<'_> {
    /// Marks `version` of a path as pending for the index, to be retried from `due` on. A path that changed since is
    /// left unchanged: its writer indexes the newer version.
    pub(in crate::wiki) async fn schedule_indexing(
        &self,
        scope: &Scope,
        path: &WikiPath,
        version: u64,
        due: Timestamp,
    ) -> Result<()> {
        let key = entry_key(scope, path);
        let due = keys::due(&key, due);
        let update = Expression::new("SET gsi2pk = :due_pk, gsi2sk = :due_sk")
            .with(":due_pk", text(due.pk))
            .with(":due_sk", text(due.sk));
        self.write_if_current(Write::Update { key, update, condition: Some(version_condition(version)) }).await
    }

    /// Takes that mark from `version` of a path, which is indexed now.
    pub(in crate::wiki) async fn mark_indexed(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
        let key = entry_key(scope, path);
        let update = Expression::new("REMOVE gsi2pk, gsi2sk, dueFailures");
        self.write_if_current(Write::Update { key, update, condition: Some(version_condition(version)) }).await
    }

    /// The record of a path: an entry, or its deletion. The read sees every acknowledged write.
    pub(crate) async fn get_record(&self, scope: &Scope, path: &WikiPath) -> Result<Option<WikiRecord>> {
        let record: Option<EntryRecord> = self.0.get(&entry_key(scope, path), Consistency::Strong).await?;
        Ok(record.map(WikiRecord::from))
    }

    /// The records of the paths after `after`, in order, as many as `limit` and one page of the table allow; read
    /// consistently.
    pub(in crate::wiki) async fn list_records(
        &self,
        scope: &Scope,
        after: Option<&WikiPath>,
        limit: i32,
    ) -> Result<Vec<WikiRecord>> {
        let mut query = PartitionQuery::new(wiki_partition(scope));
        query.limit = Some(limit);
        if let Some(after) = after {
            query.condition = SortCondition::Above(after.as_str().to_owned());
        }
        let page = self.0.query(query).await?;
        page.items.into_iter().map(|item| item::record::<EntryRecord>(item).map(WikiRecord::from)).collect()
    }

    /// Starts a wiki's reindex, or starts it again: `reindexing` replaces an existing one.
    pub(in crate::wiki) async fn begin_reindexing(
        &self,
        scope: &Scope,
        reindexing: &Reindexing,
        due: Timestamp,
    ) -> Result<()> {
        let write = reindexing_write(scope, reindexing, due, None)?;
        self.0.write(vec![write]).await
    }

    /// How far it has come; none if nothing is to be done.
    pub async fn get_reindexing(&self, scope: &Scope) -> Result<Option<Reindexing>> {
        self.0.get(&reindexing_key(scope), Consistency::Strong).await
    }

    /// Records the progress from `seen` to `now`, to be continued from `due` on; does nothing if it started again
    /// meanwhile.
    pub(in crate::wiki) async fn save_reindexing(
        &self,
        scope: &Scope,
        seen: &Reindexing,
        now: &Reindexing,
        due: Timestamp,
    ) -> Result<()> {
        self.write_if_current(reindexing_write(scope, now, due, Some(started_condition(seen)))?).await
    }

    /// Records the end; does nothing if it started again meanwhile.
    pub(in crate::wiki) async fn end_reindexing(&self, scope: &Scope, seen: &Reindexing) -> Result<()> {
        self.write_if_current(Write::Delete { key: reindexing_key(scope), condition: Some(started_condition(seen)) })
            .await
    }

    /// A write whose condition may fail: then another one handled it.
    async fn write_if_current(&self, write: Write) -> Result<()> {
        self.0.write_if(write).await.map(drop)
    }
}

fn started_condition(seen: &Reindexing) -> Expression {
    Expression::new("beganWith = :seen").with(":seen", text(&seen.began_with))
}

fn reindexing_write(
    scope: &Scope,
    reindexing: &Reindexing,
    due: Timestamp,
    condition: Option<Expression>,
) -> Result<Write> {
    let key = reindexing_key(scope);
    let mut item = item::item(&key, ItemKind::Reindexing, reindexing)?;
    item::set_gsi2_key(&mut item, &keys::due(&key, due));
    Ok(Write::Put { item, condition })
}

/// The progress of a wiki's reindex.
pub(crate) fn reindexing_key(s: &Scope) -> Key {
    Key::new(format!("{}#REINDEX", keys::scope(s)), "JOB")
}
