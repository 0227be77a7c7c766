//! The entries under a prefix, without their text, for the plan of an ingest job.

use super::WikiRepository;
use super::entry_record::EntryRecord;
use crate::store::keys;
use crate::store::table;
use crate::store::table::{PartitionQuery, SortCondition};
use domain::Result;
use domain::models::{EntrySource, Scope, Visibility, WikiPath};

/// An entry without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryMetadata {
    /// Its name.
    pub path: WikiPath,
    pub version: u64,
    /// The people who may read it.
    pub visibility: Visibility,
    /// The key or job that created it.
    pub created_by: String,
    /// The key or job that last changed it.
    pub updated_by: String,
    /// Where it comes from.
    pub source: EntrySource,
}

impl WikiRepository<'_> {
    /// The entries directly under `prefix`, by path; sees every acknowledged write.
    pub async fn list_by_prefix(&self, scope: &Scope, prefix: &str) -> Result<Vec<EntryMetadata>> {
        let mut query = PartitionQuery::new(keys::wiki(scope));
        let start = format!("{prefix}/");
        query.condition = SortCondition::Prefix(start.clone());
        let mut heads = Vec::new();
        loop {
            let page = self.store.query(query.clone()).await?;
            for item in page.items {
                let record: EntryRecord = table::record(item)?;
                let direct = record.path.as_str().strip_prefix(&start).is_some_and(|rest| !rest.contains('/'));
                heads.extend(record.into_entry().filter(|_| direct).map(|entry| EntryMetadata {
                    path: entry.path,
                    version: entry.version,
                    visibility: entry.visibility,
                    created_by: entry.created_by,
                    updated_by: entry.updated_by,
                    source: entry.source,
                }));
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(heads),
            }
        }
    }
}
