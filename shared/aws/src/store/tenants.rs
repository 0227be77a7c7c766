//! Tenants.

use serde::{Deserialize, Serialize};

use super::api_keys::{FirstKey, first_key_writes};
use super::client::Store;
use super::expression::Expression;
use super::keys;
use super::record::record;
use super::table::{Consistency, Item, PartitionQuery, from_value, item, number, set_gsi1_key, value};
use super::transaction::{Tag, Transaction, Write};
use super::update::{Basis, Decision};
use crate::store::item_kind::ItemKind;
use domain::error::Code;
use domain::models::{People, Plan, Tenant, TenantId, TenantStatus, Timestamp};
use domain::{Error, Result};

record! {
    /// A tenant as stored.
    TenantFields for Tenant {
        tenant_id: TenantId,
        name: String,
        plan: Plan,
        #[serde(default = "active")]
        status: TenantStatus,
        created_at: Timestamp,
    }
}

/// The status of a tenant that was stored without one.
const fn active() -> TenantStatus {
    TenantStatus::Active
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenantRecord {
    #[serde(flatten)]
    pub(super) tenant: TenantFields,
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
    /// Keeps a new tenant with its first keys, all or none, at most 33; 409 when its id is taken.
    pub async fn create(&self, tenant: &Tenant, keys: &[FirstKey]) -> Result<()> {
        let new = Transaction::of(Write::create(stored(TenantRecord::new(tenant.clone()))?));
        let created = self.0.write_if(new.with(Tag::Beside, first_key_writes(self.0, keys)?)).await?;
        if created { Ok(()) } else { Err(Error::new(Code::Conflict, "The tenant exists already.")) }
    }

    /// A tenant, or none; consistent.
    pub async fn get(&self, id: &TenantId) -> Result<Option<Tenant>> {
        Ok(self.get_record(id).await?.map(|record| record.tenant.into()))
    }

    /// All tenants, oldest first, from the cards in gsi1, which lag by up to a second.
    pub async fn list(&self) -> Result<Vec<Tenant>> {
        let mut query = PartitionQuery::of_index("gsi1", keys::TENANTS.to_owned());
        let mut tenants = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            for mut found in page.items {
                let card = found.remove("card").ok_or_else(|| Error::internal("a tenant in gsi1 has no card"))?;
                tenants.push(from_value::<TenantFields>(card)?.into());
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(tenants),
            }
        }
    }

    /// Changes a tenant by `change`, until no other change came between; the result.
    ///
    /// # Errors
    /// 404 if there is none, and what `change` refuses with.
    pub async fn change(&self, id: &TenantId, change: impl Fn(Tenant) -> Result<Tenant>) -> Result<Tenant> {
        let key = keys::tenant(id);
        let decide = |old: Option<TenantRecord>| {
            let old = old.ok_or_else(|| Error::not_found("tenant"))?;
            let new = change(old.tenant.clone().into())?;
            let unchanged = Expression::new("keysVersion = :seen").with(":seen", number(old.keys_version));
            let keys_version = old.keys_version.saturating_add(1);
            let item = stored(TenantRecord { tenant: new.clone().into(), keys_version, ..old })?;
            Ok(Decision::Write(Write::Put { item, condition: Some(unchanged) }, new))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }

    /// Deletes what is left of a tenant whose data was erased.
    pub async fn delete(&self, id: &TenantId) -> Result<()> {
        self.0.write(vec![Write::Delete { key: keys::tenant(id), condition: None }]).await
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
        Self { tenant: tenant.into(), keys_version: 0, member_count: 0, people: People::default() }
    }
}

/// The item of a tenant, with its card for the list.
fn stored(record: TenantRecord) -> Result<Item> {
    let TenantFields { tenant_id, created_at, .. } = &record.tenant;
    let mut stored = item(&keys::tenant(tenant_id), ItemKind::Tenant, &record)?;
    stored.insert("card".into(), value(&record.tenant)?);
    set_gsi1_key(&mut stored, &keys::tenant_by_creation(tenant_id, *created_at));
    Ok(stored)
}
