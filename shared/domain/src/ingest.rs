//! An ingest job, from a page or a text to wiki entries, and its state machine.
//!
//! A job changes only by a transition ([`IngestJob::claimed`], [`IngestJob::completed`], …) from the value that was
//! read. The store writes the result on the condition that the stored value is unchanged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::models::{DraftId, IngestId, PathPrefix, Timestamp, Visibility, WikiPath};

wire_enum! {
    /// The status of a job.
    pub enum IngestStatus {
        /// No worker has it yet.
        Queued => "queued",
        /// A worker does.
        Running => "running",
        /// Its entries are there and searchable.
        Completed => "completed",
        /// It failed; its error gives the reason.
        Failed => "failed",
    }
}

/// The transitions of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IngestAction {
    /// A worker takes it, also from one whose lease has ended.
    Claim,
    /// The worker cannot continue now and returns it.
    Release,
    /// It is done.
    Complete,
    /// It cannot be done.
    Fail,
    /// A request to retry it.
    Retry,
    /// Its day comes again.
    Repeat,
}

impl IngestStatus {
    /// The one table; `None` if it is not allowed.
    #[must_use]
    pub const fn after(self, action: IngestAction) -> Option<Self> {
        use IngestAction as A;
        match (self, action) {
            (Self::Queued | Self::Running, A::Claim) => Some(Self::Running),
            (Self::Running, A::Release) | (Self::Failed, A::Retry | A::Repeat) | (Self::Completed, A::Repeat) => {
                Some(Self::Queued)
            }
            (Self::Running, A::Complete) => Some(Self::Completed),
            (Self::Running, A::Fail) => Some(Self::Failed),
            (Self::Queued, A::Release | A::Complete | A::Fail | A::Retry | A::Repeat)
            | (Self::Running, A::Retry | A::Repeat)
            | (Self::Completed, A::Claim | A::Release | A::Complete | A::Fail | A::Retry)
            | (Self::Failed, A::Claim | A::Release | A::Complete | A::Fail) => None,
        }
    }
}

wire_enum! {
    /// How often the job of a page is done again.
    pub enum IngestInterval {
        /// Every 24 hours.
        Day => "day",
        /// Every seven days.
        Week => "week",
    }
}

impl IngestInterval {
    const fn as_millis(self) -> i64 {
        match self {
            Self::Day => 86_400_000,
            Self::Week => 7 * 86_400_000,
        }
    }
}

wire_enum! {
    /// The action of a job on a path.
    pub enum EntryAction {
        /// It made an entry.
        Created => "created",
        /// It replaced the text of an earlier job by a newer one.
        Updated => "updated",
        /// The text was there already.
        Unchanged => "unchanged",
        /// The page no longer has that section.
        Removed => "removed",
        /// A person edited the entry since; it was left unchanged.
        Conflict => "conflict",
    }
}

wire_enum! {
    /// Why a job failed.
    pub enum IngestErrorCode {
        /// There was no answer.
        FetchFailed => "FETCH_FAILED",
        /// The HTTP status of the response is not a success.
        HttpStatus => "HTTP_STATUS",
        /// The address, or one that it led to, may not be called.
        BlockedAddress => "BLOCKED_ADDRESS",
        /// The response is neither HTML nor text nor Markdown.
        UnsupportedType => "UNSUPPORTED_TYPE",
        /// There is more than is read.
        TooLarge => "TOO_LARGE",
        /// There is nothing to read.
        EmptyContent => "EMPTY_CONTENT",
        /// It took too long.
        Timeout => "TIMEOUT",
        /// The model failed where nothing else could be done.
        AiFailed => "AI_FAILED",
        /// We failed, again and again.
        InternalError => "INTERNAL_ERROR",
    }
}

/// Why a job failed, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IngestError {
    /// Which of the reasons.
    pub code: IngestErrorCode,
    /// One sentence.
    pub message: String,
}

/// The action of a job on one path, planned or done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestedEntry {
    /// The entry.
    pub path: WikiPath,
    /// The action on the path.
    pub action: EntryAction,
    /// A hash of its section, by which an unchanged section is recognised; empty if there is none.
    pub section: String,
    /// Of a conflict: what the page says, as a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_id: Option<DraftId>,
}

/// The claim of a worker: its end, and the worker's unique token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestLease {
    /// Of the worker.
    pub token: String,
    /// From then on others may take the job.
    pub until: Timestamp,
}

/// A page as a completed job read it: by that, the next run sees that nothing changed.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageVersion {
    /// Where it was found, after all redirects: an entity tag means nothing at another address.
    pub url: String,
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
    /// The SHA-256 of its text, in hexadecimal.
    pub hash: String,
}

