//! All items of a tenant, found by reading the whole table: for the operator's command line, and for no request.

use super::client::Store;
use super::keys::{self, Key};
use super::table::{Item, key_of, text, unavailable};
use super::transaction::Write;
use domain::Result;
use domain::models::{Scope, TenantId, WikiPath};

/// Items that are deleted in one transaction.
const ERASED_AT_ONCE: usize = 50;

/// The items of a tenant; made by [`Store::tenant_items`].
#[derive(Debug, Clone, Copy)]
pub struct TenantItems<'a>(pub(super) &'a Store);

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantItemPosition(Item);

#[derive(Debug, Clone, PartialEq)]
pub struct TenantItem {
    pub(super) key: Key,
    pub(super) item: Item,
}

/// Some of a tenant's items, in no order.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantItemPage {
    /// The items; a page may have none.
    pub items: Vec<TenantItem>,
    /// `None` at the end.
    pub next: Option<TenantItemPosition>,
}

impl Store {
    #[must_use]
    pub const fn tenant_items(&self) -> TenantItems<'_> {
        TenantItems(self)
    }
}

impl TenantItems<'_> {
    /// A page of what belongs to a tenant, in both modes: reads the whole table, up to 1 MB a call. The tenant itself,
    /// its settings, its API keys and its members are not among it.
    #[expect(clippy::disallowed_methods, reason = "an operator reads all of a tenant; no request does")]
    pub async fn page(&self, tenant: &TenantId, from: Option<TenantItemPosition>) -> Result<TenantItemPage> {
        let answer = self
            .0
            .client
            .scan()
            .table_name(&*self.0.table)
            .filter_expression("begins_with(pk, :tenant) OR pk = :audit")
            .expression_attribute_values(":tenant", text(format!("{tenant}#")))
            .expression_attribute_values(":audit", text(keys::audit(tenant)))
            .consistent_read(true)
            .set_exclusive_start_key(from.map(|position| position.0))
            .send()
            .await
            .map_err(|e| unavailable("scan", e))?;
        let items = answer.items.unwrap_or_default().into_iter();
        let items = items.filter_map(|item| Some(TenantItem { key: key_of(&item)?, item })).collect();
        Ok(TenantItemPage { items, next: answer.last_evaluated_key.map(TenantItemPosition) })
    }

    /// Deletes items of a tenant; those of others are left alone.
    pub async fn erase(&self, tenant: &TenantId, items: &[TenantItem]) -> Result<()> {
        let (prefix, audit) = (format!("{tenant}#"), keys::audit(tenant));
        let is_own = |item: &&TenantItem| item.key.pk.starts_with(&prefix) || item.key.pk == audit;
        let own: Vec<&TenantItem> = items.iter().filter(is_own).collect();
        for chunk in own.chunks(ERASED_AT_ONCE) {
            let writes = chunk.iter().map(|item| Write::Delete { key: item.key.clone(), condition: None }).collect();
            self.0.write(writes).await?;
        }
        Ok(())
    }

    /// Deletes the settings, API keys and members of a tenant, but not the tenant.
    pub async fn erase_access(&self, tenant: &TenantId) -> Result<()> {
        self.0.api_keys().delete_all(tenant).await?;
        self.0.members().delete_all(tenant).await?;
        let settings = domain::models::Mode::ALL.iter().map(|&mode| Scope { tenant: tenant.clone(), mode });
        let writes = settings.map(|scope| Write::Delete { key: keys::settings(&scope), condition: None });
        self.0.write(writes.collect()).await
    }
}

impl TenantItem {
    /// The wiki entry that the item is, or what is left of it, with its version.
    #[must_use]
    pub fn entry(&self) -> Option<(Scope, WikiPath, u64)> {
        let scope = keys::scope_of_wiki(&self.key.pk)?;
        let version = self.item.get("version")?.as_n().ok()?.parse().ok()?;
        Some((scope, WikiPath::parse(&self.key.sk).ok()?, version))
    }
}
