//! A knowledge gap: a question that the wiki does not answer.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use super::{MessageId, NamedId, SessionId, Timestamp, WikiPath, wire_enum};

wire_enum! {
    /// Whether the wiki answers it now, or need not.
    pub enum GapStatus {
        /// It does not.
        Open => "open",
        /// A later entry does.
        Resolved => "resolved",
        /// It need not: a trainer dismissed it.
        Dismissed => "dismissed",
    }
}

/// A gap's id, made from the meaning of the question, so that the same question has the same one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct GapId(String);

impl JsonSchema for GapId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GapId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The id of a question that the wiki does not answer; the same question has the same one.",
            "pattern": "^gap_[0-9a-f]{32}$",
            "examples": ["gap_0123456789abcdef0123456789abcdef"],
        })
    }
}

impl NamedId for GapId {
    fn named(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|| Self::of_hash(&"0".repeat(32)))
    }
}

impl GapId {
    /// The id of a meaning, given as the lower-case hex of a hash of it.
    #[must_use]
    pub fn of_hash(hex: &str) -> Self {
        Self(format!("gap_{}", hex.get(..32).unwrap_or(hex)))
    }

    /// Reads an id: the prefix and 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("gap_")?;
        let sound = hex.len() == 32 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        sound.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for GapId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom("not the id of a gap"))
    }
}

impl fmt::Display for GapId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a customer put it; personal data is masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapExample {
    /// Where the question was asked.
    pub session_id: SessionId,
    /// The customer's message.
    pub message_id: MessageId,
    /// When.
    pub asked_at: Timestamp,
    /// Masked, and cut at 500 characters.
    pub text: String,
}

/// An entry as it was at one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryVersion {
    /// Its path.
    pub path: WikiPath,
    /// Its version.
    pub version: u64,
}

/// The entry nearest to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearestEntry {
    /// Its path.
    pub path: WikiPath,
    /// How likely the answer is in this entry.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
}

/// A gap, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// Its name.
    pub gap_id: GapId,
    /// How often the question was asked.
    pub count: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// When it was first asked.
    pub first_seen_at: Timestamp,
    /// When it was last asked.
    pub last_seen_at: Timestamp,
    /// The first wording; none if the sessions of all of them are erased.
    pub query: Option<GapExample>,
    /// The nearest entry when it was last asked.
    pub nearest: Option<NearestEntry>,
    /// The entries that were found when a customer last asked, and were no answer.
    pub known: Vec<EntryVersion>,
    /// Asked in sessions of channel `widget`.
    pub by_widget: bool,
    /// Asked in sessions of other channels.
    pub by_others: bool,
    /// Whether the wiki answers it by now, or need not.
    pub status: GapStatus,
    /// Since when it does; there while `status` is `resolved`.
    pub resolved_at: Option<Timestamp>,
    /// The entry that does.
    pub resolved_by: Option<EntryVersion>,
    /// Counts every change.
    pub version: u64,
}
