//! Entries, their revisions and deletions.

use aws::store::RevisionsEnd;
use domain::limits;
use domain::models::{Pin, SourceType, WikiEntry};

use super::Rules;
use super::values::{self, Check};

/// An entry, or an old version of one.
pub(super) fn entry(rules: Rules, entry: &WikiEntry) -> Check {
    values::text("title", limits::ENTRY_TITLE, &entry.title)?;
    values::text("content", limits::ENTRY_CONTENT, &entry.content)?;
    values::at_most("the bytes of content", entry.content.len(), limits::ENTRY_CONTENT_BYTES)?;
    values::tags(&entry.tags)?;
    values::version("version", entry.version)?;
    values::past("createdAt", entry.created_at, rules)?;
    values::past("updatedAt", entry.updated_at, rules)?;
    values::author("createdBy", &entry.created_by)?;
    values::author("updatedBy", &entry.updated_by)?;
    let source = &entry.source;
    match source.source_type {
        SourceType::Manual => {
            values::holds(source.ingest_id.is_none() && source.url.is_none(), "what a person wrote has no source")
        }
        SourceType::Ingest => {
            values::holds(source.ingest_id.is_some(), "what a job made names the job")?;
            source.url.as_ref().map_or(Ok(()), |url| values::url(rules, url))
        }
    }
}

/// A question that changes are tried on.
pub(super) fn pin(rules: Rules, pin: &Pin) -> Check {
    values::text("question", limits::PIN_QUESTION, &pin.question)?;
    values::past("createdAt", pin.created_at, rules)?;
    values::author("createdBy", &pin.created_by)
}

/// The end of the revisions of a path that was deleted.
pub(super) fn revisions_end(rules: Rules, end: &RevisionsEnd) -> Check {
    values::version("version", end.version)?;
    values::past("deletedAt", end.deleted_at, rules)?;
    end.deleted_by.as_deref().map_or(Ok(()), |by| values::author("deletedBy", by))
}
