//! A session as callers read it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::models::{
    Channel, ClosedReason, EscalationId, MessageId, Mode, Ownership, Session, SessionId, Timestamp, Visitor,
};
use crate::wire::Viewer;

/// A session as its caller may see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionOut {
    session_id: SessionId,
    ownership: Ownership,
    turn_count: u32,
    last_message_id: Option<MessageId>,
    channel: Channel,
    external_user_id: Option<String>,
    user: Option<Visitor>,
    locale: Option<String>,
    metadata: BTreeMap<String, serde_json::Value>,
    tags: Vec<String>,
    escalation_id: Option<EscalationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    answer_due: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_activity_at: Timestamp,
    closed_at: Option<Timestamp>,
    closed_reason: Option<ClosedReason>,
    resumable_until: Option<Timestamp>,
    mode: Mode,
    version: u64,
}

impl SessionOut {
    /// The session for `viewer`, without its place in the queue.
    #[must_use]
    pub fn new(session: Session, viewer: Viewer) -> Self {
        let last_message_id =
            if viewer.internal_notes { session.last_message_id } else { session.last_public_message_id };
        Self {
            session_id: session.session_id,
            ownership: session.ownership,
            turn_count: session.turn_count,
            last_message_id,
            channel: session.channel,
            external_user_id: session.external_user_id,
            user: session.user,
            locale: session.locale,
            metadata: session.metadata,
            tags: session.tags,
            escalation_id: session.escalation_id,
            queue_position: None,
            answer_due: session.answer_due,
            created_at: session.created_at,
            updated_at: session.updated_at,
            last_activity_at: session.last_activity_at,
            closed_at: session.closed_at,
            closed_reason: session.closed_reason,
            resumable_until: session.resumable_until,
            mode: session.mode,
            version: session.version,
        }
    }
    /// The same with its place in the queue, from 1; none where it is not in the queue.
    #[must_use]
    pub fn at_queue_position(self, queue_position: Option<u32>) -> Self {
        Self { queue_position, ..self }
    }
}
