//! An ingest job as callers read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::IngestCard;
use crate::models::{
    DraftId, EntryAction, IngestError, IngestId, IngestJob, IngestStatus, PathPrefix, Timestamp, Visibility, WikiPath,
};

/// A page or a text on its way to wiki entries.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IngestJob")]
pub struct IngestOut {
    /// Its id.
    ingest_id: IngestId,
    /// Where it stands.
    status: IngestStatus,
    /// The page; absent for a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Where its entries go.
    path_prefix: PathPrefix,
    /// Who may read its entries.
    visibility: Visibility,
    /// The actions on paths, once it is completed; absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<IngestedEntryOut>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<IngestError>,
    /// The current step, in words, until the job ended; absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<String>,
    /// How often a worker took it, also before a retry.
    attempts: u32,
    /// When it was handed in.
    created_at: Timestamp,
    /// The key that handed it in.
    created_by: String,
    /// When it ended.
    finished_at: Option<Timestamp>,
}

/// An entry that an ingest job wrote, or meant to.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IngestedEntry")]
struct IngestedEntryOut {
    /// The entry.
    path: WikiPath,
    /// The action on the path.
    action: EntryAction,
    /// Of a `conflict`: what the page says in the entry's place, as a draft. Absent where the entry says the same, the page
    /// has it no longer, or there are as many drafts as there may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_id: Option<DraftId>,
}

impl From<IngestJob> for IngestOut {
    fn from(job: IngestJob) -> Self {
        let progress = progress(&job);
        // Before it is done, a plan: what it will have done is not yet so.
        let done = job.status == IngestStatus::Completed;
        let entries = job.entries.into_iter().filter(|_| done);
        let entries =
            entries.map(|entry| IngestedEntryOut { path: entry.path, action: entry.action, draft_id: entry.draft_id });
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
