//! The position up to which the stream is handled, in a file of the data folder.
//!
//! The file is replaced by a rename, so it is whole after a crash. It may lag a moment: records after it are handled
//! again, which changes nothing. An unreadable file counts as none.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// How far each shard is handled.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checkpoint {
    /// The stream that it is of.
    stream: String,
    shards: BTreeMap<String, ShardPosition>,
}

/// How far one shard is handled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ShardPosition {
    /// Up to this sequence number.
    After(String),
    /// To its end.
    Ended,
}

impl Checkpoint {
    /// What the file says of `stream`; nothing handled yet where it says nothing.
    pub(super) fn read(file: &Path, stream: &str) -> Self {
        let empty = Self { stream: stream.to_owned(), shards: BTreeMap::new() };
        let Ok(text) = std::fs::read(file) else { return empty };
        match serde_json::from_slice::<Self>(&text) {
            Ok(saved) if saved.stream == stream => saved,
            Ok(_) => empty,
            Err(error) => {
                tracing::warn!(%error, "failed to read the stream's checkpoint; all records of the stream are handled again");
                empty
            }
        }
    }

    /// How far a shard is handled.
    pub(super) fn position(&self, shard: &str) -> Option<&ShardPosition> {
        self.shards.get(shard)
    }

    /// Notes how far a shard is handled.
    pub(super) fn set(&mut self, shard: &str, place: ShardPosition) {
        self.shards.insert(shard.to_owned(), place);
    }

    /// Forgets shards that the stream no longer has.
    pub(super) fn retain(&mut self, known: impl Fn(&str) -> bool) {
        self.shards.retain(|shard, _| known(shard));
    }

    /// The sequence number up to which everything is handled, of a stream with one shard only.
    pub(crate) fn only_sequence(&self) -> Option<&str> {
        match self.shards.values().collect::<Vec<_>>().as_slice() {
            [ShardPosition::After(sequence)] => Some(sequence),
            _ => None,
        }
    }
}
