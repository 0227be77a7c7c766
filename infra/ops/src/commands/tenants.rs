//! `tenant`.

use domain::models::{Scope, Settings, Tenant};
use edge::ClientProvider;
use serde_json::{Value, json};
use support::members;
use support::tenants;
use support::tenants::CreatedTenant;
use support::tenants::erasure as tenant_erasure;
use support::tenants::erasure::Erased;

use super::keys::key_json;
use crate::cli::TenantCommand;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::{Report, table};

pub(super) async fn run(clients: &impl ClientProvider, command: TenantCommand, yes: bool) -> Result<Report, Failure> {
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
        TenantCommand::Suspend { tenant } => {
            let tenant = tenants::find(&store, &tenant).await?;
            Ok(changed(&tenants::set_suspended(&store, &tenant.tenant_id, true).await?))
        }
        TenantCommand::Resume { tenant } => {
            let tenant = tenants::find(&store, &tenant).await?;
            Ok(changed(&tenants::set_suspended(&store, &tenant.tenant_id, false).await?))
        }
    }
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
    let mut key = key_json(&created.key);
    if let Value::Object(fields) = &mut key {
        fields.insert("key".into(), raw_key.into());
    }
    Report::new(text, json!({"tenant": tenant_json(&created.tenant), "apiKey": key}))
}

fn listed(tenants: &[Tenant]) -> Report {
    let row = |tenant: &Tenant| {
        let Tenant { tenant_id, name, plan, status, created_at } = tenant;
        vec![tenant_id.to_string(), plan.to_string(), status.to_string(), created_at.to_string(), name.clone()]
    };
    let text = table(&["tenant", "plan", "status", "created", "name"], &tenants.iter().map(row).collect::<Vec<_>>());
    Report::new(text, json!({"items": tenants.iter().map(tenant_json).collect::<Vec<_>>()}))
}

fn changed(tenant: &Tenant) -> Report {
    let text = format!("{}  {}  {}  {}", tenant.tenant_id, tenant.name, tenant.plan, tenant.status);
    Report::new(text, tenant_json(tenant))
}
