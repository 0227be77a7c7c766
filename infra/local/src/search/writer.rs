//! The one writer. Changes that arrive during a commit wait in its queue and form the next commit, so many concurrent
//! writers cause few commits. Each call returns when its change is searchable.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;

use tantivy::indexer::{LogMergePolicy, UserOperation};
use tantivy::{IndexReader, IndexWriter, Term};
use tokio::sync::oneshot;

use super::counts::count;
use super::schema::{Block, Fields};
use super::state::{IndexedEntryState, Published, State};

/// The maximum number of changes in one commit.
const BATCH: usize = 256;

/// One change.
#[derive(Debug)]
pub(super) struct Change {
    /// `tenant#mode`.
    pub(super) scope: String,
    /// The entry's path.
    pub(super) path: String,
    /// The entry's version.
    pub(super) version: u64,
    /// The new block of the path.
    pub(super) block: Block,
    /// Also replaces the same version.
    pub(super) replace_same_version: bool,
}

/// Where the caller waits for the result.
type Reply<T> = oneshot::Sender<Result<T, String>>;

/// A task for the writer.
#[derive(Debug)]
enum Task {
    Write(Box<Change>, Reply<()>),
    /// Removes the tombstones older than a time, in milliseconds since 1970 UTC; returns how many.
    Purge(i64, Reply<u64>),
}

/// The writer's thread. It ends after the queued changes when this is closed or dropped.
#[derive(Debug)]
pub(super) struct Writer {
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
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
        let (tasks, queue) = channel();
        let next_block = state.read().unwrap_or_else(PoisonError::into_inner).next_block();
        let mut work = WriterThread { index, reader, fields, state, next_block };
        let thread = std::thread::Builder::new().name("wiki-index".to_owned()).spawn(move || work.run(&queue))?;
        Ok(Self { running: Mutex::new(Some(Running { tasks, thread })) })
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a change; false when the writer has stopped.
    pub(super) fn submit(&self, change: Change, done: Reply<()>) -> bool {
        self.send(Task::Write(Box::new(change), done))
    }

    /// Queues the removal of tombstones older than `before`, in milliseconds since 1970 UTC; false when stopped.
    pub(super) fn purge(&self, before: i64, done: Reply<u64>) -> bool {
        self.send(Task::Purge(before, done))
    }

    fn send(&self, task: Task) -> bool {
        self.running().as_ref().is_some_and(|running| running.tasks.send(task).is_ok())
    }

    /// Whether the writer takes changes.
    pub(super) fn is_running(&self) -> bool {
        self.running().as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// Takes no more changes; returns when the queued ones are written and the folder is free.
    pub(super) fn close(&self) {
        let Some(Running { tasks, thread }) = self.running().take() else { return };
        drop(tasks);
        let _ = thread.join();
    }
}

/// Merges early and in few sizes: by default every segment of fewer than 10,000 documents is rewritten at each eighth
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
        self.close();
    }
}

struct WriterThread {
    index: IndexWriter,
    reader: IndexReader,
    fields: Fields,
    state: Arc<RwLock<State>>,
    next_block: u64,
}

/// The blocks of a commit, by scope and path.
type Written = HashMap<(String, String), Published>;

impl WriterThread {
    fn run(&mut self, queue: &Receiver<Task>) {
        while let Ok(first) = queue.recv() {
            let mut changes = Vec::new();
            for task in std::iter::once(first).chain(queue.try_iter()).take(BATCH) {
                match task {
                    Task::Write(change, done) => changes.push((*change, done)),
                    Task::Purge(before, done) => {
                        self.write_all(std::mem::take(&mut changes));
                        let outcome = self.purge(before);
                        let _ = done.send(self.rollback_on_error(outcome));
                    }
                }
            }
            self.write_all(changes);
        }
    }

    fn write_all(&mut self, changes: Vec<(Change, Reply<()>)>) {
        let (changes, waiting): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let outcome = self.commit(changes);
        let outcome = self.rollback_on_error(outcome);
        for done in waiting {
            let _ = done.send(outcome.clone());
        }
    }

    /// Rolls back after an error, so that nothing of it is in the next commit.
    fn rollback_on_error<T>(&mut self, outcome: tantivy::Result<T>) -> Result<T, String> {
        outcome.map_err(|e| {
            let _ = self.index.rollback();
            e.to_string()
        })
    }

    fn purge(&mut self, before: i64) -> tantivy::Result<u64> {
        let old = self.state.read().unwrap_or_else(PoisonError::into_inner).deleted_before(before);
        if old.is_empty() {
            return Ok(0);
        }
        for (scope, path) in &old {
            self.index.delete_term(Term::from_field_text(self.fields.key, &format!("{scope}#{path}")));
        }
        self.index.commit()?;
        self.reader.reload()?;
        self.state.write().unwrap_or_else(PoisonError::into_inner).remove(self.reader.searcher(), &old);
        Ok(count(old.len()))
    }

    fn commit(&mut self, changes: Vec<Change>) -> tantivy::Result<()> {
        let mut written = Written::new();
        for change in changes {
            self.write(&mut written, change)?;
        }
        if written.is_empty() {
            return Ok(());
        }
        self.index.commit()?;
        self.reader.reload()?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.publish(self.reader.searcher(), written);
        Ok(())
    }

    /// Adds a change to the commit, unless the index or the commit has a newer version.
    fn write(&mut self, written: &mut Written, change: Change) -> tantivy::Result<()> {
        let Change { scope, path, version, mut block, replace_same_version } = change;
        let key = (scope, path);
        let indexed = self.state.read().unwrap_or_else(PoisonError::into_inner).version(&key.0, &key.1);
        let current = written.get(&key).map(|published| published.known.version).or(indexed);
        if current.is_some_and(|current| current > version || (current == version && !replace_same_version)) {
            return Ok(());
        }
        let number = self.next_block;
        self.next_block += 1;
        let vectors = block.vectors.take();
        let Block { visibility, counts, deleted_at, .. } = block;
        let known = IndexedEntryState { block: number, version, visibility, counts, deleted_at };
        let operations: Vec<UserOperation> = block.replace(&self.fields, &format!("{}#{}", key.0, key.1), number);
        self.index.run(operations)?;
        written.insert(key, Published { known, vectors });
        Ok(())
    }
}
