//! The record of a path: an entry, or its deletion.

use domain::models::{Timestamp, WikiEntry, WikiPath};

/// The record of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum WikiRecord {
    Entry(WikiEntry),
    /// The deletion of one.
    Deleted(WikiPath, DeletedEntry),
}

impl WikiRecord {
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
    /// The deleter; none if an earlier release did it.
    pub by: Option<String>,
}
