//! An ingest job as lists show it.

use serde::{Deserialize, Serialize};

use super::{IngestError, IngestId, IngestStatus, PathPrefix, Timestamp, Visibility};

/// A job as lists show it: without what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestCard {
    /// Its id.
    pub ingest_id: IngestId,
    /// Its status, under a name that is not a reserved word of DynamoDB.
    pub job_status: IngestStatus,
    /// The page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where its entries go.
    pub path_prefix: PathPrefix,
    /// Their visibility.
    pub visibility: Visibility,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<IngestError>,
    /// How often it was taken.
    pub attempts: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// The key that made it.
    pub created_by: String,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}
