//! Tenants with a key for every role, for tests and benchmarks.

use std::collections::BTreeMap;

use app::Requester;
use app::api_keys::{self, NewApiKey};
use domain::Result;
use domain::models::{Mode, Plan, Role, Scope, Tenant, TenantId, TenantStatus};

use crate::resources::Resources;

/// A tenant and its raw keys; they are stored nowhere else.
#[derive(Clone)]
pub struct TenantKeys {
    pub tenant_id: TenantId,
    keys: BTreeMap<(&'static str, &'static str), String>,
}

impl std::fmt::Debug for TenantKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TenantKeys").field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

impl TenantKeys {
    /// The raw key of a role in a mode.
    #[must_use]
    pub fn key(&self, mode: Mode, role: Role) -> &str {
        self.keys.get(&(mode.as_str(), role.as_str())).map_or("", String::as_str)
    }

    /// The tenant in `mode`.
    #[must_use]
    pub fn scope(&self, mode: Mode) -> Scope {
        Scope { tenant: self.tenant_id.clone(), mode }
    }
}

/// Creates a tenant with eight keys.
pub(crate) async fn create(resources: &Resources, name: &str, plan: Plan) -> Result<TenantKeys> {
    let tenant_id = TenantId::generate(&resources.runtime)?;
    let created_at = resources.runtime.now();
    let tenant =
        Tenant { tenant_id: tenant_id.clone(), name: name.to_owned(), plan, status: TenantStatus::Active, created_at };
    let (mut first, mut keys) = (Vec::new(), BTreeMap::new());
    for mode in Mode::ALL {
        for role in Role::ALL {
            let scope = Scope { tenant: tenant_id.clone(), mode: *mode };
            let new = NewApiKey { scope, name: role.as_str().to_owned(), role: *role, expires_at: None };
            let (stored, key) = api_keys::first_key(&resources.runtime, Requester::Operator, new)?;
            first.push(stored);
            keys.insert((mode.as_str(), role.as_str()), key.expose().to_owned());
        }
    }
    resources.store.tenants().create(&tenant, &first).await?;
    Ok(TenantKeys { tenant_id, keys })
}

/// Creates a key that does not expire; returns the raw key.
pub(crate) async fn create_key(resources: &Resources, scope: Scope, role: Role, name: &str) -> Result<String> {
    let new = NewApiKey { scope, name: name.to_owned(), role, expires_at: None };
    let (_, key) = api_keys::create(&resources.store, &resources.runtime, Requester::Operator, new).await?;
    Ok(key.expose().to_owned())
}
