//! Reads all wikis of the table, to rebuild an index. The one scan; no function calls it.

use super::WikiRepository;
use super::entry_record::EntryRecord;
use super::wiki_record::WikiRecord;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table;
use crate::store::table::{Item, unavailable};
use domain::models::Scope;
use domain::{Error, Result};

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiScanPosition(Item);

/// Some of all records, in no order.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiScanPage {
    /// Each with its tenant and mode.
    pub records: Vec<(Scope, WikiRecord)>,
    /// `None` at the end.
    pub next: Option<WikiScanPosition>,
}

impl WikiRepository<'_> {
    /// A page of every tenant's records, entries and deletions: reads the whole table, up to 1 MB a call.
    #[expect(clippy::disallowed_methods, reason = "a reindex reads every entry; no request does")]
    pub async fn scan(&self, from: Option<WikiScanPosition>) -> Result<WikiScanPage> {
        let answer = self
            .store
            .client
            .scan()
            .table_name(&*self.store.table)
            .filter_expression("#kind = :kind")
            .expression_attribute_names("#kind", "kind")
            .expression_attribute_values(":kind", ItemKind::Entry.attribute())
            .consistent_read(true)
            .set_exclusive_start_key(from.map(|position| position.0))
            .send()
            .await
            .map_err(|e| unavailable("scan", e))?;
        let records = answer.items.unwrap_or_default().into_iter().map(with_scope).collect::<Result<_>>()?;
        Ok(WikiScanPage { records, next: answer.last_evaluated_key.map(WikiScanPosition) })
    }
}

fn with_scope(item: Item) -> Result<(Scope, WikiRecord)> {
    let pk = item.get("pk").and_then(|pk| pk.as_s().ok());
    let scope = pk.and_then(|pk| keys::scope_of_wiki(pk)).ok_or_else(|| Error::internal("an entry outside a wiki"))?;
    Ok((scope, table::record::<EntryRecord>(item)?.into()))
}
