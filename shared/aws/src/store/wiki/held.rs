//! What a path holds: an entry, or what is left of one.

use super::record::EntryRecord;
use domain::models::{Timestamp, WikiEntry, WikiPath};

/// What a path holds.
#[derive(Debug, Clone, PartialEq)]
pub enum WikiRecord {
    /// An entry.
    Entry(WikiEntry),
    /// What is left of one.
    Deleted(WikiPath, DeletedEntry),
}

impl WikiRecord {
    /// The path.
    #[must_use]
    pub const fn path(&self) -> &WikiPath {
        match self {
            Self::Entry(entry) => &entry.path,
            Self::Deleted(path, _) => path,
        }
    }

    /// The version of the entry, or of its deletion.
    #[must_use]
    pub const fn version(&self) -> u64 {
        match self {
            Self::Entry(entry) => entry.version,
            Self::Deleted(_, deleted) => deleted.version,
        }
    }
}

/// A deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedEntry {
    /// The version of the deletion itself, one above the entry's last.
    pub version: u64,
    /// When.
    pub at: Timestamp,
    /// Who; none where an earlier release did it.
    pub by: Option<String>,
}

impl From<&EntryRecord> for DeletedEntry {
    fn from(tombstone: &EntryRecord) -> Self {
        let (at, by) = (tombstone.deleted_at.unwrap_or_default(), tombstone.deleted_by.clone());
        Self { version: tombstone.version, at, by }
    }
}

impl From<EntryRecord> for WikiRecord {
    fn from(record: EntryRecord) -> Self {
        let path = record.path.clone();
        let deleted = DeletedEntry::from(&record);
        record.into_entry().map_or(Self::Deleted(path, deleted), Self::Entry)
    }
}
