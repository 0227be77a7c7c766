//! Wiki entries, their paths, and entries as callers read them.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use text::{sanitise, wire_enum};

use crate::models::{IngestId, Timestamp};
use crate::wire::Viewer;

/// How many versions of a path that were replaced or deleted are kept: the newest.
pub const MAX_REVISIONS: u64 = 1_000;

wire_enum! {
    /// Who may read an entry.
    pub enum Visibility {
        /// The tenant's people and servers.
        Internal => "internal",
        /// Customers too.
        Public => "public",
    }
}

wire_enum! {
    /// Where an entry comes from.
    pub enum SourceType {
        /// A person or a server wrote it.
        Manual => "manual",
        /// An ingest job made it.
        Ingest => "ingest",
    }
}

wire_enum! {
    /// The action that made a version of a path.
    pub enum RevisionAction {
        /// The path held nothing, and an entry was created.
        Created => "created",
        /// The entry was changed.
        Updated => "updated",
        /// The entry was deleted.
        Deleted => "deleted",
        /// An older version was restored.
        Restored => "restored",
    }
}

/// A path of 2-8 segments `[A-Za-z0-9][A-Za-z0-9._-]{0,99}`, at most 512 characters, case kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct WikiPath(String);

/// Why a text is not a path, as a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidWikiPath(pub &'static str);

impl WikiPath {
    /// The longest path.
    pub const MAX_BYTES: usize = 512;

    /// Reads a path; nothing is trimmed, decoded or folded.
    pub fn parse(text: &str) -> Result<Self, InvalidWikiPath> {
        if text.len() > Self::MAX_BYTES {
            return Err(InvalidWikiPath("must be at most 512 characters"));
        }
        let segments = text.split('/').count();
        if !(2..=8).contains(&segments) {
            return Err(InvalidWikiPath("must have 2 to 8 segments separated by slashes"));
        }
        if !text.split('/').all(is_segment) {
            return Err(InvalidWikiPath(
                "each segment must begin with a letter or digit and have at most 100 letters, digits, dots, underscores and hyphens",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for WikiPath {
    fn schema_name() -> Cow<'static, str> {
        "WikiPath".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        path_schema(
            "The name of a wiki entry: 2-8 segments separated by slashes, case kept.",
            &format!("^{SEGMENT}(/{SEGMENT}){{1,7}}$"),
            Self::MAX_BYTES,
            "billing/refunds",
        )
    }
}

/// A segment of a path, see [`is_segment`], as a regular expression of ECMA-262.
const SEGMENT: &str = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

fn path_schema(description: &str, pattern: &str, max: usize, example: &str) -> Schema {
    json_schema!({
        "type": "string", "description": description, "pattern": pattern, "maxLength": max, "examples": [example],
    })
}

fn is_segment(segment: &str) -> bool {
    segment.len() <= 100
        && segment.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && segment.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

impl fmt::Display for WikiPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for WikiPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|e| serde::de::Error::custom(e.0))
    }
}

/// The beginning of the paths of a job's entries: 1-7 segments of a [`WikiPath`], at most 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct PathPrefix(String);

impl JsonSchema for PathPrefix {
    fn schema_name() -> Cow<'static, str> {
        "PathPrefix".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        path_schema(
            "The beginning of the paths of a job's entries: 1-7 segments, without a slash at its end.",
            &format!("^{SEGMENT}(/{SEGMENT}){{0,6}}$"),
            Self::MAX_BYTES,
            "ingested/opening-hours",
        )
    }
}

impl<'de> Deserialize<'de> for PathPrefix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(|e| serde::de::Error::custom(e.0))
    }
}

impl PathPrefix {
    /// The longest prefix: what comes after it must fit, and a job's item holds hundreds of paths.
    pub const MAX_BYTES: usize = 200;

    /// Reads a prefix; nothing is trimmed, decoded or folded.
    pub fn parse(text: &str) -> Result<Self, InvalidWikiPath> {
        if text.len() > Self::MAX_BYTES {
            return Err(InvalidWikiPath("must be at most 200 characters"));
        }
        // A prefix is what a path becomes by one more segment.
        match WikiPath::parse(&format!("{text}/x")) {
            Ok(_) => Ok(Self(text.to_owned())),
            Err(_) => Err(InvalidWikiPath(
                "must have 1 to 7 segments separated by slashes, each beginning with a letter or digit, of at most 100 letters, digits, dots, underscores and hyphens",
            )),
        }
    }

    /// The prefix as text, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of `slug` under it; none if that is not a path.
    #[must_use]
    pub fn path(&self, slug: &str) -> Option<WikiPath> {
        WikiPath::parse(&format!("{}/{slug}", self.0)).ok()
    }
}

/// Where an entry comes from.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntrySource {
    /// A person or a job.
    #[serde(rename = "type")]
    pub source_type: SourceType,
    /// The job.
    pub ingest_id: Option<IngestId>,
    /// The page.
    pub url: Option<String>,
}

impl EntrySource {
    /// A person.
    pub const MANUAL: Self = Self { source_type: SourceType::Manual, ingest_id: None, url: None };
}

/// A wiki entry, as the indexes keep it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WikiEntry {
    /// Its name within the tenant and mode.
    pub path: WikiPath,
    /// 1-200 characters.
    pub title: String,
    /// 1-200,000 characters, at most 300 KiB; Markdown or plain text.
    pub content: String,
    /// The people who may read it.
    pub visibility: Visibility,
    /// As given.
    pub tags: Vec<String>,
    /// Counts every change of this path, over deletions too.
    pub version: u64,
    /// When this path was (last) created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The key that created it.
    pub created_by: String,
    /// The key that last changed it.
    pub updated_by: String,
    /// Where it comes from.
    pub source: EntrySource,
    /// The action that made this version; none of one that an earlier release wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RevisionAction>,
}

