//! `tenant` and `key`.

use domain::Error;
use domain::models::{ApiKeyRecord, AuditAction, Scope, Settings, Tenant};
use serde_json::{Value, json};
use support::edge::ClientProvider;
use support::members;
use support::requester::Requester;
use support::table::Store;
use support::tenants;
use support::tenants::CreatedTenant;
use support::tenants::api_keys;
use support::tenants::api_keys::NewApiKey;
use support::transfer::erasure as tenant_erasure;
use support::transfer::erasure::Erased;

use crate::cli::{KeyCommand, TenantCommand};
use crate::output::{Failure, Progress, Report, time, with};

pub(crate) async fn run(clients: &impl ClientProvider, command: TenantCommand, yes: bool) -> Result<Report, Failure> {
    let store = clients.store();
    match command {
        TenantCommand::Create { name, plan } => {
            let created = tenants::create(&store, &clients.runtime(), &name, plan).await?;
            Ok(shown_once(&created))
        }
        TenantCommand::List => Ok(listed(&store.tenants().list().await?)),
        TenantCommand::Plan { tenant, plan } => {
            let tenant = tenants::find(&store, &tenant).await?;
            Ok(changed(&tenants::set_plan(&store, &tenant.tenant_id, plan).await?))
        }
        TenantCommand::Limits { tenant, mode, widget_requests } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            limits(clients, &Scope { tenant, mode }, widget_requests).await
        }
        TenantCommand::Delete { tenant } => delete(clients, &tenants::find(&store, &tenant).await?, yes).await,
        TenantCommand::Suspend { tenant } => set_suspended(&store, &tenant, true).await,
        TenantCommand::Resume { tenant } => set_suspended(&store, &tenant, false).await,
    }
}

async fn set_suspended(store: &Store, tenant: &str, suspended: bool) -> Result<Report, Failure> {
    let tenant = tenants::find(store, tenant).await?;
    Ok(changed(&tenants::set_suspended(store, &tenant.tenant_id, suspended).await?))
}

async fn limits(clients: &impl ClientProvider, scope: &Scope, widget_requests: Option<u32>) -> Result<Report, Failure> {
    let store = clients.store();
    let settings = match widget_requests {
        Some(limit) => {
            let change = |old| Settings { widget_requests_per_minute: limit, ..old };
            store.settings().update(scope, change).await?
        }
        None => store.settings().get(scope).await?,
    };
    let limit = settings.widget_requests_per_minute;
    let Scope { tenant, mode } = scope;
    let text = format!("{tenant}  {mode}  {limit} requests a minute of all widgets together");
    Ok(Report::new(text, json!({"tenantId": tenant, "mode": mode, "widgetRequestsPerMinute": limit})))
}

async fn delete(clients: &impl ClientProvider, tenant: &Tenant, yes: bool) -> Result<Report, Failure> {
    let named = format!("{}  {}", tenant.tenant_id, tenant.name);
    let shown = |erased: &Erased| {
        let Erased { items, entries, dead_letters } = erased;
        let json = json!({
            "tenant": tenant_json(tenant), "items": items, "entries": entries, "deadLetters": dead_letters,
        });
        (format!("{items} items, {entries} of them wiki entries, {dead_letters} dead letters"), json)
    };
    if !yes {
        let (counted, json) = shown(&tenant_erasure::count(&clients.store(), &tenant.tenant_id).await?);
        return Ok(Report::dry_run(format!("would erase {named}: {counted}"), json));
    }
    let progress = Progress::new("items erased");
    let (store, directory) = (clients.store(), clients.user_directory()?);
    let people = store.members().list(&tenant.tenant_id).await?;
    let erased = tenant_erasure::erase(clients, &tenant.tenant_id, |count| progress.set(count)).await?;
    for former in people {
        members::remove_user(&store, directory.as_deref(), &former.email).await;
    }
    let (counted, json) = shown(&erased);
    Ok(Report::new(format!("erased {named}: {counted}"), json))
}

fn tenant_json(tenant: &Tenant) -> Value {
    json!({
        "tenantId": tenant.tenant_id, "name": tenant.name, "plan": tenant.plan, "status": tenant.status,
        "createdAt": tenant.created_at,
    })
}

fn shown_once(created: &CreatedTenant) -> Report {
    let raw_key = created.raw_key.expose();
    let text = format!(
        "tenant  {}  {}  {}\nkey     {raw_key}  (live, admin; it is not shown again)",
        created.tenant.tenant_id, created.tenant.name, created.tenant.plan
    );
    let key = with(key_json(&created.key), "key", raw_key);
    Report::new(text, json!({"tenant": tenant_json(&created.tenant), "apiKey": key}))
}

fn listed(tenants: &[Tenant]) -> Report {
    let row = |tenant: &Tenant| {
        let Tenant { tenant_id, name, plan, status, created_at } = tenant;
        vec![tenant_id.to_string(), plan.to_string(), status.to_string(), created_at.to_string(), name.clone()]
    };
    Report::list(&["tenant", "plan", "status", "created", "name"], tenants, row, tenant_json)
}

fn changed(tenant: &Tenant) -> Report {
    let text = format!("{}  {}  {}  {}", tenant.tenant_id, tenant.name, tenant.plan, tenant.status);
    Report::new(text, tenant_json(tenant))
}

pub(crate) async fn run_keys(clients: &impl ClientProvider, command: KeyCommand, yes: bool) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    match command {
        KeyCommand::Create { tenant, name, role, mode, expires } => {
            if expires.is_some_and(|end| end <= runtime.now()) {
                return Err(Failure::usage("--expires must be in the future"));
            }
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            let new = NewApiKey { scope: Scope { tenant, mode }, name, role, expires_at: expires };
            let (record, raw_key) = api_keys::create(&store, &runtime, Requester::Operator, new).await?;
            let text = format!("{}  {}  (it is not shown again)", record.key_id, raw_key.expose());
            Ok(Report::new(text, with(key_json(&record), "key", raw_key.expose())))
        }
        KeyCommand::List { tenant } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            Ok(listed_keys(&store.api_keys().list(&tenant, None).await?))
        }
        KeyCommand::Revoke { tenant, key } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            let found = store.api_keys().get(&tenant, None, &key).await?;
            let found = found.ok_or_else(|| Error::not_found("API key"))?;
            let named = format!("{}  {}…  {}", found.key_id, found.prefix, found.name);
            if !yes {
                return Ok(Report::dry_run(format!("would revoke {named}"), key_json(&found)));
            }
            let now = runtime.now();
            let store = Requester::Operator.audited(&store, &tenant, AuditAction::KeyDeleted, key.as_str(), now);
            store.api_keys().delete(&tenant, None, &key, now).await?;
            Ok(Report::new(format!("revoked {named}"), key_json(&found)))
        }
    }
}

/// A key as JSON, without the key itself.
fn key_json(key: &ApiKeyRecord) -> Value {
    json!({
        "keyId": key.key_id, "name": key.name, "role": key.role, "mode": key.scope.mode, "prefix": key.prefix,
        "createdAt": key.created_at, "expiresAt": key.expires_at, "lastUsedAt": key.last_used_at,
    })
}

fn listed_keys(keys: &[ApiKeyRecord]) -> Report {
    let row = |key: &ApiKeyRecord| {
        vec![
            key.key_id.to_string(),
            key.scope.mode.to_string(),
            key.role.to_string(),
            key.prefix.clone(),
            time(key.expires_at),
            time(key.last_used_at),
            key.name.clone(),
        ]
    };
    let header = ["key", "mode", "role", "prefix", "expires", "last used", "name"];
    Report::list(&header, keys, row, key_json)
}
