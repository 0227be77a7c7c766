//! A session as callers read it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{
    Channel, ClosedReason, Escalation, EscalationId, LastWords, MessageId, Mode, Ownership, Rating, Session, SessionId,
    Timestamp, Visitor,
};
use crate::wire::Viewer;

/// A conversation, as its caller may see it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Session")]
pub struct SessionOut {
    /// Its id.
    session_id: SessionId,
    /// Who answers the customer.
    ownership: Ownership,
    /// The number of the last turn that the caller may see.
    turn_count: u32,
    /// The newest message that the caller may see.
    last_message_id: Option<MessageId>,
    /// Where the customer is.
    channel: Channel,
    /// The visitor, as the tenant names them.
    external_user_id: Option<String>,
    /// The person.
    user: Option<Visitor>,
    /// BCP 47, as given.
    locale: Option<String>,
    /// The time zone of the customer's clock, as given.
    timezone: Option<String>,
    /// Flat, as given. For a widget: what it sent when it opened the session.
    metadata: BTreeMap<String, serde_json::Value>,
    /// As given. For a widget: those that it sent when it opened the session.
    tags: Vec<String>,
    /// The open request for a human.
    escalation_id: Option<EscalationId>,
    /// Only in the answers of `GET /sessions/{id}` and its messages, while `pending_handover`: from 1, exact up to 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u32>,
    /// An answer of the AI is still to come.
    answer_due: bool,
    /// When it was opened.
    created_at: Timestamp,
    /// When anything of it that the caller may see last changed.
    updated_at: Timestamp,
    /// When somebody last said something.
    last_activity_at: Timestamp,
    /// Only in lists: what was said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_words: Option<LastWords>,
    /// Only in the list of one customer's conversations: what people did in it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_human_part: Option<HumanPartOut>,
    /// When it was closed.
    closed_at: Option<Timestamp>,
    /// Why it was closed.
    closed_reason: Option<ClosedReason>,
    /// Until when it can be resumed.
    resumable_until: Option<Timestamp>,
    /// Which half of the tenant's data it belongs to.
    mode: Mode,
    /// Counts every change that the caller may see.
    version: u64,
}

/// The part of people in a conversation: a request for a human that they resolved or handed back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HumanPart")]
struct HumanPartOut {
    /// The request.
    escalation_id: EscalationId,
    /// When it was resolved.
    resolved_at: Option<Timestamp>,
    /// The agent's text at the end.
    resolution: Option<String>,
    /// The customer's rating.
    rating: Option<Rating>,
}

impl From<Escalation> for HumanPartOut {
    fn from(escalation: Escalation) -> Self {
        Self {
            escalation_id: escalation.escalation_id,
            resolved_at: escalation.resolved_at,
            resolution: escalation.resolution,
            rating: escalation.rating,
        }
    }
}

impl SessionOut {
    /// The session for `viewer`, without its place in the queue.
    #[must_use]
    pub fn new(session: Session, viewer: Viewer) -> Self {
        let (escalation_id, answer_due) = (session.escalation_id().cloned(), session.is_answer_due());
        let closing = session.closing().copied();
        let (tags, metadata) = match viewer.staff_details {
            true => (session.tags.clone(), session.metadata.clone()),
            false => session.sent_by_widget(),
        };
        let (version, turn_count) =
            (session.version_for(viewer.internal_notes), session.turn_count_for(viewer.internal_notes));
        let updated_at = session.updated_at_for(viewer.internal_notes);
        let last_message_id =
            if viewer.internal_notes { session.last_message_id } else { session.last_public_message_id };
        Self {
            session_id: session.session_id,
            ownership: session.state.ownership(),
            turn_count,
            last_message_id,
            channel: session.channel,
            external_user_id: session.external_user_id,
            user: session.user,
            locale: session.locale,
            timezone: session.timezone,
            metadata,
            tags,
            escalation_id,
            queue_position: None,
            answer_due,
            created_at: session.created_at,
            updated_at,
            last_activity_at: session.last_activity_at,
            last_words: None,
            last_human_part: None,
            closed_at: closing.map(|it| it.at),
            closed_reason: closing.map(|it| it.reason),
            resumable_until: closing.map(|it| it.resumable_until),
            mode: session.mode,
            version,
        }
    }

    /// A session as a line of a list of the tenant's people, with the request for a human that ended in it last, if
    /// that is wanted.
    #[must_use]
    pub fn listed(mut session: Session, viewer: Viewer, last_human_part: Option<Escalation>) -> Self {
        let last_words = session.last_words.take().filter(|_| viewer.staff_details);
        let last_human_part = last_human_part.map(HumanPartOut::from);
        Self { last_words, last_human_part, ..Self::new(session, viewer) }
    }

    /// The same with its place in the queue, from 1; none if it is not in the queue.
    #[must_use]
    pub fn with_queue_position(self, queue_position: Option<u32>) -> Self {
        Self { queue_position, ..self }
    }
}
