//! `key`.

use domain::Error;
use domain::models::{ApiKeyRecord, AuditAction, Scope};
use edge::ClientProvider;
use serde_json::{Value, json};
use support::requester::Requester;
use support::tenants;
use support::tenants::api_keys;
use support::tenants::api_keys::NewApiKey;

use crate::cli::KeyCommand;
use crate::failure::Failure;
use crate::report::{Report, table};

pub(super) async fn run(clients: &impl ClientProvider, command: KeyCommand, yes: bool) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    match command {
        KeyCommand::Create { tenant, name, role, mode, expires } => {
            if expires.is_some_and(|end| end <= runtime.now()) {
                return Err(Failure::usage("--expires must be in the future"));
            }
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            let new = NewApiKey { scope: Scope { tenant, mode }, name, role, expires_at: expires };
            let (record, raw_key) = api_keys::create(&store, &runtime, Requester::Operator, new).await?;
            let mut json = key_json(&record);
            if let Value::Object(fields) = &mut json {
                fields.insert("key".into(), raw_key.expose().into());
            }
            let text = format!("{}  {}  (it is not shown again)", record.key_id, raw_key.expose());
            Ok(Report::new(text, json))
        }
        KeyCommand::List { tenant } => {
            let tenant = tenants::find(&store, &tenant).await?.tenant_id;
            Ok(listed(&store.api_keys().list(&tenant, None).await?))
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
pub(super) fn key_json(key: &ApiKeyRecord) -> Value {
    json!({
        "keyId": key.key_id, "name": key.name, "role": key.role, "mode": key.scope.mode, "prefix": key.prefix,
        "createdAt": key.created_at, "expiresAt": key.expires_at, "lastUsedAt": key.last_used_at,
    })
}

fn listed(keys: &[ApiKeyRecord]) -> Report {
    let time = |at: Option<domain::models::Timestamp>| at.map_or_else(|| "-".to_owned(), |at| at.to_string());
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
    let text = table(&header, &keys.iter().map(row).collect::<Vec<_>>());
    Report::new(text, json!({"items": keys.iter().map(key_json).collect::<Vec<_>>()}))
}
