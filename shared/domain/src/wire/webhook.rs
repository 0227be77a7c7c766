//! A receiver of events as callers read it. No response and no event contains its secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use text::wire_enum;

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
    /// What may go wrong with the secret, only in the answer that took it; absent if nothing may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WebhookWarning>,
}

wire_enum! {
    /// What may go wrong with what was taken.
    pub enum WebhookWarningCode {
        /// The secret is base64 without `whsec_`: it signs by its text, and libraries decode it.
        UnprefixedBase64 => "UNPREFIXED_BASE64",
    }
}

/// What may go wrong with a field that was taken.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WebhookWarning")]
pub struct WebhookWarning {
    /// The field.
    field: String,
    /// What it is.
    code: WebhookWarningCode,
    /// For a person.
    message: String,
}

impl WebhookWarning {
    /// Of a secret that libraries decode and this service does not.
    #[must_use]
    pub fn unprefixed_base64() -> Self {
        let message = "is base64 without whsec_: deliveries are signed with its characters, and libraries of Standard Webhooks decode it. Put whsec_ before base64 of 24 to 64 bytes, or tell the library that the secret is raw.";
        Self { field: "secret".into(), code: WebhookWarningCode::UnprefixedBase64, message: message.into() }
    }
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

    /// The receiver in the answer that took its secret.
    #[must_use]
    pub fn with_warnings(self, warnings: Vec<WebhookWarning>) -> Self {
        Self { warnings, ..self }
    }
}

impl From<Webhook> for WebhookOut {
    fn from(webhook: Webhook) -> Self {
        Self { secret_hint: webhook.secret_hint.clone(), receiver: webhook.into(), warnings: Vec::new() }
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
