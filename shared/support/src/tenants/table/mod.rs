//! Tenants: each with what is counted of it.

pub mod api_keys;
pub mod audit;
pub mod settings;

use domain::error::Code;
use domain::models::{People, Tenant, TenantId, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, Item, ItemKind, card, item, number, set_gsi1_key, value};
use crate::table::keys::{self, IndexKey};
use crate::table::transaction::{Tag, Transaction, Write};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, PartitionQuery, repository};
use crate::tenants::table::api_keys::{FirstKey, first_key_writes};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TenantRecord {
    #[serde(flatten)]
    pub(crate) tenant: Tenant,
    /// Counts every change of the tenant, of its keys and of the numbers of its members, so that two concurrent deletions
    /// cannot both leave no admin key.
    #[serde(default)]
    pub(crate) keys_version: u64,
    /// How many members there are.
    #[serde(default)]
    pub(crate) member_count: u32,
    /// Those of them that count for something.
    #[serde(flatten)]
    pub(crate) people: People,
}

repository!(tenants: TenantRepository);

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
    pub(crate) async fn change(&self, id: &TenantId, change: impl Fn(Tenant) -> Result<Tenant>) -> Result<Tenant> {
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
    pub(crate) async fn delete(&self, id: &TenantId) -> Result<()> {
        self.0.write(vec![Write::delete(keys::tenant(id))]).await
    }

    /// How many members of a tenant count for something; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn people(&self, id: &TenantId) -> Result<People> {
        Ok(self.get_record(id).await?.map(|record| record.people).unwrap_or_default())
    }

    async fn get_record(&self, id: &TenantId) -> Result<Option<TenantRecord>> {
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

/// gsi1: all tenants, by creation.
const TENANTS: &str = "TENANTS";

fn tenant_by_creation(id: &TenantId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: TENANTS.to_owned(), sk: format!("{}#{id}", keys::moment(created_at)) }
}
