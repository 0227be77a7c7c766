//! Tenants: the operator creates one with a first key, sets its plan, suspends and resumes it.
//!
//! - [`settings`]: the settings of a tenant, by mode.
//! - [`hours`]: opening hours in settings, and whether somebody is there.
//! - [`api_keys`]: API keys.
//! - [`widget_tokens`]: the tokens of visitors.
//! - [`widget_key_rotation`]: replaces the key that signs them.
//! - [`audit`]: the acts that are recorded.
//! - [`table`]: their items.

pub mod api_keys;
pub mod audit;
pub mod hours;
pub mod settings;
pub mod table;
pub mod widget_key_rotation;
pub mod widget_tokens;

use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{ApiKeyRecord, Mode, Plan, Role, Scope, Tenant, TenantId, TenantStatus};
use domain::{Error, Result};

use crate::requester::Requester;
use crate::table::Store;
use crate::tenants::api_keys::NewApiKey;

/// The longest name, in characters.
const NAME_MAX_CHARS: usize = 100;
/// The name of a tenant's first key.
const FIRST_KEY: &str = "first key";

/// A tenant that was just created.
#[derive(Debug)]
pub struct CreatedTenant {
    pub tenant: Tenant,
    /// The record of its first key: live, for an admin.
    pub key: ApiKeyRecord,
    /// The key itself, which is stored nowhere.
    pub raw_key: ApiKey,
}

/// Creates a tenant and its first key, both or none.
///
/// # Errors
/// 400 for a name that is empty, too long or has control characters; 503 if the table does not answer.
pub async fn create(store: &Store, runtime: &Runtime, name: &str, plan: Plan) -> Result<CreatedTenant> {
    let name = checked_name(name)?;
    let tenant_id = TenantId::generate(runtime)?;
    let status = TenantStatus::Active;
    let tenant = Tenant { tenant_id: tenant_id.clone(), name, plan, status, created_at: runtime.now() };
    let scope = Scope { tenant: tenant_id, mode: Mode::Live };
    let new = NewApiKey { scope, name: FIRST_KEY.to_owned(), role: Role::Admin, expires_at: None };
    let (first, raw_key) = api_keys::first_key(runtime, Requester::Operator, new)?;
    let key = first.record.clone();
    store.tenants().create(&tenant, &[first]).await?;
    Ok(CreatedTenant { tenant, key, raw_key })
}

fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if (1..=NAME_MAX_CHARS).contains(&length) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(Error::invalid(
        "name",
        DetailCode::InvalidFormat,
        format!("must have 1 to {NAME_MAX_CHARS} characters and no line break"),
    ))
}

/// The tenant that `text` names: by its id, or by a name that no other tenant has.
///
/// # Errors
/// 404 if there is none; 409 if several have the name.
pub async fn find(store: &Store, text: &str) -> Result<Tenant> {
    if let Some(id) = TenantId::parse(text) {
        return store.tenants().get(&id).await?.ok_or_else(|| Error::not_found("tenant"));
    }
    let mut named = store.tenants().list().await?.into_iter().filter(|tenant| tenant.name == text);
    let found = named.next().ok_or_else(|| Error::not_found("tenant"))?;
    if named.next().is_some() {
        return Err(Error::new(Code::Conflict, "Several tenants have this name; use the id."));
    }
    // The list lags; the tenant itself is read consistently.
    store.tenants().get(&found.tenant_id).await?.ok_or_else(|| Error::not_found("tenant"))
}

/// Sets what a tenant pays for.
///
/// # Errors
/// 404 if there is none.
pub async fn set_plan(store: &Store, id: &TenantId, plan: Plan) -> Result<Tenant> {
    store.tenants().change(id, |tenant| Ok(Tenant { plan, ..tenant })).await
}

/// Suspends a tenant, or serves it again.
///
/// # Errors
/// 404 if there is none; 409 for one that is being deleted.
pub async fn set_suspended(store: &Store, id: &TenantId, suspended: bool) -> Result<Tenant> {
    let status = if suspended { TenantStatus::Suspended } else { TenantStatus::Active };
    let change = |tenant: Tenant| match tenant.status {
        TenantStatus::Deleting => Err(Error::new(Code::Conflict, "The tenant is being deleted.")),
        TenantStatus::Active | TenantStatus::Suspended => Ok(Tenant { status, ..tenant }),
    };
    store.tenants().change(id, change).await
}
