//! A receiver of events as callers read it. No response and no event contains its secret.

use serde::Serialize;

use crate::models::{DisabledReason, Timestamp, Webhook, WebhookId, WebhookStatus};

/// A receiver of events.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookOut {
    webhook_id: WebhookId,
    url: String,
    events: Vec<&'static str>,
    description: Option<String>,
    status: WebhookStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<DisabledReason>,
    /// The last four characters of a secret of at least 24.
    secret_hint: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_delivery_at: Option<Timestamp>,
    /// The HTTP status of the newest attempt; null where it had no answer, or there was none yet.
    last_status: Option<u16>,
    consecutive_failures: u32,
}

impl From<Webhook> for WebhookOut {
    fn from(webhook: Webhook) -> Self {
        Self {
            webhook_id: webhook.webhook_id,
            url: webhook.url,
            events: webhook.events.names(),
            description: webhook.description,
            status: webhook.status,
            disabled_reason: webhook.disabled_reason,
            secret_hint: webhook.secret_hint,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            last_delivery_at: webhook.health.last_delivery_at,
            last_status: webhook.health.last_status,
            consecutive_failures: webhook.health.consecutive_failures,
        }
    }
}
