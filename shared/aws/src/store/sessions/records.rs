//! How sessions, turns, markers and escalations are stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::store::record;
use crate::store::table;
use crate::store::table::Item;
use domain::Result;
use domain::models::{
    AgentRef, Channel, ClosedReason, CustomerLanguage, Disposition, Escalation, EscalationId, EscalationOutcome,
    EscalationStatus, MessageId, Mode, Ownership, Priority, Reaction, ReasonCategory, RequestedBy, Session, SessionId,
    Source, SystemEvent, Timestamp, Turn, TurnRole, Visitor,
};

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// A map kept as the text of its JSON: the table's numbers are decimal and know no `1.0`, so that what was sent would
/// not come back as it was.
mod json_text {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer, de, ser};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<String, Value>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(map).map_err(ser::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Value>, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}

record! {
    SessionRecord for Session {
        session_id: SessionId,
        mode: Mode,
        ownership: Ownership,
        epoch: u64,
        turn_count: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_message_id: Option<MessageId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_public_message_id: Option<MessageId>,
        channel: Channel,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        external_user_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<Visitor>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        locale: Option<String>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "json_text")]
        metadata: BTreeMap<String, serde_json::Value>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        escalation_id: Option<EscalationId>,
        #[serde(default, skip_serializing_if = "is_zero")]
        ai_since_turn: u32,
        #[serde(default, skip_serializing_if = "is_zero")]
        ai_turns: u32,
        #[serde(default, skip_serializing_if = "is_zero")]
        no_answer_streak: u32,
        #[serde(default, skip_serializing_if = "is_false")]
        answer_due: bool,
        #[serde(default, skip_serializing_if = "is_zero")]
        ai_reads_after_turn: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        handover_note: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<CustomerLanguage>,
        #[serde(default, skip_serializing_if = "is_false")]
        has_customer_message: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        ever_escalated: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
        last_activity_at: Timestamp,
        owner_since: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_customer_message_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed_reason: Option<ClosedReason>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resumable_until: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_at: Option<Timestamp>,
        version: u64,
    }
}

record! {
    TurnRecord for Turn {
        message_id: MessageId,
        number: u32,
        role: TurnRole,
        content: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sources: Vec<Source>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disposition: Option<Disposition>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unanswered: Option<bool>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reactions: Vec<Reaction>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentRef>,
        #[serde(default, skip_serializing_if = "is_false")]
        internal: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        offers_human: bool,
        #[serde(default, skip_serializing_if = "is_false")]
        grounded_on_internal: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<SystemEvent>,
        created_at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        latency_ms: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        escalation_id: Option<EscalationId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answered_by: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<u32>,
        #[serde(default, skip_serializing_if = "is_zero")]
        queries: u32,
    }
}

record! {
    EscalationRecord for Escalation {
        escalation_id: EscalationId,
        session_id: SessionId,
        status: EscalationStatus,
        reason: String,
        reason_category: ReasonCategory,
        requested_by: RequestedBy,
        priority: Priority,
        created_at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claimed_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claimed_by: Option<AgentRef>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_token: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lease_expires_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_response_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolved_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        closed_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<EscalationOutcome>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolution: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_customer_message_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer_external_user_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer_name: Option<String>,
        version: u64,
    }
}

/// The session of an item; none where what is there is a tombstone.
pub(super) fn session(item: Item) -> Result<Option<Session>> {
    if item.contains_key(ERASED_AT) {
        return Ok(None);
    }
    table::record::<SessionRecord>(item).map(|record| Some(Session::from(record)))
}

/// What only a tombstone has.
const ERASED_AT: &str = "erasedAt";

/// What is left of a session while what belonged to it is erased.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TombstoneRecord {
    pub(super) erased_at: Timestamp,
    /// How often everything that belonged to it was erased.
    pub(super) passes: u32,
    /// When that is to be done next.
    pub(super) due_at: Timestamp,
    /// The request that deleted it, so that it knows its own work again.
    pub(super) holder: String,
}

/// What is remembered of a message's token, so that a repeated message is never stored or answered twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentMarker {
    /// The number of the customer's turn.
    pub turn: u32,
    /// SHA-256 of what was sent under the token, hex.
    pub fingerprint: String,
    /// Who owned the session when the turn was stored.
    pub ownership: Ownership,
    /// Until when the attempt that holds it may still be answering.
    pub lease_until: Timestamp,
    /// The attempt that holds it.
    pub holder: String,
}
