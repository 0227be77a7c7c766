//! How a job is stored, and what lists show of it.

use serde::{Deserialize, Serialize};

use domain::models::{IngestCard, IngestJob, IngestLease, IngestedEntry};

/// The item of a job: its card, which the index copies, and the rest.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IngestRecord {
    card: IngestCard,
    text_chunks: u32,
    #[serde(default)]
    earlier_attempts: u32,
    #[serde(default)]
    entries: Vec<IngestedEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease: Option<IngestLease>,
    version: u64,
    /// Of the call that wrote this version.
    pub(super) write_token: String,
}

impl IngestRecord {
    pub(in crate::store) fn of(job: &IngestJob, write_token: &str) -> Self {
        let job = job.clone();
        Self {
            card: IngestCard {
                ingest_id: job.ingest_id,
                job_status: job.status,
                url: job.url,
                path_prefix: job.path_prefix,
                visibility: job.visibility,
                error: job.error,
                attempts: job.attempts,
                created_at: job.created_at,
                created_by: job.created_by,
                finished_at: job.finished_at,
            },
            text_chunks: job.text_chunks,
            earlier_attempts: job.earlier_attempts,
            entries: job.entries,
            lease: job.lease,
            version: job.version,
            write_token: write_token.to_owned(),
        }
    }
}

impl From<IngestRecord> for IngestJob {
    fn from(record: IngestRecord) -> Self {
        let card = record.card;
        Self {
            ingest_id: card.ingest_id,
            status: card.job_status,
            url: card.url,
            text_chunks: record.text_chunks,
            earlier_attempts: record.earlier_attempts,
            path_prefix: card.path_prefix,
            visibility: card.visibility,
            entries: record.entries,
            error: card.error,
            attempts: card.attempts,
            created_at: card.created_at,
            created_by: card.created_by,
            finished_at: card.finished_at,
            lease: record.lease,
            version: record.version,
        }
    }
}

/// A piece of a job's text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ChunkRecord {
    pub(super) text: String,
}
