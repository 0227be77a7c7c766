//! The position up to which the stream is handled, in a file of the data folder.
//!
//! The file is replaced by a rename, so it is whole after a crash. It may lag a moment: records after it are handled
//! again, which changes nothing. An unreadable file counts as none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::progress::Progress;
use crate::data_dir::write_without_sync;

/// How often the file is written at most.
const PERIOD: Duration = Duration::from_millis(100);

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

/// Writes the file whenever progress was made.
#[derive(Debug)]
pub(super) struct CheckpointWriter {
    file: PathBuf,
    progress: Arc<Progress>,
    saved: watch::Sender<Checkpoint>,
}

impl CheckpointWriter {
    pub(super) fn new(file: PathBuf, progress: Arc<Progress>, saved: watch::Sender<Checkpoint>) -> Self {
        Self { file, progress, saved }
    }

    /// Writes until it is stopped.
    pub(super) async fn run(&self, mut stopped: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = self.progress.changed() => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
            self.save().await;
            tokio::select! {
                () = tokio::time::sleep(PERIOD) => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Writes how far it is now, unless the file says so already.
    pub(super) async fn save(&self) {
        let now = self.progress.checkpoint();
        if now == *self.saved.borrow() {
            return;
        }
        let (path, text) = (self.file.clone(), serde_json::to_vec(&now).unwrap_or_default());
        match tokio::task::spawn_blocking(move || write_without_sync(&path, &text)).await {
            Ok(Ok(())) => {
                self.saved.send_replace(now);
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "failed to write the stream's checkpoint; after a crash more records are handled again")
            }
            Err(_) => {}
        }
    }
}
