//! What everybody sees of an entry.

use serde::Serialize;
use shared::http::PageOut;
use shared::models::{EntryCard, EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};

use crate::highlights::HighlightOut;

/// An entry.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryOut {
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

/// An entry in a list: the beginning of its content, and for a search where it matched.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryItemOut {
    #[serde(flatten)]
    entry: EntryOut,
    content_truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highlights: Option<Vec<HighlightOut>>,
}

impl From<EntryCard> for EntryItemOut {
    fn from(card: EntryCard) -> Self {
        let entry = EntryOut {
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
        };
        Self { entry, content_truncated: card.content_truncated, score: None, highlights: None }
    }
}

impl EntryItemOut {
    /// The item of a search's hit.
    pub(crate) fn hit(card: EntryCard, score: f64, highlights: Vec<HighlightOut>) -> Self {
        Self { score: Some(score), highlights: Some(highlights), ..card.into() }
    }
}

/// A page of entries, and the question it answers.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EntryListOut {
    #[serde(flatten)]
    pub(crate) page: PageOut<EntryItemOut>,
    /// `q` as it was sent; `null` without one.
    pub(crate) query: Option<String>,
}
