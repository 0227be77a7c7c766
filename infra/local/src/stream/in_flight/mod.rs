//! The changes that are being handled, recorded so that the next start knows what ended a process.
//!
//! A change that always fails is retried and becomes a dead letter elsewhere. One that ends the process (by an abort, a
//! stack overflow or too much memory) would come back at each start and end it again. So its name is written to the
//! `log` before it is handled. A change without an end there at the next start goes to the `quarantine`: it is handled
//! alone, one step at a time, mostly while no other batch, message or sweep is handled. A step that ended [`MAX_CRASHES`]
//! processes becomes a dead letter, and everything else continues. Deliveries, ingest jobs, embeddings and due items count
//! their attempts in the table.

mod log;
mod quarantine;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::time::timeout;

use crate::StartError;
use crate::data_dir::DataDir;
use log::InFlightLog;
use quarantine::Quarantine;

/// After so many crashes work becomes a dead letter.
pub(crate) const MAX_CRASHES: u32 = sweeper::MAX_CRASHES;

/// The longest wait of isolated changes and other work for each other: one that hangs holds up nothing for long.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Separates the name of some work from the part that is handled on its own. It occurs in no name, and sorts before
/// every character of a name.
const PART: char = '\n';

/// The work in flight of this process, and the quarantine.
#[derive(Debug)]
pub(crate) struct InFlight {
    log: Mutex<InFlightLog>,
    quarantine: Mutex<Quarantine>,
    /// A fast check: almost always nothing is quarantined.
    any_quarantined: AtomicBool,
    isolation: AsyncMutex<()>,
    /// Held by other work, and against it by isolated changes.
    others: RwLock<()>,
}

/// Work in flight; dropped, it has ended.
#[derive(Debug)]
pub(crate) struct InFlightGuard {
    in_flight: Arc<InFlight>,
    number: u64,
}

impl InFlight {
    /// Quarantines the work that the previous process did not finish.
    ///
    /// # Errors
    /// The log or the quarantine cannot be read or written.
    pub(crate) fn open(data: &DataDir) -> Result<Arc<Self>, StartError> {
        let failed = |source| StartError::DataDir { path: data.path().to_owned(), source };
        let (mut log, unfinished) = InFlightLog::open(&data.in_flight()).map_err(failed)?;
        let quarantine = Quarantine::read(data.quarantine(), &unfinished).map_err(failed)?;
        log.empty().map_err(failed)?;
        if !unfinished.is_empty() {
            tracing::warn!(
                changes = unfinished.len(),
                "the previous process ended while it handled changes; each of them is now handled alone"
            );
        }
        let any_quarantined = AtomicBool::new(!quarantine.is_empty());
        let (log, quarantine) = (Mutex::new(log), Mutex::new(quarantine));
        Ok(Arc::new(Self { log, quarantine, any_quarantined, isolation: AsyncMutex::new(()), others: RwLock::new(()) }))
    }

    /// Records that work of these names begins; it ends when the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>, names: Vec<String>) -> InFlightGuard {
        let number = self.log.lock().unwrap_or_else(PoisonError::into_inner).begin(names);
        InFlightGuard { in_flight: Arc::clone(self), number }
    }

    /// Whether a process crashed while `name` or a part of it was handled: it must be isolated.
    pub(crate) fn is_quarantined(&self, name: &str) -> bool {
        let is_known = || self.quarantine().first_at_or_after(name).is_some_and(|known| is_of(known, name));
        self.any_quarantined.load(Ordering::Relaxed) && is_known()
    }

    /// How many processes crashed while `name` was handled.
    pub(crate) fn crashes(&self, name: &str) -> u32 {
        self.quarantine().crashes(name)
    }

    /// Waits until no other change is isolated, and up to [`MAX_WAIT`] until no batch, message or sweep is handled, so
    /// that their crash does not count for an isolated change.
    pub(crate) async fn isolate(&self) -> (MutexGuard<'_, ()>, Option<RwLockWriteGuard<'_, ()>>) {
        let alone = self.isolation.lock().await;
        (alone, timeout(MAX_WAIT, self.others.write()).await.ok())
    }

    /// Waits up to [`MAX_WAIT`] until no change is isolated; none is while the guard lives. For a batch of changes, a
    /// batch of messages, and a sweep.
    pub(crate) async fn beside_others(&self) -> Option<RwLockReadGuard<'_, ()>> {
        match self.any_quarantined.load(Ordering::Relaxed) {
            true => timeout(MAX_WAIT, self.others.read()).await.ok(),
            false => None,
        }
    }

    /// Releases `name` and its parts from quarantine.
    pub(crate) fn release(&self, name: &str) {
        let mut quarantine = self.quarantine();
        quarantine.remove(|known| is_of(known, name));
        self.any_quarantined.store(!quarantine.is_empty(), Ordering::Relaxed);
    }

    fn quarantine(&self) -> std::sync::MutexGuard<'_, Quarantine> {
        self.quarantine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.in_flight.log.lock().unwrap_or_else(PoisonError::into_inner).end(self.number);
    }
}

/// The name of a part of some work.
pub(crate) fn part(name: &str, part: &str) -> String {
    format!("{name}{PART}{part}")
}

fn is_of(known: &str, name: &str) -> bool {
    known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(PART))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn open(folder: &tempfile::TempDir) -> Arc<InFlight> {
        InFlight::open(&DataDir::open(folder.path()).unwrap()).unwrap()
    }

    #[test]
    fn each_death_counts_and_what_ended_is_no_suspect() {
        let folder = tempfile::tempdir().unwrap();
        for crashes in 0..3 {
            let process = open(&folder);
            assert_eq!((process.crashes("a"), process.is_quarantined("a")), (crashes, crashes > 0));
            assert!(!process.is_quarantined("b"));
            drop(process.begin(vec!["b".into()]));
            // A forgotten guard never ends, as in a process that crashes.
            std::mem::forget(process.begin(vec!["a".into()]));
        }
        open(&folder).release("a");
        assert!(!open(&folder).is_quarantined("a"));
    }

    #[test]
    fn a_part_makes_the_whole_a_suspect_and_is_cleared_with_it() {
        let folder = tempfile::tempdir().unwrap();
        std::mem::forget(open(&folder).begin(vec![part("a", "gaps"), "ab".into()]));
        let process = open(&folder);
        assert!(process.is_quarantined("a") && process.is_quarantined("ab"));
        assert_eq!((process.crashes("a"), process.crashes(&part("a", "gaps"))), (0, 1));
        process.release("a");
        assert!(!process.is_quarantined("a") && process.is_quarantined("ab"));
    }

    #[tokio::test]
    async fn a_suspect_is_handled_while_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open(&folder).beside_others().await.is_none());
        std::mem::forget(open(&folder).begin(vec!["a".into()]));
        let process = open(&folder);
        let other = process.beside_others().await;
        assert!(other.is_some() && process.isolate().now_or_never().is_none());
        drop(other);
        let isolated = process.isolate().await;
        assert!(process.beside_others().now_or_never().is_none());
        drop(isolated);
        process.release("a");
        assert!(process.beside_others().await.is_none());
    }
}
