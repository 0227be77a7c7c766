//! Tenants.

use serde::{Deserialize, Serialize};

use super::client::Store;
use super::keys;
use super::record::record;
use super::table::{Consistency, item};
use super::transaction::Write;
use domain::error::Code;
use domain::models::{Plan, Tenant, TenantId, Timestamp};
use domain::{Error, Result};

record! {
    /// A tenant as stored.
    TenantFields for Tenant { tenant_id: TenantId, name: String, plan: Plan, created_at: Timestamp }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenantRecord {
    #[serde(flatten)]
    pub(super) tenant: TenantFields,
    /// Counts every change of the tenant's keys, so that two concurrent deletions cannot both leave no admin key.
    #[serde(default)]
    pub(super) keys_version: u64,
}

/// The tenants.
#[derive(Debug, Clone, Copy)]
pub struct TenantRepository<'a>(pub(super) &'a Store);

impl TenantRepository<'_> {
    /// Keeps a new tenant; 409 when its id is taken.
    pub async fn create(&self, tenant: &Tenant) -> Result<()> {
        let record = TenantRecord { tenant: tenant.clone().into(), keys_version: 0 };
        let item = item(&keys::tenant(&tenant.tenant_id), "tenant", &record)?;
        let created = self.0.write_if(Write::create(item)).await?;
        if created { Ok(()) } else { Err(Error::new(Code::Conflict, "The tenant exists already.")) }
    }

    /// A tenant, or none; consistent.
    pub async fn get(&self, id: &TenantId) -> Result<Option<Tenant>> {
        Ok(self.get_record(id).await?.map(|record| record.tenant.into()))
    }

    pub(super) async fn get_record(&self, id: &TenantId) -> Result<Option<TenantRecord>> {
        self.0.get(&keys::tenant(id), Consistency::Strong).await
    }
}