impl WikiEntry {
    /// An entry that `by` begins by hand at `now`, in version 0: internal, without a text.
    #[must_use]
    pub fn begun(path: WikiPath, by: &str, now: Timestamp) -> Self {
        Self {
            path,
            title: String::new(),
            content: String::new(),
            visibility: Visibility::Internal,
            tags: Vec::new(),
            version: 0,
            created_at: now,
            updated_at: now,
            created_by: by.to_owned(),
            updated_by: by.to_owned(),
            source: EntrySource::MANUAL,
            action: None,
        }
    }

    /// Whether title, content, visibility and tags are those of `other`.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        self.title == other.title
            && self.content == other.content
            && self.visibility == other.visibility
            && self.tags == other.tags
    }

    /// The action that made this version.
    #[must_use]
    pub fn made_by(&self) -> RevisionAction {
        let is_new = self.created_at == self.updated_at;
        self.action.unwrap_or(if is_new { RevisionAction::Created } else { RevisionAction::Updated })
    }
}

/// An entry as lists show it: an excerpt in place of the content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryCard {
    /// Its name.
    pub path: WikiPath,
    /// Its title.
    pub title: String,
    /// The first [`EntryCard::EXCERPT_CHARS`] characters of its content.
    pub excerpt: String,
    /// Whether the content continues after the excerpt.
    pub content_truncated: bool,
    /// The people who may read it.
    pub visibility: Visibility,
    /// As given.
    pub tags: Vec<String>,
    /// The entry's version.
    pub version: u64,
    /// When the path was (last) created.
    pub created_at: Timestamp,
    /// When the entry last changed.
    pub updated_at: Timestamp,
    /// The key that created it.
    pub created_by: String,
    /// The key that last changed it.
    pub updated_by: String,
    /// Where it comes from.
    pub source: EntrySource,
}

impl EntryCard {
    /// How many characters of content a list shows.
    pub const EXCERPT_CHARS: usize = 2_000;

    /// The card of an entry.
    #[must_use]
    pub fn of(entry: &WikiEntry) -> Self {
        let end = entry.content.char_indices().nth(Self::EXCERPT_CHARS).map(|(at, _)| at);
        let excerpt = end.and_then(|end| entry.content.get(..end)).unwrap_or(&entry.content);
        Self {
            path: entry.path.clone(),
            title: entry.title.clone(),
            excerpt: excerpt.to_owned(),
            content_truncated: end.is_some(),
            visibility: entry.visibility,
            tags: entry.tags.clone(),
            version: entry.version,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            created_by: entry.created_by.clone(),
            updated_by: entry.updated_by.clone(),
            source: entry.source.clone(),
        }
    }
}

/// A wiki entry.
#[serde_with::skip_serializing_none]
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
    created_by: Option<String>,
    /// The key that last changed it; for keys only.
    updated_by: Option<String>,
    /// Where it comes from; for keys only.
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
        let card = EntryCard::of(&entry);
        Self { content: entry.content, ..Self::of_list(card, viewer) }
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
            created_by: viewer.staff_details.then_some(card.created_by),
            updated_by: viewer.staff_details.then_some(card.updated_by),
            source: viewer.staff_details.then_some(card.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_exact_limits() {
        let segment = "a".repeat(100);
        for good in ["a/b", "Billing/refunds.v2", "a/b/c/d/e/f/g/h", &format!("a/{segment}"), "0/9_-."] {
            assert!(WikiPath::parse(good).is_ok(), "{good}");
        }
        let long = [segment.as_str(); 6].join("/");
        for bad in [
            "",
            "a",
            "a/",
            "/a/b",
            "a//b",
            "a/b/c/d/e/f/g/h/i",
            &format!("a/{segment}a"),
            "a/-b",
            "a/.b",
            "a/..",
            "a/b c",
            "a/é",
            "a/b#c",
            &long,
        ] {
            assert!(WikiPath::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_card_cuts_between_characters_and_says_so() {
        let at = Timestamp::from_millis(0);
        let entry = |content: String| WikiEntry {
            path: WikiPath::parse("a/b").unwrap(),
            title: "T".into(),
            content,
            visibility: Visibility::Public,
            tags: Vec::new(),
            version: 1,
            created_at: at,
            updated_at: at,
            created_by: "k".into(),
            updated_by: "k".into(),
            source: EntrySource::MANUAL,
            action: None,
        };
        let whole = EntryCard::of(&entry("é".repeat(2_000)));
        assert_eq!((whole.excerpt.chars().count(), whole.content_truncated), (2_000, false));
        let cut = EntryCard::of(&entry("é".repeat(2_001)));
        assert_eq!((cut.excerpt.chars().count(), cut.content_truncated), (2_000, true));
    }

    #[test]
    fn a_prefix_is_what_one_more_segment_makes_a_path() {
        for good in ["a", "ingested/help.example.com", "a/b/c/d/e/f/g"] {
            assert!(PathPrefix::parse(good).unwrap().path("x").is_some(), "{good}");
        }
        for bad in ["", "/a", "a/", "a//b", "a b", "é", "a/b/c/d/e/f/g/h", &"a/".repeat(101)] {
            assert!(PathPrefix::parse(bad).is_err(), "{bad}");
        }
    }
}
