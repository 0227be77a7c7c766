//! Erases a tenant: its keys at once, then every item in both modes, its entries in the index, and its dead letters.
//!
//! It can be interrupted and repeated: what is gone is not found again, and the tenant itself goes last.

use std::time::Duration;

use aws::queue::{Queue, Task};
use domain::models::{Tenant, TenantId, TenantStatus};
use domain::{Error, Result};

use crate::dead_letters::erase_letters_of;
use crate::edge::ClientProvider;
use crate::table::Store;
use crate::transfer::table::items::TenantItem;

/// How long after the tenant is refused something may still be written, in milliseconds: functions remember for five
/// seconds that a tenant is served, and a request may take 28.
const LAST_WRITE_AFTER_MS: i64 = 35_000;
/// How long after a pass the next one begins.
const PASS_INTERVAL: Duration = Duration::from_secs(3);
/// The most passes; the next call continues.
const MAX_PASSES: u32 = 60;

/// The numbers of erased items, entries and dead letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    /// Items of the table.
    pub items: u64,
    /// Entries of the index, deleted ones included.
    pub entries: u64,
    /// Dead letters, those of the queues included; of a batch that others have a part in, its part.
    pub dead_letters: u64,
}

/// Counts what would be erased now, without its dead letters.
///
/// # Errors
/// 503 if the table does not answer.
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
/// 503 if the table, the index or the dead letters do not answer, or if new data arrives all the time: the tenant
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
            erased.dead_letters += erase_dead_letters(clients, tenant).await?;
            // Erases the settings, API keys and members that requests under way at the beginning have added since.
            store.tenant_items().erase_access(tenant).await?;
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

/// Of the bucket or folder, and of the queues.
async fn erase_dead_letters(clients: &impl ClientProvider, tenant: &TenantId) -> Result<u64> {
    let mut erased = erase_letters_of(&clients.dead_letters()?, tenant).await?;
    let is_theirs = |body: &str| Task::parse(body).is_ok_and(|task| task.scope().tenant == *tenant);
    for queue in Queue::ALL {
        erased += clients.queue(*queue)?.discard_all(is_theirs).await?;
    }
    Ok(erased)
}
