//! A wiki entry as callers read it.

use schemars::JsonSchema;
use serde::Serialize;

use super::Viewer;
use crate::models::{EntryCard, EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};
use text::sanitise;

/// A wiki entry.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Entry")]
pub struct EntryOut {
    /// Its name within the tenant and mode.
    path: WikiPath,
    /// Its title.
    title: String,
    /// Markdown or plain text; in lists the first 2,000 characters.
    content: String,
    /// Who may read it.
    visibility: Visibility,
    /// Counts every change of this path, over deletions too.
    version: u64,
    /// As given, each once.
    tags: Vec<String>,
    /// When this path was last created.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
    /// The key that created it; for keys only.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_by: Option<String>,
    /// The key that last changed it; for keys only.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_by: Option<String>,
    /// Where it comes from; for keys only.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<EntrySource>,
}

impl EntryOut {
    /// The same with a content that customers may be shown.
    #[must_use]
    pub fn with_clean_content(mut self) -> Self {
        self.content = sanitise::with_images(&self.content);
        self
    }

    /// The same for a list: of an image its description.
    #[must_use]
    pub fn with_clean_excerpt(mut self) -> Self {
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
            source: viewer.authors.then_some(entry.source),
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
            source: viewer.authors.then_some(card.source),
        }
    }
}
