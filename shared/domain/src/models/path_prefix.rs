//! Where an ingest job puts its entries.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};

use super::wiki::{SEGMENT, path_schema};
use super::{InvalidWikiPath, WikiPath};

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
