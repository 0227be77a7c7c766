//! A receiver of events as callers read it. No response and no event contains its secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{DisabledReason, SubscribedKind, Timestamp, Webhook, WebhookFormat, WebhookId, WebhookStatus};

/// A receiver of events.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Webhook")]
pub struct WebhookOut {
    #[serde(flatten)]
    receiver: ReceiverOut,
    /// The last four characters of a secret of at least 24.
    secret_hint: Option<String>,
}

/// A receiver of events, as events tell of it: without anything of its secret.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receiver")]
pub struct ReceiverOut {
    /// Its id.
    webhook_id: WebhookId,
    /// Where it listens; of a Slack channel, whose address is a secret, the host, `…` and the last four characters.
    url: String,
    /// The format of its deliveries.
    #[serde(default = "events")]
    format: WebhookFormat,
    /// The kinds of events that it gets; `*` is all of them.
    #[schemars(with = "Vec<SubscribedKind>")]
    events: Vec<String>,
    /// For people.
    description: Option<String>,
    /// Whether it is sent anything.
    status: WebhookStatus,
    /// Why it is disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<DisabledReason>,
    /// When it was registered.
    created_at: Timestamp,
    /// When it was last changed by somebody, or disabled.
    updated_at: Timestamp,
    /// When it was last tried.
    last_delivery_at: Option<Timestamp>,
    /// The HTTP status of the newest attempt; null where it had no answer, or there was none yet.
    last_status: Option<u16>,
    /// Failures since the last success.
    consecutive_failures: u32,
}

/// The format of a receiver in an answer that was kept before there was another.
const fn events() -> WebhookFormat {
    WebhookFormat::Events
}

impl WebhookOut {
    /// Its id.
    #[must_use]
    pub const fn webhook_id(&self) -> &WebhookId {
        &self.receiver.webhook_id
    }
}

impl From<Webhook> for WebhookOut {
    fn from(webhook: Webhook) -> Self {
        Self { secret_hint: webhook.secret_hint.clone(), receiver: webhook.into() }
    }
}

impl From<Webhook> for ReceiverOut {
    fn from(webhook: Webhook) -> Self {
        Self {
            url: webhook.shown_url(),
            webhook_id: webhook.webhook_id,
            format: webhook.format,
            events: webhook.events.names().into_iter().map(str::to_owned).collect(),
            description: webhook.description,
            status: webhook.status,
            disabled_reason: webhook.disabled_reason,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            last_delivery_at: webhook.health.last_delivery_at,
            last_status: webhook.health.last_status,
            consecutive_failures: webhook.health.consecutive_failures,
        }
    }
}
