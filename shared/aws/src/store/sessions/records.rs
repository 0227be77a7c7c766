//! How sessions, turns, markers and escalations are stored.

use serde::{Deserialize, Serialize};

use crate::store::record::record;
use crate::store::table;
use crate::store::table::Item;
use domain::Result;
use domain::models::{
    AgentRef, Escalation, EscalationId, EscalationOutcome, EscalationStatus, LastWords, Priority, Rating,
    ReasonCategory, ReleaseReason, RequestedBy, Session, SessionId, Timestamp,
};

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero_ms(value: &i64) -> bool {
    *value == 0
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
        claimed_generation: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lease_expires_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        answered: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        former_agent: Option<AgentRef>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        release_reason: Option<ReleaseReason>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snoozed_until: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was_snoozed_until: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notice_due_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        noticed_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_response_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<Rating>,
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
        last_words: Option<LastWords>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer_external_user_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer_name: Option<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        customer_verified: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        #[serde(default, skip_serializing_if = "is_zero")]
        earlier_parts: u32,
        #[serde(default, skip_serializing_if = "is_zero_ms")]
        earlier_parts_ms: i64,
        version: u64,
    }
}

/// The session of an item; none if what is there is a tombstone.
pub(super) fn session(item: Item) -> Result<Option<Session>> {
    if item.contains_key(ERASED_AT) {
        return Ok(None);
    }
    table::record(item).map(Some)
}

/// An attribute that only a tombstone has.
const ERASED_AT: &str = "erasedAt";

/// The item that replaces a deleted session while everything that belonged to it is erased.
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

/// The stored result of a request that stored a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTurn {
    /// The turn's number.
    pub turn: u32,
}

/// The stored result of a request that acted on an escalation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimedEscalation {
    /// Which one.
    pub escalation_id: EscalationId,
}
