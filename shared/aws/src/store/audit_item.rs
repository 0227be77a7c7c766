//! The item of an entry of the audit, which transactions write beside what it tells of.

use super::item_kind::ItemKind;
use super::keys;
use super::table::{Item, item, number};
use domain::Result;
use domain::clock::Runtime;
use domain::models::{AuditEntry, TenantId};

/// How long an entry is kept, in hours.
pub(super) const KEPT_HOURS: i64 = 365 * 24;

/// The item of an entry, under a key of its own.
pub(super) fn audit_item(runtime: &Runtime, tenant: &TenantId, entry: &AuditEntry) -> Result<Item> {
    let key = keys::audit_entry(tenant, entry.at, &runtime.token()?);
    let mut stored = item(&key, ItemKind::AuditEntry, entry)?;
    stored.insert("ttl".into(), number(entry.at.plus_hours(KEPT_HOURS).as_seconds()));
    Ok(stored)
}
