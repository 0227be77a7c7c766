//! A delivery as callers read it.

use serde::Serialize;

use crate::models::{Attempt, Delivery, DeliveryId, DeliveryStatus, EventId, EventKind, Timestamp, WebhookId};

/// The state of the delivery of an event to one receiver.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryOut {
    delivery_id: DeliveryId,
    event_id: EventId,
    webhook_id: WebhookId,
    r#type: EventKind,
    status: DeliveryStatus,
    /// Attempts since it was made or last sent again.
    attempt_count: u32,
    /// The newest attempts, oldest first.
    attempts: Vec<Attempt>,
    /// The beginning of the newest answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_response: Option<String>,
    next_attempt_at: Option<Timestamp>,
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
