//! `widget-key` and `desk-key`: the keys that sign tokens.

use std::time::Duration;

use aws::config::{DeskTokenKey, WidgetKeySet, WidgetTokenKey};
use domain::Error;
use domain::error::Code;
use domain::models::Timestamp;
use serde_json::json;
use support::edge::ClientProvider;
use support::tenants::widget_key_rotation::{activate, known_at, new_key, prepare, revocation};

use crate::cli::{DeskKeyCommand, WidgetKeyCommand};
use crate::output::{Failure, Progress, Report};
use crate::target::Target;

/// How long a process may not know that a key was ended, in milliseconds: so long it remembers the keys, and a second for a slow read.
const REVOKED_AFTER_MS: i64 = support::edge::auth::MAX_STATUS_AGE_MS + 1_000;

pub(crate) async fn run_widget(target: &Target, command: WidgetKeyCommand) -> Result<Report, Failure> {
    match command {
        WidgetKeyCommand::Show => Ok(shown("", &target.stored_widget_keys().await?, target.runtime().now())),
        WidgetKeyCommand::Rotate { no_wait, revoke: false } => rotate(target, no_wait).await,
        WidgetKeyCommand::Rotate { revoke: true, .. } => revoke(target).await,
    }
}

async fn rotate(target: &Target, no_wait: bool) -> Result<Report, Failure> {
    let runtime = target.runtime();
    let before = target.stored_widget_keys().await?;
    let prepared = prepare(before.clone(), new_key(&before, &runtime)?, runtime.now())?;
    if prepared != before {
        target.put_widget_keys(&prepared).await?;
    }
    if !target.applies_widget_keys_at_once() {
        let known_at = known_at(&prepared).unwrap_or_default();
        if no_wait && runtime.now() < known_at {
            let text = format!("every process knows the new key at {known_at}; repeat the command then\n");
            return Ok(shown(&text, &prepared, runtime.now()));
        }
        wait_until(target, known_at, "seconds until every process knows the new key").await;
    }
    // Somebody else may have rotated or revoked them meanwhile.
    let stored = target.stored_widget_keys().await?;
    if stored.next != prepared.next {
        return Err(Error::new(Code::Conflict, "The keys were changed meanwhile; nothing was done.").into());
    }
    let active = activate(stored, runtime.now());
    target.put_widget_keys(&active).await?;
    Ok(shown("", &active, runtime.now()))
}

/// Ends all keys and the tokens of them. When it returns, no process accepts one.
async fn revoke(target: &Target) -> Result<Report, Failure> {
    let runtime = target.runtime();
    let old = target.stored_widget_keys().await?;
    let [replaced, alone] = revocation(&old, new_key(&old, &runtime)?, runtime.now());
    target.put_widget_keys(&replaced).await?;
    target.store().revoked_widget_keys().add(old.keys()).await?;
    target.put_widget_keys(&alone).await?;
    if !target.applies_widget_keys_at_once() {
        let known_at = runtime.now().plus_millis(REVOKED_AFTER_MS);
        wait_until(target, known_at, "seconds until every process refuses the old keys").await;
    }
    let text = "every token of the old keys is refused; chats request new ones by themselves\n";
    Ok(shown(text, &alone, runtime.now()))
}

async fn wait_until(target: &Target, at: Timestamp, what: &'static str) {
    let runtime = target.runtime();
    let seconds_left = |now: Timestamp| u64::try_from(at.millis_since(now)).unwrap_or(0).div_ceil(1_000);
    let all = seconds_left(runtime.now());
    let progress = Progress::up_to(all, what);
    loop {
        let left = seconds_left(runtime.now());
        if left == 0 {
            return;
        }
        progress.set(all.saturating_sub(left));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn shown(before: &str, set: &WidgetKeySet, now: Timestamp) -> Report {
    let kid = |key: &Option<WidgetTokenKey>| key.as_ref().map(|key| key.kid.clone());
    let (next, previous, until) = (kid(&set.next), kid(&set.previous), set.previous_until(now));
    let or_none = |kid: &Option<String>| kid.clone().unwrap_or_else(|| "-".into());
    let ends = match (&previous, until) {
        (None, _) => String::new(),
        (Some(_), Some(until)) => format!(", until {until}"),
        (Some(_), None) => ", no longer: it is not known when it was replaced".into(),
    };
    let signing = &set.current.kid;
    let (next_kid, previous_kid) = (or_none(&next), or_none(&previous));
    let text = format!("{before}signs     {signing}\nnext      {next_kid}\nverified  {previous_kid}{ends}");
    let json = json!({
        "signing": signing, "next": next, "previous": previous, "previousUntil": until, "changedAt": set.changed_at,
    });
    Report::new(text, json)
}

pub(crate) async fn run_desk(target: &Target, command: DeskKeyCommand) -> Result<Report, Failure> {
    let DeskKeyCommand::Rotate { revoke } = command;
    let key = DeskTokenKey::generate(&target.runtime())?;
    target.put_desk_key(&key).await?;
    if !revoke {
        let text = format!("{} signs within five minutes; the key before it ends half an hour later", key.kid);
        return Ok(Report::new(text, json!({"signing": key.kid, "revoked": false})));
    }
    // Each process of the one function that signs then reads the new key, and makes its public key known.
    target.store().desk_public_keys().revoke_all_but(Some(&key.kid), target.runtime().now()).await?;
    tokio::time::sleep(Duration::from_millis(REVOKED_AFTER_MS.unsigned_abs())).await;
    let text =
        format!("{} signs; every token of another key is refused, and desks renew theirs by themselves", key.kid);
    Ok(Report::new(text, json!({"signing": key.kid, "revoked": true})))
}
