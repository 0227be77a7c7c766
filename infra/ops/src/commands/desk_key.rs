//! `desk-key`.

use std::time::Duration;

use aws::config::DeskTokenKey;
use edge::ClientProvider;
use serde_json::json;

use crate::cli::DeskKeyCommand;
use crate::clients::Target;
use crate::failure::Failure;
use crate::report::Report;

/// How long a process may not know that a key was ended: so long it remembers the public keys, and a second for a slow
/// read.
const REVOKED_AFTER: Duration = Duration::from_millis(edge::auth::MAX_STATUS_AGE_MS.unsigned_abs() + 1_000);

pub(super) async fn run(target: &Target, command: DeskKeyCommand) -> Result<Report, Failure> {
    let DeskKeyCommand::Rotate { revoke } = command;
    let key = DeskTokenKey::generate(&target.runtime())?;
    target.put_desk_key(&key).await?;
    if !revoke {
        let text = format!("{} signs within five minutes; the key before it ends half an hour later", key.kid);
        return Ok(Report::new(text, json!({"signing": key.kid, "revoked": false})));
    }
    // Each process of the one function that signs then reads the new key, and makes its public key known.
    target.store().desk_public_keys().revoke_all_but(Some(&key.kid), target.runtime().now()).await?;
    tokio::time::sleep(REVOKED_AFTER).await;
    let text =
        format!("{} signs; every token of another key is refused, and desks renew theirs by themselves", key.kid);
    Ok(Report::new(text, json!({"signing": key.kid, "revoked": true})))
}
