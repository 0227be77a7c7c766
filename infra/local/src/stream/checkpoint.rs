//! The position up to which the stream is handled, in a file of the data folder.
//!
//! The file is replaced by a rename, so it is whole after a crash. It may lag a moment: records after it are handled
//! again, which changes nothing. An unreadable file counts as none.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The checkpoint of each shard.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checkpoint {
    /// The ARN of the stream.
    stream: String,
    shards: BTreeMap<String, ShardPosition>,
}

/// The checkpoint of one shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ShardPosition {
    /// Handled up to this sequence number.
    After(String),
    /// Handled to its end.
    Ended,
}

impl Checkpoint {
    /// Reads the file; empty if it is missing, unreadable or of another stream.
    pub(super) fn read(file: &Path, stream: &str) -> Self {
        let empty = Self { stream: stream.to_owned(), shards: BTreeMap::new() };
        let Ok(text) = std::fs::read(file) else { return empty };
        match serde_json::from_slice::<Self>(&text) {
            Ok(saved) if saved.stream == stream => saved,
            Ok(_) => empty,
            Err(error) => {
                tracing::warn!(error = %error, "failed to read the stream's checkpoint; all records of the stream are handled again");
                empty
            }
        }
    }

    /// The checkpoint of a shard.
    pub(super) fn position(&self, shard: &str) -> Option<&ShardPosition> {
        self.shards.get(shard)
    }

    /// Sets the checkpoint of a shard.
    pub(super) fn set(&mut self, shard: &str, place: ShardPosition) {
        self.shards.insert(shard.to_owned(), place);
    }

    /// Drops shards that the stream no longer has.
    pub(super) fn retain(&mut self, known: impl Fn(&str) -> bool) {
        self.shards.retain(|shard, _| known(shard));
    }

    /// The sequence number up to which everything is handled, for a stream with exactly one shard.
    pub(crate) fn only_sequence(&self) -> Option<&str> {
        match self.shards.values().collect::<Vec<_>>().as_slice() {
            [ShardPosition::After(sequence)] => Some(sequence),
            _ => None,
        }
    }
}
