//! `widget-key`.

use std::time::Duration;

use app::ClientProvider;
use app::widget_key_rotation::{activate, known_at, new_key, prepare};
use aws::config::WidgetKeySet;
use domain::models::Timestamp;
use serde_json::json;

use crate::cli::WidgetKeyCommand;
use crate::clients::Target;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::Report;

pub(super) async fn run(target: &Target, command: WidgetKeyCommand) -> Result<Report, Failure> {
    match command {
        WidgetKeyCommand::Show => Ok(shown("", &target.stored_widget_keys().await?)),
        WidgetKeyCommand::Rotate { no_wait } => rotate(target, no_wait).await,
    }
}

async fn rotate(target: &Target, no_wait: bool) -> Result<Report, Failure> {
    let runtime = target.runtime();
    let before = target.stored_widget_keys().await?;
    let prepared = prepare(before.clone(), new_key(&runtime)?, runtime.now())?;
    if prepared != before {
        target.put_widget_keys(&prepared).await?;
    }
    if !target.applies_widget_keys_at_once() {
        let known_at = known_at(&prepared).unwrap_or_default();
        if no_wait && runtime.now() < known_at {
            let text = format!("every process knows the new key at {known_at}; repeat the command then\n");
            return Ok(shown(&text, &prepared));
        }
        wait_until(target, known_at).await;
    }
    let active = activate(prepared, runtime.now());
    target.put_widget_keys(&active).await?;
    Ok(shown("", &active))
}

async fn wait_until(target: &Target, at: Timestamp) {
    let runtime = target.runtime();
    let seconds_left = |now: Timestamp| u64::try_from(at.millis_since(now)).unwrap_or(0).div_ceil(1_000);
    let all = seconds_left(runtime.now());
    let progress = Progress::up_to(all, "seconds until every process knows the new key");
    loop {
        let left = seconds_left(runtime.now());
        if left == 0 {
            return;
        }
        progress.set(all.saturating_sub(left));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn shown(before: &str, set: &WidgetKeySet) -> Report {
    let WidgetKeySet { current, next, previous, changed_at } = set;
    let kid = |key: &Option<aws::config::WidgetTokenKey>| key.as_ref().map(|key| key.kid.clone());
    let (next, previous) = (kid(next), kid(previous));
    let or_none = |kid: &Option<String>| kid.clone().unwrap_or_else(|| "-".into());
    let text =
        format!("{before}signs     {}\nnext      {}\nverified  {}", current.kid, or_none(&next), or_none(&previous));
    let json = json!({"signing": current.kid, "next": next, "previous": previous, "changedAt": changed_at});
    Report::new(text, json)
}
