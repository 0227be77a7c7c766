//! The status of the service, as callers without a key read it.

use domain::models::{Timestamp, wire_enum};
use schemars::JsonSchema;
use serde::Serialize;

wire_enum! {
    /// How the service as a whole is.
    pub(crate) enum Status {
        /// Everything answers.
        Ok => "ok",
        /// Stored data can be read; writes, searches or deliveries that fail now are refused, handed to humans, or done
        /// later.
        Degraded => "degraded",
        /// Nothing can be read.
        Down => "down",
    }
}

/// The report to callers without a key.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "HealthBrief")]
pub(crate) struct PublicReport {
    /// How the service as a whole is.
    pub(crate) status: Status,
    /// When it was found.
    pub(crate) time: Timestamp,
}
