//! Entries, their revisions and deletions.

use aws::store::ItemCopy;
use domain::limits;
use domain::models::{Mode, Pin, SourceType, WikiEntry, WikiPath};

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

#[derive(Debug)]
pub(super) struct PathLines {
    mode: Mode,
    path: WikiPath,
    version: u64,
    last_revision: u64,
    last_end: u64,
}

impl PathLines {
    pub(super) fn new(mode: Mode, path: &WikiPath, version: u64) -> Self {
        Self { mode, path: path.clone(), version, last_revision: 0, last_end: 0 }
    }

    pub(super) fn part(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Check {
        match item {
            ItemCopy::Revision(revision) => {
                self.is_mine(mode, &revision.path)?;
                entry(rules, revision)?;
                let between = revision.version > self.last_revision && revision.version < self.version;
                self.last_revision = revision.version;
                values::holds(between, "revisions are older than the entry, and in order")
            }
            ItemCopy::RevisionsEnd(end) => {
                self.is_mine(mode, &end.path)?;
                values::past("deletedAt", end.deleted_at, rules)?;
                end.deleted_by.as_deref().map_or(Ok(()), |by| values::author("deletedBy", by))?;
                let between = end.version > self.last_end && end.version <= self.version;
                self.last_end = end.version;
                values::holds(between, "the ends of revisions are no newer than the entry, and in order")
            }
            _ => Err("it does not belong to the entry before it".into()),
        }
    }

    fn is_mine(&self, mode: Mode, path: &WikiPath) -> Check {
        values::holds(self.mode == mode && self.path == *path, "it belongs to another entry than the lines before it")
    }
}
