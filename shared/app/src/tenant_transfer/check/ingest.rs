//! Ingest jobs and their texts.

use aws::store::{INGEST_CHUNK_BYTES, IngestText};
use domain::limits::{INGEST_TEXT, TextLimit};
use domain::models::{IngestJob, IngestStatus};

use super::Rules;
use super::values::{self, Check};

/// How often a job may have been taken.
const MAX_ATTEMPTS: u32 = 1_000_000;
/// The most pieces of a text: of characters of four bytes, and the rest of the last one.
#[allow(clippy::cast_possible_truncation, reason = "a small number")]
const MAX_CHUNKS: u32 = (INGEST_TEXT.max * 4 / INGEST_CHUNK_BYTES + 2) as u32;
/// Why a job failed.
const ERROR_MESSAGE: TextLimit = TextLimit::prose(1, 2_000);
/// The hash of a section.
const SECTION: TextLimit = TextLimit::line(0, 128);

pub(super) fn job(rules: Rules, job: &IngestJob) -> Check {
    job.url.as_ref().map_or(Ok(()), |url| values::url(rules, url))?;
    values::holds(job.status != IngestStatus::Running && job.lease.is_none(), "no worker has a job of an export")?;
    values::at_most("textChunks", job.text_chunks, MAX_CHUNKS)?;
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

/// A piece of the text of a job.
pub(super) fn text(text: &IngestText) -> Check {
    values::holds(text.number < MAX_CHUNKS, "a text has fewer pieces")?;
    values::at_most("the bytes of a piece", text.text.len(), INGEST_CHUNK_BYTES)?;
    values::holds(!text.text.contains('\0'), "text must not contain U+0000")
}