/// A job, as stored.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestJob {
    /// Its id.
    pub ingest_id: IngestId,
    /// Its status.
    pub status: IngestStatus,
    /// The page; without one, the text stored with the job.
    pub url: Option<String>,
    /// How many pieces that text is kept in; 0 for a page.
    pub text_chunks: u32,
    /// Where its entries go.
    pub path_prefix: PathPrefix,
    /// Their visibility.
    pub visibility: Visibility,
    /// The actions on paths; empty until the text was read.
    pub entries: Vec<IngestedEntry>,
    /// Why it failed.
    pub error: Option<IngestError>,
    /// How often it was taken by a worker.
    pub attempts: u32,
    /// How many of these were before it was last tried again.
    pub earlier_attempts: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// The key that made it.
    pub created_by: String,
    /// When it completed or failed.
    pub finished_at: Option<Timestamp>,
    /// How often it is done again, counted from when it was made; none if it is done once.
    pub every: Option<IngestInterval>,
    /// When its day last came again.
    pub repeated_at: Option<Timestamp>,
    /// The page whose sections `entries` has, all of them written.
    pub page: Option<PageVersion>,
    /// The current claim.
    pub lease: Option<IngestLease>,
    /// Counts every change.
    pub version: u64,
}

/// How long a worker has a job, in milliseconds: longer than a worker runs.
pub const INGEST_LEASE_MS: i64 = 150_000;
/// After how long an unclaimed job is queued again, in milliseconds.
const INGEST_QUEUE_GRACE_MS: i64 = 60_000;

impl IngestJob {
    /// How often a job is claimed since its creation or last retry; a cause that stops it this often is permanent.
    pub const MAX_ATTEMPTS: u32 = 5;

    /// Whether it was taken as often as it may be.
    #[must_use]
    pub const fn has_no_attempts_left(&self) -> bool {
        self.attempts.saturating_sub(self.earlier_attempts) >= Self::MAX_ATTEMPTS
    }

