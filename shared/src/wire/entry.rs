//! A wiki entry as clients read it.

use serde::Serialize;

use crate::answer::sanitise;
use crate::models::{EntryCard, EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};

/// An entry.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryOut {
    path: WikiPath,
    title: String,
    content: String,
    visibility: Visibility,
    version: u64,
    tags: Vec<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: String,
    updated_by: String,
    source: EntrySource,
}

impl EntryOut {
    /// The same with a content that customers may be shown, for an excerpt; whole contents stay as they were written.
    #[must_use]
    pub fn with_clean_content(mut self) -> Self {
        self.content = sanitise::shown(&self.content);
        self
    }
}

impl From<WikiEntry> for EntryOut {
    fn from(entry: WikiEntry) -> Self {
        Self {
            path: entry.path,
            title: entry.title,
            content: entry.content,
            visibility: entry.visibility,
            version: entry.version,
            tags: entry.tags,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            created_by: entry.created_by,
            updated_by: entry.updated_by,
            source: entry.source,
        }
    }
}

impl From<EntryCard> for EntryOut {
    /// The entry of a list: its content is the beginning alone.
    fn from(card: EntryCard) -> Self {
        Self {
            path: card.path,
            title: card.title,
            content: card.excerpt,
            visibility: card.visibility,
            version: card.version,
            tags: card.tags,
            created_at: card.created_at,
            updated_at: card.updated_at,
            created_by: card.created_by,
            updated_by: card.updated_by,
            source: card.source,
        }
    }
}
