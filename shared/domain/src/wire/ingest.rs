//! An ingest job as callers read it.

use serde::Serialize;

use crate::models::IngestCard;
use crate::models::{
    EntryAction, IngestError, IngestId, IngestJob, IngestStatus, PathPrefix, Timestamp, Visibility, WikiPath,
};

/// A job.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestOut {
    ingest_id: IngestId,
    status: IngestStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    path_prefix: PathPrefix,
    visibility: Visibility,
    /// What it did, once it is done; a list of jobs leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<IngestedEntryOut>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<IngestError>,
    /// What is going on, in words; none once it ended, and in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<String>,
    attempts: u32,
    created_at: Timestamp,
    created_by: String,
    finished_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Serialize)]
struct IngestedEntryOut {
    path: WikiPath,
    action: EntryAction,
}

impl From<IngestJob> for IngestOut {
    fn from(job: IngestJob) -> Self {
        let progress = progress(&job);
        // Before it is done, a plan: what it will have done is not yet so.
        let done = job.status == IngestStatus::Completed;
        let entries = job.entries.into_iter().filter(|_| done);
        let entries = entries.map(|entry| IngestedEntryOut { path: entry.path, action: entry.action });
        Self {
            ingest_id: job.ingest_id,
            status: job.status,
            url: job.url,
            path_prefix: job.path_prefix,
            visibility: job.visibility,
            entries: Some(entries.collect()),
            error: job.error,
            progress,
            attempts: job.attempts,
            created_at: job.created_at,
            created_by: job.created_by,
            finished_at: job.finished_at,
        }
    }
}

impl From<IngestCard> for IngestOut {
    fn from(card: IngestCard) -> Self {
        Self {
            ingest_id: card.ingest_id,
            status: card.job_status,
            url: card.url,
            path_prefix: card.path_prefix,
            visibility: card.visibility,
            entries: None,
            error: card.error,
            progress: None,
            attempts: card.attempts,
            created_at: card.created_at,
            created_by: card.created_by,
            finished_at: card.finished_at,
        }
    }
}

fn progress(job: &IngestJob) -> Option<String> {
    match (job.status, job.entries.len()) {
        (IngestStatus::Queued, _) => Some("Waiting for a worker.".to_owned()),
        (IngestStatus::Running, 0) => Some("Reading the text.".to_owned()),
        (IngestStatus::Running, entries) => Some(format!("Writing {entries} entries.")),
        (IngestStatus::Completed | IngestStatus::Failed, _) => None,
    }
}