    /// When the sweeper must look at it, if nothing happens before.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        match self.status {
            IngestStatus::Queued => Some(self.waiting_since().plus_millis(INGEST_QUEUE_GRACE_MS)),
            IngestStatus::Running => self.lease.as_ref().map(|lease| lease.until),
            IngestStatus::Completed | IngestStatus::Failed => self.next_run_at(),
        }
    }

    /// Of a finished job with an interval: when it is done again. A late run moves no other.
    #[must_use]
    pub fn next_run_at(&self) -> Option<Timestamp> {
        let (interval, finished) = (self.every?.as_millis(), self.finished_at?.as_millis());
        let runs = (finished - self.created_at.as_millis()).max(0) / interval + 1;
        Some(self.created_at.plus_millis(runs * interval))
    }

    /// Whether what an entry of this job shows as its time is of this run, not of the days before.
    #[must_use]
    pub fn is_of_this_run(&self, at: Timestamp) -> bool {
        self.repeated_at.is_none_or(|since| at >= since)
    }

    /// For a queued job: `lease` keeps since when it waits, under no worker's token.
    fn waiting_since(&self) -> Timestamp {
        self.lease.as_ref().map_or(self.created_at, |lease| lease.until)
    }

    /// Whether a worker other than `token`'s has it at `now`.
    #[must_use]
    pub fn is_leased_by_another(&self, token: &str, now: Timestamp) -> bool {
        let held = self.lease.as_ref().is_some_and(|lease| lease.until > now && lease.token != token);
        self.status == IngestStatus::Running && held
    }

    /// Taken by the worker of `token`; none if it is not to be taken, or another worker has it.
    #[must_use]
    pub fn claimed(&self, token: &str, now: Timestamp) -> Option<Self> {
        if self.is_leased_by_another(token, now) {
            return None;
        }
        let lease = Some(IngestLease { token: token.to_owned(), until: now.plus_millis(INGEST_LEASE_MS) });
        Some(Self { lease, attempts: self.attempts + 1, ..self.after(IngestAction::Claim)? })
    }

    /// Planned, and still of the same worker.
    #[must_use]
    pub fn planned(&self, entries: Vec<IngestedEntry>) -> Self {
        Self { entries, page: None, version: self.version + 1, ..self.clone() }
    }

    /// Given back at `now`, to be taken again.
    #[must_use]
    pub fn released(&self, now: Timestamp) -> Option<Self> {
        Some(Self { lease: waiting(now), ..self.after(IngestAction::Release)? })
    }

    /// Put on the queue again at `now`, because it may have been lost there. Only a job that waits.
    #[must_use]
    pub fn requeued(&self, now: Timestamp) -> Self {
        Self { lease: waiting(now), version: self.version + 1, ..self.clone() }
    }

    /// Done at `now`, of `page` if it has one.
    #[must_use]
    pub fn completed(&self, entries: Vec<IngestedEntry>, page: Option<PageVersion>, now: Timestamp) -> Option<Self> {
        let done = self.after(IngestAction::Complete)?;
        Some(Self { entries, page, finished_at: Some(now), lease: None, text_chunks: 0, ..done })
    }

    /// Given up at `now`.
    #[must_use]
    pub fn failed(&self, error: IngestError, now: Timestamp) -> Option<Self> {
        Some(Self { error: Some(error), finished_at: Some(now), lease: None, ..self.after(IngestAction::Fail)? })
    }

    /// To be tried again, as if it was made at `now`; what it did before is what it finds.
    #[must_use]
    pub fn retried(&self, now: Timestamp) -> Option<Self> {
        self.again(IngestAction::Retry, now)
    }

    /// To be done again at `now`, because its day has come; none if it has no interval, or is not finished.
    #[must_use]
    pub fn repeated(&self, now: Timestamp) -> Option<Self> {
        self.every?;
        Some(Self { repeated_at: Some(now), ..self.again(IngestAction::Repeat, now)? })
    }

    /// Without an interval.
    #[must_use]
    pub fn unscheduled(&self) -> Self {
        Self { every: None, version: self.version + 1, ..self.clone() }
    }

    fn again(&self, action: IngestAction, now: Timestamp) -> Option<Self> {
        let again = self.after(action)?;
        let earlier_attempts = self.attempts;
        let entries = self.made_entries();
        Some(Self { entries, error: None, earlier_attempts, finished_at: None, lease: waiting(now), ..again })
    }

    /// The entries as a later run finds them. Of a failed run it is not known which of its updates were done: these are
    /// made again.
    fn made_entries(&self) -> Vec<IngestedEntry> {
        let has_failed = self.status == IngestStatus::Failed;
        let made = self.entries.iter().filter_map(|entry| {
            let action = match entry.action {
                EntryAction::Removed => return None,
                EntryAction::Updated if has_failed => return None,
                EntryAction::Created | EntryAction::Updated | EntryAction::Unchanged => EntryAction::Unchanged,
                EntryAction::Conflict => EntryAction::Conflict,
            };
            Some(IngestedEntry { action, ..entry.clone() })
        });
        made.collect()
    }

    fn after(&self, action: IngestAction) -> Option<Self> {
        Some(Self { status: self.status.after(action)?, version: self.version + 1, ..self.clone() })
    }
}

const fn waiting(since: Timestamp) -> Option<IngestLease> {
    Some(IngestLease { token: String::new(), until: since })
}

/// A job as lists show it: without what it did. Stored beside the job, where the index copies it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestCard {
    /// Its id.
    pub ingest_id: IngestId,
    /// Its status, under a name that is not a reserved word of DynamoDB.
    pub job_status: IngestStatus,
    /// The page.
    pub url: Option<String>,
    /// Where its entries go.
    pub path_prefix: PathPrefix,
    /// Their visibility.
    pub visibility: Visibility,
    /// Why it failed.
    pub error: Option<IngestError>,
    /// How often it was taken.
    pub attempts: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// The key that made it.
    pub created_by: String,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// How often it is done again.
    pub every: Option<IngestInterval>,
    /// When it is done again.
    pub next_run_at: Option<Timestamp>,
}

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
    /// How often it is done again; absent if it is done once.
    #[serde(skip_serializing_if = "Option::is_none")]
    every: Option<IngestInterval>,
    /// When it is done again; absent while it waits or runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_run_at: Option<Timestamp>,
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

impl From<IngestJob> for IngestCard {
    fn from(job: IngestJob) -> Self {
        let next_run_at = job.next_run_at();
        Self {
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
            every: job.every,
            next_run_at,
        }
    }
}

impl From<IngestJob> for IngestOut {
    fn from(mut job: IngestJob) -> Self {
        let progress = progress(&job);
        // Before it is done, a plan: what it will have done is not yet so.
        let done = job.status == IngestStatus::Completed;
        let entries = std::mem::take(&mut job.entries).into_iter().filter(|_| done);
        let entries =
            entries.map(|entry| IngestedEntryOut { path: entry.path, action: entry.action, draft_id: entry.draft_id });
        Self { entries: Some(entries.collect()), progress, ..IngestCard::from(job).into() }
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
            every: card.every,
            next_run_at: card.next_run_at,
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

#[cfg(test)]
mod tests;
