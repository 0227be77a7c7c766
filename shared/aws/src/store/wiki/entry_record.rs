//! How an entry, or its tombstone, is stored.

use serde::{Deserialize, Serialize};

use super::wiki_record::{DeletedEntry, WikiRecord};
use domain::models::{EntryCard, EntrySource, RevisionAction, Timestamp, Visibility, WikiEntry, WikiPath};

/// The item of a path. Without `entry` and `card` it is a tombstone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct EntryRecord {
    pub(super) path: WikiPath,
    pub(in crate::store) version: u64,
    #[serde(default)]
    pub(super) deleted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) deleted_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) deleted_by: Option<String>,
    /// Of the request that created the path (last); outlives changes and deletion.
    pub(in crate::store) create_token: String,
    /// Of the request that wrote this version.
    pub(in crate::store) write_token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entry: Option<TextRecord>,
    /// The card that lists read from the index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) card: Option<EntryCard>,
}

/// The fields that only a living entry has.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::store) struct TextRecord {
    title: String,
    content: String,
    visibility: Visibility,
    tags: Vec<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: String,
    updated_by: String,
    source: EntrySource,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<RevisionAction>,
}

impl EntryRecord {
    pub(in crate::store) fn live(entry: &WikiEntry, create_token: &str, write_token: &str) -> Self {
        Self {
            path: entry.path.clone(),
            version: entry.version,
            deleted: false,
            deleted_at: None,
            deleted_by: None,
            create_token: create_token.to_owned(),
            write_token: write_token.to_owned(),
            card: Some(EntryCard::of(entry)),
            entry: Some(TextRecord {
                title: entry.title.clone(),
                content: entry.content.clone(),
                visibility: entry.visibility,
                tags: entry.tags.clone(),
                created_at: entry.created_at,
                updated_at: entry.updated_at,
                created_by: entry.created_by.clone(),
                updated_by: entry.updated_by.clone(),
                source: entry.source.clone(),
                action: entry.action,
            }),
        }
    }

    /// The record of `last` after its deletion: path and version, no text.
    pub(in crate::store) fn tombstone(last: &Self, (at, by): (Timestamp, &str), write_token: &str) -> Self {
        Self {
            path: last.path.clone(),
            version: last.version + 1,
            deleted: true,
            deleted_at: Some(at),
            deleted_by: Some(by.to_owned()),
            create_token: last.create_token.clone(),
            write_token: write_token.to_owned(),
            entry: None,
            card: None,
        }
    }

    /// The record of a deleted path of which nothing else is known.
    pub(super) fn deleted(path: WikiPath, deleted: &DeletedEntry) -> Self {
        Self {
            path,
            version: deleted.version,
            deleted: true,
            deleted_at: Some(deleted.at),
            deleted_by: deleted.by.clone(),
            create_token: String::new(),
            write_token: String::new(),
            entry: None,
            card: None,
        }
    }

    pub(in crate::store) const fn is_live(&self) -> bool {
        self.entry.is_some() && !self.deleted
    }

    pub(in crate::store) fn into_entry(self) -> Option<WikiEntry> {
        let Self { path, version, deleted: false, entry: Some(text), .. } = self else { return None };
        Some(WikiEntry {
            path,
            version,
            title: text.title,
            content: text.content,
            visibility: text.visibility,
            tags: text.tags,
            created_at: text.created_at,
            updated_at: text.updated_at,
            created_by: text.created_by,
            updated_by: text.updated_by,
            source: text.source,
            action: text.action,
        })
    }
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
