//! Wiki entries and their paths.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::{IngestId, Timestamp, wire_enum};

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

/// A path of 2-8 segments `[A-Za-z0-9][A-Za-z0-9._-]{0,99}`, at most 512 characters, case kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct WikiPath(String);

/// Why a text is no path, for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidWikiPath(pub &'static str);

impl WikiPath {
    /// Reads a path; nothing is trimmed, decoded or folded.
    pub fn parse(text: &str) -> Result<Self, InvalidWikiPath> {
        if text.len() > 512 {
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

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntrySource {
    /// A person or a job.
    #[serde(rename = "type")]
    pub source_type: SourceType,
    /// The job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest_id: Option<IngestId>,
    /// The page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A wiki entry, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiEntry {
    /// Its name within the tenant and mode.
    pub path: WikiPath,
    /// 1-200 characters.
    pub title: String,
    /// 1-200,000 characters, at most 300 KiB; Markdown or plain text.
    pub content: String,
    /// Who may read it.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_judged_at_their_limits() {
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
}
