//! How a delivery is stored.

use serde::{Deserialize, Serialize};

use domain::models::{
    Attempt, Delivery, DeliveryLease, DeliveryStatus, EventId, EventKind, OutgoingEvent, SessionId, Timestamp,
    WebhookId,
};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryRecord {
    webhook_id: WebhookId,
    event_id: EventId,
    event: EventKind,
    event_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    body: String,
    created_at: Timestamp,
    /// Stored under a name that is not a reserved word of DynamoDB.
    #[serde(rename = "deliveryStatus")]
    pub(super) status: DeliveryStatus,
    attempt: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attempts: Vec<Attempt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_attempt_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease: Option<DeliveryLease>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<Timestamp>,
    #[serde(default)]
    deferrals: u32,
    #[serde(default)]
    interruptions: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missed_at: Option<Timestamp>,
    version: u64,
    /// Of the call that wrote this version.
    pub(super) write_token: String,
    /// Seconds since 1970 UTC.
    pub(super) ttl: i64,
}

impl DeliveryRecord {
    pub(super) fn of(delivery: &Delivery, write_token: &str, ttl: i64) -> Self {
        let Delivery { webhook_id, event, created_at, status, attempt, attempts, last_answer, .. } = delivery.clone();
        Self {
            webhook_id,
            event_id: event.event_id,
            event: event.kind,
            event_at: event.at,
            session_id: event.session_id,
            body: event.body,
            created_at,
            status,
            attempt,
            attempts,
            last_answer,
            next_attempt_at: delivery.next_attempt_at,
            lease: delivery.lease.clone(),
            due_at: delivery.due_at,
            deferrals: delivery.deferrals,
            interruptions: delivery.interruptions,
            missed_at: delivery.missed_at,
            version: delivery.version,
            write_token: write_token.to_owned(),
            ttl,
        }
    }
}

impl From<DeliveryRecord> for Delivery {
    fn from(record: DeliveryRecord) -> Self {
        let event = OutgoingEvent {
            event_id: record.event_id,
            kind: record.event,
            at: record.event_at,
            session_id: record.session_id,
            body: record.body,
        };
        Self {
            webhook_id: record.webhook_id,
            event,
            created_at: record.created_at,
            status: record.status,
            attempt: record.attempt,
            attempts: record.attempts,
            last_answer: record.last_answer,
            next_attempt_at: record.next_attempt_at,
            lease: record.lease,
            due_at: record.due_at,
            deferrals: record.deferrals,
            interruptions: record.interruptions,
            missed_at: record.missed_at,
            version: record.version,
        }
    }
}
