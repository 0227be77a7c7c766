//! Tenants, and all items of a tenant, found by reading the whole table: for the operator's command line, and for no
//! request.

use serde::{Deserialize, Serialize};

use super::api_keys::{FirstKey, first_key_writes};
use super::item::{Expression, Item, ItemKind, card, item, key_of, number, set_gsi1_key, text, value};
use super::keys::{self, IndexKey, Key};
use super::settings::settings_key;
use super::table::{Consistency, PartitionQuery, Store, unavailable};
use super::transaction::{Tag, Transaction, Write};
use super::update::{Basis, Decision};
use super::wiki::scope_of_wiki;
use domain::error::Code;
use domain::models::{People, Scope, Tenant, TenantId, Timestamp, WikiPath};
use domain::{Error, Result};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenantRecord {
    #[serde(flatten)]
    pub(super) tenant: Tenant,
    /// Counts every change of the tenant, of its keys and of the numbers of its members, so that two concurrent deletions
    /// cannot both leave no admin key.
    #[serde(default)]
    pub(super) keys_version: u64,
    /// How many members there are.
    #[serde(default)]
    pub(super) member_count: u32,
    /// Those of them that count for something.
    #[serde(flatten)]
    pub(super) people: People,
}

/// The tenants.
#[derive(Debug, Clone, Copy)]
pub struct TenantRepository<'a>(pub(super) &'a Store);

impl TenantRepository<'_> {
    /// Keeps a new tenant with its first keys, all or none, at most 32; 409 when its id is taken.
    pub async fn create(&self, tenant: &Tenant, keys: &[FirstKey]) -> Result<()> {
        let new = Transaction::of(Write::create(stored(TenantRecord::new(tenant.clone()))?));
        let created = self.0.write_if(new.with(Tag::Beside, first_key_writes(self.0, keys)?)).await?;
        if created { Ok(()) } else { Err(Error::new(Code::Conflict, "The tenant exists already.")) }
    }

    /// A tenant, or none; consistent.
    pub async fn get(&self, id: &TenantId) -> Result<Option<Tenant>> {
        Ok(self.get_record(id).await?.map(|record| record.tenant))
    }

    /// All tenants, oldest first, from the cards in gsi1, which lag by up to a second.
    pub async fn list(&self) -> Result<Vec<Tenant>> {
        let items = self.0.query_all_items(PartitionQuery::of_index("gsi1", TENANTS.to_owned())).await?;
        items.into_iter().map(card).collect()
    }

    /// Changes a tenant by `change`, until no other change came between; the result.
    ///
    /// # Errors
    /// 404 if there is none, and what `change` refuses with.
    pub async fn change(&self, id: &TenantId, change: impl Fn(Tenant) -> Result<Tenant>) -> Result<Tenant> {
        let key = keys::tenant(id);
        let decide = |old: Option<TenantRecord>| {
            let old = old.ok_or_else(|| Error::not_found("tenant"))?;
            let new = change(old.tenant.clone())?;
            let unchanged = Expression::new("keysVersion = :seen").with(":seen", number(old.keys_version));
            let keys_version = old.keys_version.saturating_add(1);
            let item = stored(TenantRecord { tenant: new.clone(), keys_version, ..old })?;
            Ok(Decision::Write(Write::Put { item, condition: Some(unchanged) }, new))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }

    /// Deletes what is left of a tenant whose data was erased.
    pub async fn delete(&self, id: &TenantId) -> Result<()> {
        self.0.write(vec![Write::delete(keys::tenant(id))]).await
    }

    /// How many members of a tenant count for something; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn people(&self, id: &TenantId) -> Result<People> {
        Ok(self.get_record(id).await?.map(|record| record.people).unwrap_or_default())
    }

    pub(super) async fn get_record(&self, id: &TenantId) -> Result<Option<TenantRecord>> {
        self.0.get(&keys::tenant(id), Consistency::Strong).await
    }
}

impl TenantRecord {
    fn new(tenant: Tenant) -> Self {
        Self { tenant, keys_version: 0, member_count: 0, people: People::default() }
    }
}

/// The item of a tenant, with its card for the list.
fn stored(record: TenantRecord) -> Result<Item> {
    let Tenant { tenant_id, created_at, .. } = &record.tenant;
    let mut stored = item(&keys::tenant(tenant_id), ItemKind::Tenant, &record)?;
    stored.insert("card".into(), value(&record.tenant)?);
    set_gsi1_key(&mut stored, &tenant_by_creation(tenant_id, *created_at));
    Ok(stored)
}

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
            let writes = chunk.iter().map(|item| Write::delete(item.key.clone())).collect();
            self.0.write(writes).await?;
        }
        Ok(())
    }

    /// Deletes the settings, API keys and members of a tenant, but not the tenant.
    pub async fn erase_access(&self, tenant: &TenantId) -> Result<()> {
        self.0.api_keys().delete_all(tenant).await?;
        self.0.members().delete_all(tenant).await?;
        let settings = domain::models::Mode::ALL.iter().map(|&mode| Scope { tenant: tenant.clone(), mode });
        let writes = settings.map(|scope| Write::delete(settings_key(&scope)));
        self.0.write(writes.collect()).await
    }
}

impl TenantItem {
    /// The wiki entry that the item is, or what is left of it, with its version.
    #[must_use]
    pub fn entry(&self) -> Option<(Scope, WikiPath, u64)> {
        let scope = scope_of_wiki(&self.key.pk)?;
        let version = self.item.get("version")?.as_n().ok()?.parse().ok()?;
        Some((scope, WikiPath::parse(&self.key.sk).ok()?, version))
    }
}

/// gsi1: all tenants, by creation.
const TENANTS: &str = "TENANTS";

fn tenant_by_creation(id: &TenantId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: TENANTS.to_owned(), sk: format!("{}#{id}", keys::moment(created_at)) }
}
