//! Erases a tenant: its keys at once, then every item in both modes, its entries in the index, and its dead letters.
//!
//! It can be interrupted and repeated: what is gone is not found again, and the tenant itself goes last.

use std::time::Duration;

use aws::dead_letters::DeadLetters;
use aws::store::{Store, TenantItem};
use domain::models::{Tenant, TenantId, TenantStatus};
use domain::{Error, Result};
use serde_json::Value;

use crate::ClientProvider;

/// How long after the tenant is refused something may still be written, in milliseconds: functions remember for five
/// seconds that a tenant is served, and a request may take 28.
const LAST_WRITE_AFTER_MS: i64 = 35_000;
/// How long after a pass the next one begins.
const PASS_INTERVAL: Duration = Duration::from_secs(3);
/// The most passes; the next call continues.
const MAX_PASSES: u32 = 60;

/// What was erased.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    /// Items of the table.
    pub items: u64,
    /// Entries of the index, deleted ones included.
    pub entries: u64,
    /// Dead letters.
    pub dead_letters: u64,
}

/// Counts what would be erased now, without its dead letters.
///
/// # Errors
/// 503 where the table does not answer.
pub async fn count(store: &Store, tenant: &TenantId) -> Result<Erased> {
    let (mut found, mut next) = (Erased::default(), None);
    loop {
        let page = store.tenant_items().page(tenant, next).await?;
        found.items += page.items.len() as u64;
        found.entries += page.items.iter().filter(|item| item.entry().is_some()).count() as u64;
        match page.next {
            Some(position) => next = Some(position),
            None => return Ok(found),
        }
    }
}

/// Erases a tenant; `progress` gets the number of items that are erased so far.
///
/// # Errors
/// 503 where the table, the index or the dead letters do not answer, or where new data arrives all the time: the tenant
/// is refused, and a repetition continues.
pub async fn erase(clients: &impl ClientProvider, tenant: &TenantId, progress: impl Fn(u64)) -> Result<Erased> {
    let store = clients.store();
    refuse(&store, tenant).await?;
    let runtime = clients.runtime();
    let last_write_at = runtime.now().plus_millis(LAST_WRITE_AFTER_MS);
    let mut erased = Erased::default();
    for _ in 0..MAX_PASSES {
        let (before, began_at) = (erased.items, runtime.now());
        erase_pass(clients, tenant, &mut erased, &progress).await?;
        if erased.items == before && began_at > last_write_at {
            erased.dead_letters += erase_dead_letters(&clients.dead_letters()?, tenant).await?;
            store.tenants().delete(tenant).await?;
            return Ok(erased);
        }
        tokio::time::sleep(PASS_INTERVAL).await;
    }
    Err(Error::unavailable("the tenant's data keeps arriving; repeat the command later"))
}

/// From here on every request of the tenant is refused.
async fn refuse(store: &Store, tenant: &TenantId) -> Result<()> {
    let deleting = |tenant: Tenant| Ok(Tenant { status: TenantStatus::Deleting, ..tenant });
    store.tenants().change(tenant, deleting).await?;
    store.tenant_items().erase_access(tenant).await
}

async fn erase_pass(
    clients: &impl ClientProvider,
    tenant: &TenantId,
    erased: &mut Erased,
    progress: &impl Fn(u64),
) -> Result<()> {
    let store = clients.store();
    let mut next = None;
    loop {
        let page = store.tenant_items().page(tenant, next).await?;
        erased.entries += erase_from_index(clients, &page.items).await?;
        for name in page.items.iter().filter_map(TenantItem::dead_letter) {
            clients.dead_letters()?.delete(name).await?;
            erased.dead_letters += 1;
        }
        store.tenant_items().erase(tenant, &page.items).await?;
        erased.items += page.items.len() as u64;
        progress(erased.items);
        match page.next {
            Some(position) => next = Some(position),
            None => return Ok(()),
        }
    }
}

/// The index keeps the path for two days, under a version that no late write of the entry has.
async fn erase_from_index(clients: &impl ClientProvider, items: &[TenantItem]) -> Result<u64> {
    let mut erased = 0;
    for (scope, path, version) in items.iter().filter_map(TenantItem::entry) {
        let (index, now) = (clients.index()?, clients.runtime().now());
        index.delete(&scope, &path, version.saturating_add(1), now).await?;
        erased += 1;
    }
    Ok(erased)
}

/// Dead letters that no session of the tenant names, such as those of wiki changes and due items.
async fn erase_dead_letters(dead_letters: &DeadLetters, tenant: &TenantId) -> Result<u64> {
    let mut erased = 0;
    for name in dead_letters.list_all().await? {
        let content = dead_letters.get(&name).await?.unwrap_or_default();
        if is_of(tenant, &content) {
            dead_letters.delete(&name).await?;
            erased += 1;
        }
    }
    Ok(erased)
}

fn is_of(tenant: &TenantId, content: &[u8]) -> bool {
    let Ok(letter) = serde_json::from_slice::<Value>(content) else { return false };
    let item = letter.pointer("/record/keys/pk/S").or_else(|| letter.get("item"));
    item.and_then(Value::as_str).is_some_and(|item| {
        let settings = item.strip_prefix("TENANT#").unwrap_or(item);
        settings == tenant.as_str() || settings.starts_with(&format!("{tenant}#"))
    })
}
