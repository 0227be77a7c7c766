//! A wiki entry as callers read it.

use serde::Serialize;

use super::Viewer;
use crate::models::{EntryCard, EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};
use text::sanitise;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    created_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_by: Option<String>,
    source: EntrySource,
}

impl EntryOut {
    /// The same with a content that customers may be shown, for an excerpt; whole contents stay as they were written.
    #[must_use]
    pub fn with_clean_content(mut self) -> Self {
        self.content = sanitise::shown(&self.content);
        self
    }

    /// The entry as `viewer` may see it.
    #[must_use]
    pub fn new(entry: WikiEntry, viewer: Viewer) -> Self {
        Self {
            path: entry.path,
            title: entry.title,
            content: entry.content,
            visibility: entry.visibility,
            version: entry.version,
            tags: entry.tags,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            created_by: viewer.authors.then_some(entry.created_by),
            updated_by: viewer.authors.then_some(entry.updated_by),
            source: entry.source,
        }
    }

    /// The entry of a list: its content is the beginning alone.
    #[must_use]
    pub fn of_list(card: EntryCard, viewer: Viewer) -> Self {
        Self {
            path: card.path,
            title: card.title,
            content: card.excerpt,
            visibility: card.visibility,
            version: card.version,
            tags: card.tags,
            created_at: card.created_at,
            updated_at: card.updated_at,
            created_by: viewer.authors.then_some(card.created_by),
            updated_by: viewer.authors.then_some(card.updated_by),
            source: card.source,
        }
    }
}
