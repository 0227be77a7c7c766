//! The context of one request that takes a session forward.

use crate::allowance::Allowance;
use domain::models::{Scope, Settings, Timestamp, Turn};

/// One request that takes a session forward.
#[derive(Debug, Clone)]
pub(super) struct AnswerAttempt {
    pub(super) scope: Scope,
    /// When the request gives up.
    pub(super) deadline: Timestamp,
    pub(super) received_at: Timestamp,
    pub(super) settings: Settings,
    /// The turns before the message, oldest first.
    pub(super) recent: Vec<Turn>,
    /// The caller may not be shown answers from internal entries.
    pub(super) redacts: bool,
    /// Whether a customer's request for a human counts. It does not right after a human was there or was declined.
    pub(super) allows_human_request: bool,
    /// The remaining quotas of the caller.
    pub(super) allowance: Allowance,
}

impl AnswerAttempt {
    /// From the receipt until `now`.
    pub(super) fn latency_ms(&self, now: Timestamp) -> u64 {
        u64::try_from(now.millis_since(self.received_at)).unwrap_or(0)
    }
}
