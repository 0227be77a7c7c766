//! `tenant`.

use app::ClientProvider;
use app::tenants::{self, CreatedTenant};
use domain::models::Tenant;
use serde_json::{Value, json};

use super::keys::key_json;
use crate::cli::TenantCommand;
use crate::failure::Failure;
use crate::report::{Report, table};

pub(super) async fn run(clients: &impl ClientProvider, command: TenantCommand) -> Result<Report, Failure> {
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
