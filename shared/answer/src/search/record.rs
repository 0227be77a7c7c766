//! An entry as both adapters store it next to its terms, to return it unchanged.

use serde::{Deserialize, Serialize};

use domain::models::{EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};

/// What an index stores of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryRecord {
    path: WikiPath,
    title: String,
    content: String,
    visibility: Visibility,
    tags: Vec<String>,
    version: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: String,
    updated_by: String,
    source: EntrySource,
}

impl EntryRecord {
    /// Who may read the entry.
    #[must_use]
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }
}

impl From<&WikiEntry> for EntryRecord {
    fn from(entry: &WikiEntry) -> Self {
        let WikiEntry {
            path,
            title,
            content,
            visibility,
            tags,
            version,
            created_at,
            updated_at,
            created_by,
            updated_by,
            source,
        } = entry.clone();
        Self { path, title, content, visibility, tags, version, created_at, updated_at, created_by, updated_by, source }
    }
}

impl From<EntryRecord> for WikiEntry {
    fn from(record: EntryRecord) -> Self {
        let EntryRecord {
            path,
            title,
            content,
            visibility,
            tags,
            version,
            created_at,
            updated_at,
            created_by,
            updated_by,
            source,
        } = record;
        Self { path, title, content, visibility, tags, version, created_at, updated_at, created_by, updated_by, source }
    }
}
