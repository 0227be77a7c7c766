//! The `data` of an event if that is not a resource of [`crate::wire`] as it is.

use schemars::JsonSchema;
use serde::Serialize;

use crate::models::{Reaction, SessionId, Timestamp, WikiPath};
use crate::wire::TurnOut;

/// A turn, with its conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EventTurn")]
pub(super) struct TurnData {
    #[serde(flatten)]
    pub(super) turn: TurnOut,
    /// The conversation.
    pub(super) session_id: SessionId,
}

/// An answer, with its conversation and the customer's question.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "UnansweredTurn")]
pub(super) struct UnansweredData {
    #[serde(flatten)]
    pub(super) turn: TurnData,
    /// The customer's question; of several those that have no answer, joined by blank lines. Null where the session was
    /// deleted meanwhile.
    pub(super) question: Option<String>,
}

/// An answer, with its conversation and the reaction that is new.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "TurnWithReaction")]
pub(super) struct ReactionData {
    #[serde(flatten)]
    pub(super) turn: TurnData,
    /// The reaction that is new.
    pub(super) reaction: Reaction,
}

/// The rest of a deleted wiki entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeletedEntry")]
pub(super) struct DeletedEntryData<'a> {
    /// Its name within the tenant and mode.
    pub(super) path: &'a WikiPath,
    /// Counts every change of this path, the deletion too.
    pub(super) version: u64,
    /// When it was deleted.
    pub(super) deleted_at: Timestamp,
}
