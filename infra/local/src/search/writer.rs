//! The one writer. Changes that arrive while it commits wait in its queue and become the next commit
//! together, so many writers at once cost few commits; each is answered once its change is searchable.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;

use tantivy::indexer::{LogMergePolicy, UserOperation};
use tantivy::{IndexReader, IndexWriter};
use tokio::sync::oneshot;

use super::schema::{Block, Fields};
use super::state::{Known, State};

/// Changes in one commit, at most.
const BATCH: usize = 256;

/// One change, and who waits for it.
#[derive(Debug)]
pub(super) struct Change {
    /// `tenant#mode`.
    pub(super) scope: String,
    /// The entry's path.
    pub(super) path: String,
    /// The entry's version.
    pub(super) version: u64,
    /// What takes the path's place.
    pub(super) block: Block,
    /// Told when the change is searchable, or why it is not.
    pub(super) done: oneshot::Sender<Result<(), String>>,
}

/// The writer's thread; ends with the last change once this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    changes: Option<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(
        index: IndexWriter,
        reader: IndexReader,
        fields: Fields,
        state: Arc<RwLock<State>>,
    ) -> std::io::Result<Self> {
        index.set_merge_policy(Box::new(merges()));
        let (changes, queue) = channel();
        let next_block = state.read().unwrap_or_else(PoisonError::into_inner).next_block();
        let mut work = Work { index, reader, fields, state, next_block };
        let thread = std::thread::Builder::new().name("wiki-index".to_owned()).spawn(move || work.run(&queue))?;
        Ok(Self { changes: Some(changes), thread: Some(thread) })
    }

    /// Queues a change; false where the writer has ended.
    pub(super) fn submit(&self, change: Change) -> bool {
        self.changes.as_ref().is_some_and(|changes| changes.send(change).is_ok())
    }

    /// Whether changes are still taken.
    pub(super) fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

/// Merges early and in few sizes: by default every segment of less than 10,000 documents is rewritten at each eighth
/// commit.
fn merges() -> LogMergePolicy {
    let mut merges = LogMergePolicy::default();
    merges.set_min_num_segments(4);
    merges.set_min_layer_size(64);
    merges.set_level_log_size(3.0);
    merges.set_del_docs_ratio_before_merge(0.3);
    merges
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.changes = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Work {
    index: IndexWriter,
    reader: IndexReader,
    fields: Fields,
    state: Arc<RwLock<State>>,
    next_block: u64,
}

/// What a commit will have written, by (scope, path).
type Written = HashMap<(String, String), Known>;

impl Work {
    fn run(&mut self, queue: &Receiver<Change>) {
        while let Ok(first) = queue.recv() {
            let batch: Vec<Change> = std::iter::once(first).chain(queue.try_iter()).take(BATCH).collect();
            let (changes, waiting): (Vec<_>, Vec<_>) =
                batch.into_iter().map(|c| ((c.scope, c.path, c.version, c.block), c.done)).unzip();
            let outcome = self.commit(changes).map_err(|e| {
                let _ = self.index.rollback();
                e.to_string()
            });
            for done in waiting {
                let _ = done.send(outcome.clone());
            }
        }
    }

    fn commit(&mut self, changes: Vec<(String, String, u64, Block)>) -> tantivy::Result<()> {
        let mut written = Written::new();
        for (scope, path, version, block) in changes {
            self.write(&mut written, scope, path, version, block)?;
        }
        if written.is_empty() {
            return Ok(());
        }
        self.index.commit()?;
        self.reader.reload()?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.publish(self.reader.searcher(), written.into_iter().map(|((scope, path), known)| (scope, path, known)));
        Ok(())
    }

    /// Adds one change to the commit, unless the index or the commit already holds as new a version.
    fn write(
        &mut self,
        written: &mut Written,
        scope: String,
        path: String,
        version: u64,
        block: Block,
    ) -> tantivy::Result<()> {
        let place = (scope, path);
        let indexed = self.state.read().unwrap_or_else(PoisonError::into_inner).version(&place.0, &place.1);
        let held = written.get(&place).map(|known| known.version).or(indexed);
        if held.is_some_and(|held| held >= version) {
            return Ok(());
        }
        let number = self.next_block;
        self.next_block += 1;
        let counts = block.counts;
        let operations: Vec<UserOperation> = block.replace(&self.fields, &format!("{}#{}", place.0, place.1), number);
        self.index.run(operations)?;
        written.insert(place, Known { block: number, version, counts });
        Ok(())
    }
}
