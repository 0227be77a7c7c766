//! How receivers are stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::record::record;
use crate::store::table::{Item, item, set_gsi2_key};
use crate::store::transaction::Write;
use domain::Result;
use domain::models::{
    DisabledReason, EncryptedSecret, EventId, Replay, ReplayKind, RetiredSecret, Scope, Subscription, Timestamp,
    Webhook, WebhookFormat, WebhookHealth, WebhookId, WebhookStatus,
};

record! {
    /// How a receiver has been doing.
    HealthFields for WebhookHealth {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_delivery_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_status: Option<u16>,
        #[serde(default)]
        last_duration_ms: u32,
        #[serde(default)]
        consecutive_failures: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failing_since: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_failure_at: Option<Timestamp>,
        #[serde(default)]
        version: u64,
    }
}

/// The item next to a receiver that every attempt changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HealthRecord {
    pub(super) webhook_id: WebhookId,
    #[serde(flatten)]
    pub(super) health: HealthFields,
}

record! {
    /// A secret that signs a while longer.
    RetiredFields for RetiredSecret { sealed: EncryptedSecret, until: Timestamp }
}

/// The format of a receiver that was stored without one.
const fn events() -> WebhookFormat {
    WebhookFormat::Events
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_events(format: &WebhookFormat) -> bool {
    *format == events()
}

/// A stored receiver. `health` is its health when it was disabled, for the event.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct WebhookRecord {
    pub(super) webhook_id: WebhookId,
    url: String,
    #[serde(default = "events", skip_serializing_if = "is_events")]
    format: WebhookFormat,
    events: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    status: WebhookStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<DisabledReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disabled_at: Option<Timestamp>,
    secret: EncryptedSecret,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret_hint: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    retired_secrets: Vec<RetiredFields>,
    created_at: Timestamp,
    updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    health: Option<HealthFields>,
    version: u64,
}

impl From<Webhook> for WebhookRecord {
    fn from(webhook: Webhook) -> Self {
        let disabled = !webhook.is_active();
        Self {
            webhook_id: webhook.webhook_id,
            url: webhook.url,
            format: webhook.format,
            events: webhook.events.names().into_iter().map(str::to_owned).collect(),
            description: webhook.description,
            status: webhook.status,
            disabled_reason: webhook.disabled_reason,
            disabled_at: webhook.disabled_at,
            secret: webhook.secret,
            secret_hint: webhook.secret_hint,
            retired_secrets: webhook.retired_secrets.into_iter().map(RetiredFields::from).collect(),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            health: disabled.then(|| webhook.health.into()),
            version: webhook.version,
        }
    }
}

impl From<WebhookRecord> for Webhook {
    fn from(record: WebhookRecord) -> Self {
        Self {
            webhook_id: record.webhook_id,
            url: record.url,
            format: record.format,
            // A kind that a later release stored is unknown here and ignored.
            events: Subscription::parse(&record.events).unwrap_or_else(|_| known(&record.events)),
            description: record.description,
            status: record.status,
            disabled_reason: record.disabled_reason,
            disabled_at: record.disabled_at,
            secret: record.secret,
            secret_hint: record.secret_hint,
            retired_secrets: record.retired_secrets.into_iter().map(RetiredSecret::from).collect(),
            created_at: record.created_at,
            updated_at: record.updated_at,
            health: record.health.map(WebhookHealth::from).unwrap_or_default(),
            version: record.version,
        }
    }
}

fn known(names: &[String]) -> Subscription {
    Subscription::Kinds(names.iter().filter_map(|name| domain::models::EventKind::parse(name)).collect())
}

/// Every receiver's address, hashed, by its id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegistryRecord {
    #[serde(default)]
    pub(super) addresses: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) version: u64,
}

record! {
    /// An order as stored.
    ReplayRecord for Replay {
        webhook_id: WebhookId,
        #[serde(rename = "replayKind")]
        kind: ReplayKind,
        since: Timestamp,
        from: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<EventId>,
        due_at: Timestamp,
        version: u64,
    }
}

/// Writes a receiver's health, replacing an existing one.
pub(super) fn health_write(scope: &Scope, id: &WebhookId, health: &WebhookHealth) -> Result<Write> {
    let health = WebhookHealth { version: health.version + 1, ..health.clone() };
    let record = HealthRecord { webhook_id: id.clone(), health: health.into() };
    Ok(Write::Put { item: item(&keys::webhook_health(scope, id), ItemKind::WebhookHealth, &record)?, condition: None })
}

pub(super) fn order_item(scope: &Scope, replay: &Replay) -> Result<Item> {
    let key = keys::replay(scope, &replay.webhook_id, replay.kind);
    let mut item = item(&key, ItemKind::Replay, &ReplayRecord::from(replay.clone()))?;
    set_gsi2_key(&mut item, &keys::due(&key, replay.due_at));
    Ok(item)
}

/// Writes an order, replacing an existing one.
pub(super) fn order_write(scope: &Scope, replay: &Replay) -> Result<Write> {
    Ok(Write::Put { item: order_item(scope, replay)?, condition: None })
}
