//! `export` and `import`: the file of JSON Lines. `support::tenants::transfer` says what is in it.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use domain::error::Code;
use domain::models::{AuditAction, AuditEntry, Mode, Scope, SensitiveSetting, TenantId};
use domain::{Error, Result};
use serde_json::{Map, Value, json};
use support::edge::ClientProvider;
use support::table::Store;
use support::tenants;
use support::transfer as tenant_transfer;
use support::transfer::{Line, Lines, Rules, Summary};

use crate::output::{Failure, Progress, Report};

pub(crate) async fn export(clients: &impl ClientProvider, tenant: &str, file: &Path) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let tenant = tenants::find(&store, tenant).await?;
    if file.exists() {
        return Err(Error::new(Code::Conflict, format!("{} exists already.", file.display())).into());
    }
    // Under another name until it is complete.
    let part = PathBuf::from(format!("{}.part", file.display()));
    let failed = |e: io::Error| Failure::file(&part, &e);
    let mut out = BufWriter::new(create_private(&part).map_err(failed)?);
    let progress = Progress::new("items exported");
    let write = |line: &Line| {
        let mut line = serde_json::to_vec(line).map_err(|e| Error::internal(format!("an item as JSON: {e}")))?;
        line.push(b'\n');
        out.write_all(&line).map_err(|e| Error::internal(format!("{}: {e}", part.display())))
    };
    let items = tenant_transfer::export(&store, &runtime, &tenant, write, |count| progress.set(count)).await;
    let items = match items {
        Ok(items) => items,
        Err(error) => {
            std::fs::remove_file(&part).ok();
            return Err(error.into());
        }
    };
    out.into_inner().map_err(|e| e.into_error()).and_then(|file| file.sync_all()).map_err(failed)?;
    let audit = AuditEntry::by_operator(AuditAction::TenantExported, tenant.tenant_id.to_string(), runtime.now());
    store.audit().add(&tenant.tenant_id, &audit).await?;
    std::fs::rename(&part, file).map_err(failed)?;
    let text = format!("exported {} items of {} to {}", items, tenant.name, file.display());
    Ok(Report::new(text, json!({"tenantId": tenant.tenant_id, "file": file, "items": items})))
}

pub(crate) async fn import(
    clients: &impl ClientProvider,
    tenant: &str,
    file: &Path,
    taken: BTreeSet<SensitiveSetting>,
    yes: bool,
) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let tenant = tenants::find(&store, tenant).await?;
    File::open(file).map_err(|e| Failure::file(file, &e))?;
    let open = || {
        let opened = File::open(file).map_err(|e| Error::internal(format!("{}: {e}", file.display())))?;
        Ok(Lines::new(BufReader::new(opened)))
    };
    let rules = Rules { now: runtime.now(), outbound: clients.config().outbound };
    let found = tenant_transfer::preview(rules, open()?)?;
    let (shown, settings) = shown_settings(&clients.store(), &tenant.tenant_id, &found, &taken).await?;
    let shown = format!("{shown}\nsessions whose user is verified: {}", found.verified_sessions);
    if !yes {
        let text = format!("would import {} items into {}:\n{shown}", found.items, tenant.name);
        let json = json!({
            "tenantId": tenant.tenant_id, "items": found.items, "settings": settings,
            "verifiedSessions": found.verified_sessions,
        });
        return Ok(Report::dry_run(text, json));
    }
    // Before anything is written. Errors of a closed terminal are ignored.
    writeln!(io::stderr(), "{shown}").ok();
    // Each item is written, and then made due.
    let progress = Progress::up_to(0, "steps of the import");
    let shown = |done, all| progress.set_of(done, all);
    let imported =
        tenant_transfer::import(&store, &runtime, rules, &tenant.tenant_id, (&found, &taken), open, shown).await?;
    let text = format!(
        "imported {} items into {}, {} of them now\nThe service indexes the wiki in the background. Webhooks are disabled: \
         a rotation of the secret enables one.",
        imported.items, tenant.name, imported.written
    );
    let json = json!({
        "tenantId": tenant.tenant_id, "items": imported.items, "written": imported.written, "settings": settings,
        "verifiedSessions": found.verified_sessions,
    });
    Ok(Report::new(text, json))
}

/// The sensitive settings and those that customers see as they will be, and which of the file's stay behind.
async fn shown_settings(
    store: &Store,
    tenant: &TenantId,
    found: &Summary,
    taken: &BTreeSet<SensitiveSetting>,
) -> Result<(String, Value)> {
    let (mut lines, mut json) = (Vec::new(), Map::new());
    for mode in Mode::ALL {
        let target = store.settings().get(&Scope { tenant: tenant.clone(), mode: *mode }).await?;
        let after = tenant_transfer::settings_after(found, *mode, &target, taken)?;
        let mut shown = Map::new();
        for setting in SensitiveSetting::ALL {
            let (value, given) = (setting.value(&after), setting.value(found.settings(*mode)?));
            let stays = if value == given { String::new() } else { format!(" (stays; --take {setting} for {given})") };
            lines.push(format!("{mode}  {:22}  {value}{stays}", setting.as_str()));
            shown.insert(setting.to_string(), value);
        }
        let customers = json!({"texts": after.texts, "appearance": after.appearance});
        for (name, value) in customers.as_object().into_iter().flatten() {
            for (part, text) in value.as_object().into_iter().flatten().filter(|(_, text)| !text.is_null()) {
                lines.push(format!("{mode}  {:22}  {text}", format!("{name}.{part}")));
            }
            shown.insert(name.clone(), value.clone());
        }
        let suggestions = json!(after.suggestions);
        if !after.suggestions.is_empty() {
            lines.push(format!("{mode}  {:22}  {suggestions}", "suggestions"));
        }
        shown.insert("suggestions".to_owned(), suggestions);
        json.insert(mode.to_string(), Value::Object(shown));
    }
    Ok((lines.join("\n"), Value::Object(json)))
}

/// A new file that its owner alone may read; it contains what customers wrote.
fn create_private(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)
}
