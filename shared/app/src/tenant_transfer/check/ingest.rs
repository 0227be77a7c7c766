//! Ingest jobs and their texts.

use aws::store::{INGEST_CHUNK_BYTES, ItemCopy};
use domain::limits::{INGEST_TEXT, TextLimit};
use domain::models::{IngestId, IngestJob, IngestStatus, Mode};

use super::Rules;
use super::values::{self, Check};

/// How often a job may have been taken.
const MAX_ATTEMPTS: u32 = 1_000_000;
/// Why a job failed.
const ERROR_MESSAGE: TextLimit = TextLimit::prose(1, 2_000);
/// The hash of a section.
const SECTION: TextLimit = TextLimit::line(0, 128);

pub(super) fn job(rules: Rules, job: &IngestJob) -> Check {
    job.url.as_ref().map_or(Ok(()), |url| values::url(rules, url))?;
    let is_finished = match job.status {
        IngestStatus::Queued => false,
        IngestStatus::Completed | IngestStatus::Failed => true,
        IngestStatus::Running => return Err("no worker has a job of an export".into()),
    };
    values::holds(job.lease.is_none(), "no worker has a job of an export")?;
    values::holds(job.finished_at.is_some() == is_finished, "a job has finishedAt when it is finished")?;
    values::holds(job.error.is_some() == (job.status == IngestStatus::Failed), "a job has an error when it failed")?;
    let has_text = job.text_chunks > 0;
    let needs_text = job.url.is_none() && job.status != IngestStatus::Completed;
    values::holds(has_text == needs_text, "a job has its page or, until it is completed, its text")?;
    values::at_most("attempts", job.attempts, MAX_ATTEMPTS)?;
    values::at_most("earlierAttempts", job.earlier_attempts, job.attempts)?;
    for entry in &job.entries {
        values::text("section", SECTION, &entry.section)?;
    }
    if let Some(error) = &job.error {
        values::text("the error", ERROR_MESSAGE, &error.message)?;
    }
    values::author("createdBy", &job.created_by)?;
    values::past("createdAt", job.created_at, rules)?;
    values::past_if("finishedAt", job.finished_at, rules)?;
    values::version("version", job.version)
}

#[derive(Debug)]
pub(super) struct JobLines {
    mode: Mode,
    id: IngestId,
    chunks: u32,
    read: u32,
    chars: usize,
}

impl JobLines {
    pub(super) fn new(mode: Mode, job: &IngestJob) -> Self {
        Self { mode, id: job.ingest_id.clone(), chunks: job.text_chunks, read: 0, chars: 0 }
    }

    pub(super) fn part(&mut self, mode: Mode, item: &ItemCopy) -> Check {
        let ItemCopy::IngestText(text) = item else { return Err("it does not belong to the job before it".into()) };
        let is_mine = self.mode == mode && self.id == text.ingest_id;
        values::holds(is_mine, "it belongs to another job than the lines before it")?;
        values::holds(text.number == self.read && self.read < self.chunks, "the pieces of a text are in order")?;
        values::at_most("the bytes of a piece", text.text.len(), INGEST_CHUNK_BYTES)?;
        values::holds(!text.text.contains('\0'), "text must not contain U+0000")?;
        self.read += 1;
        self.chars += text.text.chars().count();
        values::at_most("the characters of a text", self.chars, INGEST_TEXT.max)
    }

    pub(super) fn is_whole(&self) -> Check {
        values::holds(self.read == self.chunks, "the text of the job before it is not complete")
    }
}
