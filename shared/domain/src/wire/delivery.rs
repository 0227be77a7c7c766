//! A delivery as callers read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{Attempt, Delivery, DeliveryId, DeliveryStatus, EventId, EventKind, Timestamp, WebhookId};

/// The delivery of an event to one receiver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Delivery")]
pub struct DeliveryOut {
    /// Its id.
    delivery_id: DeliveryId,
    /// The event, the same for every receiver and attempt.
    event_id: EventId,
    /// The receiver.
    webhook_id: WebhookId,
    /// The kind of the event.
    r#type: EventKind,
    /// Where it stands.
    status: DeliveryStatus,
    /// Attempts since it was made or last sent again.
    attempt_count: u32,
    /// The newest attempts, oldest first.
    attempts: Vec<Attempt>,
    /// The beginning of the newest answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_response: Option<String>,
    /// When it is tried next.
    next_attempt_at: Option<Timestamp>,
    /// When it was made.
    created_at: Timestamp,
}

impl From<Delivery> for DeliveryOut {
    fn from(delivery: Delivery) -> Self {
        Self {
            delivery_id: delivery.delivery_id(),
            event_id: delivery.event.event_id,
            webhook_id: delivery.webhook_id,
            r#type: delivery.event.kind,
            status: delivery.status,
            attempt_count: delivery.attempt,
            attempts: delivery.attempts,
            last_response: delivery.last_answer,
            next_attempt_at: delivery.next_attempt_at,
            created_at: delivery.created_at,
        }
    }
}
