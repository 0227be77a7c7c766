//! What entries were before they were replaced or deleted.

use super::WikiRepository;
use super::record::EntryRecord;
use crate::Result;
use crate::models::{Scope, WikiEntry, WikiPath};
use crate::store::keys;
use crate::store::table::{self, Consistency};
use crate::store::transaction::{Refused, Write};

impl WikiRepository<'_> {
    /// Keeps a version that was replaced or deleted; one that is kept already stays as it is.
    pub async fn keep_revision(&self, scope: &Scope, entry: &WikiEntry) -> Result<()> {
        let record = EntryRecord { card: None, ..EntryRecord::live(entry, "", "") };
        let item = table::item(&keys::revision(scope, &entry.path, entry.version), "revision", &record)?;
        match self.store.transact(vec![Write::create(item)], None).await {
            Ok(()) | Err(Refused::Condition(_)) => Ok(()),
            Err(Refused::Other(error)) => Err(error),
        }
    }

    /// A version that was replaced or deleted.
    pub async fn revision(&self, scope: &Scope, path: &WikiPath, version: u64) -> Result<Option<WikiEntry>> {
        let key = keys::revision(scope, path, version);
        let record: Option<EntryRecord> = self.store.get(&key, Consistency::Strong).await?;
        Ok(record.and_then(EntryRecord::into_entry))
    }
}
