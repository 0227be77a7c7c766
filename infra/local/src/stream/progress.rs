//! The records that were read and are not handled yet, and the resulting checkpoint: in each shard, the position before
//! the first unhandled one.
//!
//! The checkpoint is in a file of the data folder, which is replaced by a rename, so it is whole after a crash. It may lag a
//! moment: records after it are handled again, which changes nothing. An unreadable file counts as none.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use support::table::stream::Record;
use tokio::sync::{Notify, watch};

use crate::data_dir::write_without_sync;

/// The progress of one stream.
#[derive(Debug)]
pub(super) struct Progress {
    state: Mutex<State>,
    activity: AtomicU64,
    changed: Notify,
    handled: Notify,
}

#[derive(Debug)]
struct State {
    checkpoint: Checkpoint,
    shards: HashMap<Arc<str>, ShardProgress>,
    outstanding: usize,
}

/// The records read of one shard, from the first unhandled one on.
#[derive(Debug, Default)]
struct ShardProgress {
    /// The number of the first record.
    first: u64,
    /// Sequence numbers, each with whether it is handled.
    records: VecDeque<(String, bool)>,
    /// The last sequence number that was read.
    last: Option<String>,
    /// The shard is closed and fully read.
    closed: bool,
}

/// The position of a record that is to be handled.
#[derive(Debug)]
pub(super) struct RecordPosition {
    shard: Arc<str>,
    number: u64,
}

impl Progress {
    pub(super) fn from(checkpoint: Checkpoint) -> Self {
        Self {
            state: Mutex::new(State { checkpoint, shards: HashMap::new(), outstanding: 0 }),
            activity: AtomicU64::new(0),
            changed: Notify::new(),
            handled: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds records that were read of a shard; returns those that are to be handled.
    pub(super) fn read(&self, shard: &Arc<str>, records: Vec<Record>) -> Vec<(RecordPosition, Record)> {
        // An empty read is not activity: `wait_until_idle` causes such reads.
        if records.is_empty() {
            return Vec::new();
        }
        let mut state = self.state();
        let reads = state.shards.entry(Arc::clone(shard)).or_default();
        let mut positions = Vec::new();
        for record in records {
            let number = reads.first + reads.records.len() as u64;
            reads.last = Some(record.sequence.clone());
            reads.records.push_back((record.sequence.clone(), !record.is_consumed()));
            if record.is_consumed() {
                positions.push((RecordPosition { shard: Arc::clone(shard), number }, record));
            }
        }
        state.outstanding += positions.len();
        state.advance_checkpoint(shard);
        drop(state);
        self.notify_changed();
        positions
    }

    /// Marks a record as handled.
    pub(super) fn mark_handled(&self, position: &RecordPosition) {
        let mut state = self.state();
        if let Some(reads) = state.shards.get_mut(&position.shard) {
            let index = usize::try_from(position.number.saturating_sub(reads.first)).unwrap_or(usize::MAX);
            if let Some((_, handled)) = reads.records.get_mut(index) {
                *handled = true;
            }
        }
        state.outstanding = state.outstanding.saturating_sub(1);
        state.advance_checkpoint(&position.shard);
        drop(state);
        self.notify_changed();
        self.handled.notify_waiters();
    }

    /// Marks a shard as closed and fully read.
    pub(super) fn close(&self, shard: &Arc<str>) {
        let mut state = self.state();
        state.shards.entry(Arc::clone(shard)).or_default().closed = true;
        state.advance_checkpoint(shard);
        drop(state);
        self.notify_changed();
    }

    /// Drops shards that the stream no longer has.
    pub(super) fn retain(&self, known: impl Fn(&str) -> bool) {
        self.state().checkpoint.shards.retain(|shard, _| known(shard));
    }

    /// The checkpoint of one shard.
    pub(super) fn position(&self, shard: &str) -> Option<ShardPosition> {
        self.state().checkpoint.shards.get(shard).cloned()
    }

    /// The last record that was read of a shard, by this process or an earlier one.
    pub(super) fn last_read(&self, shard: &str) -> Option<String> {
        let state = self.state();
        let read = state.shards.get(shard).and_then(|reads| reads.last.clone());
        read.or_else(|| match state.checkpoint.shards.get(shard) {
            Some(ShardPosition::After(sequence)) => Some(sequence.clone()),
            Some(ShardPosition::Ended) | None => None,
        })
    }

    /// Whether a shard is closed and fully read.
    pub(super) fn is_closed(&self, shard: &str) -> bool {
        self.state().shards.get(shard).is_some_and(|reads| reads.closed)
    }

    /// The checkpoint of all shards.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        self.state().checkpoint.clone()
    }

    /// The number of records that are read and not handled.
    pub(super) fn outstanding(&self) -> usize {
        self.state().outstanding
    }

    /// A counter that grows with every record that is read or handled.
    pub(super) fn activity(&self) -> u64 {
        self.activity.load(Ordering::SeqCst)
    }

    /// Waits until fewer than `few` records are outstanding.
    pub(super) async fn wait_below(&self, few: usize) {
        loop {
            let handled = self.handled.notified();
            tokio::pin!(handled);
            // Registered before the check, so that a notification between check and wait is not lost.
            handled.as_mut().enable();
            if self.outstanding() < few {
                return;
            }
            handled.await;
        }
    }

    fn notify_changed(&self) {
        self.activity.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_one();
    }

    /// Waits for the next change of the progress.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

impl State {
    /// Advances a shard's checkpoint to the first unhandled record.
    fn advance_checkpoint(&mut self, shard: &Arc<str>) {
        let Some(reads) = self.shards.get_mut(shard) else { return };
        let mut handled_to = None;
        while reads.records.front().is_some_and(|(_, handled)| *handled) {
            handled_to = reads.records.pop_front().map(|(sequence, _)| sequence);
            reads.first += 1;
        }
        if reads.closed && reads.records.is_empty() {
            self.checkpoint.shards.insert(shard.to_string(), ShardPosition::Ended);
        } else if let Some(sequence) = handled_to {
            self.checkpoint.shards.insert(shard.to_string(), ShardPosition::After(sequence));
        }
    }
}

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

    /// The sequence number up to which everything is handled, for a stream with exactly one shard.
    pub(crate) fn only_sequence(&self) -> Option<&str> {
        match self.shards.values().collect::<Vec<_>>().as_slice() {
            [ShardPosition::After(sequence)] => Some(sequence),
            _ => None,
        }
    }
}

/// The minimum time between two writes of the file.
const PERIOD: Duration = Duration::from_millis(100);

/// Writes the checkpoint file after progress.
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

    /// Writes the positions, unless the file has them already.
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
                tracing::warn!(error = %error, "failed to write the stream's checkpoint; after a crash more records are handled again")
            }
            Err(_) => {}
        }
    }
}
