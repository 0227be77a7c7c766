//! The audit of a tenant: one item for each thing that was done, written in the transaction of what it tells of, and kept
//! for a year.

use domain::Result;
use domain::models::{AuditAction, AuditChange, AuditEntry, TenantId};
use serde::{Deserialize, Serialize};

use crate::table::item::record;
use crate::table::pages::CursorPage;
use crate::table::transaction::{KEPT_HOURS, Write, audit_item};
use crate::table::{PartitionQuery, SortCondition, keys, repository};

repository!(audit: AuditRepository);

/// The place of an entry in the audit of its tenant: its time, and a random part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct AuditPlace(String);

impl TryFrom<String> for AuditPlace {
    type Error = &'static str;

    fn try_from(text: String) -> std::result::Result<Self, Self::Error> {
        Self::parse(&text).ok_or("must be a time and a random part")
    }
}

impl AuditPlace {
    fn parse(text: &str) -> Option<Self> {
        let (at, token) = text.split_once('#')?;
        let is_place =
            keys::moment_of(at).is_some() && token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit());
        is_place.then(|| Self(text.to_owned()))
    }
}

impl AuditRepository<'_> {
    /// The write of an entry, for the transaction of what it tells of.
    pub(crate) fn write(&self, tenant: &TenantId, entry: &AuditEntry) -> Result<Write> {
        Ok(Write::create(audit_item(&self.0.runtime, tenant, entry)?))
    }

    /// The write of an entry about an effect of a transaction, in the name of the author of this client's changes.
    pub(crate) fn effect(
        &self,
        tenant: &TenantId,
        action: AuditAction,
        target: &str,
        changes: Vec<AuditChange>,
    ) -> Result<Write> {
        let (actor, mode) = (*self.0.author).clone();
        let at = self.0.runtime.now();
        self.write(tenant, &AuditEntry { at, actor, action, target: target.to_owned(), mode, changes })
    }

    /// Stores an entry about something that writes nothing else, such as an export.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn add(&self, tenant: &TenantId, entry: &AuditEntry) -> Result<()> {
        self.0.write(vec![self.write(tenant, entry)?]).await
    }

    /// The entries of a tenant, newest first, older than `after`; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn list(
        &self,
        tenant: &TenantId,
        after: Option<&AuditPlace>,
        limit: usize,
    ) -> Result<CursorPage<AuditEntry, AuditPlace>> {
        let mut query = PartitionQuery::new(keys::audit(tenant));
        query.condition = after.map_or(SortCondition::Any, |place| SortCondition::Below(place.0.clone()));
        query.forward = false;
        let page = self.0.cursor_page(query, limit).await?;
        let mut page = page.try_map(record::<AuditEntry>, |sk| AuditPlace::parse(&sk))?;
        // An entry past its time is left out, even if the table has not deleted it yet.
        let oldest = self.0.runtime.now().plus_hours(-KEPT_HOURS);
        let kept = page.items.iter().take_while(|entry| entry.at > oldest).count();
        if kept < page.items.len() {
            page.items.truncate(kept);
            page.next = None;
        }
        Ok(page)
    }
}
