//! What is being handled at this moment, written down so that the next start knows what a process died of.
//!
//! A worker that always fails is tried again and set aside by whoever hands it its work. Work that ends the process, by
//! an abort, a stack overflow or too much memory, comes back at each start and ends it again. So its name is noted in the
//! `journal` before it begins. What has no end there at the next start is one of the `suspects`: it is handled alone, one
//! suspect at a time, and after [`DEATHS`] processes died of it, it is set aside, and everything else goes on.
//!
//! `messages` and `due` do that for messages of the queues and for due items; [`crate::stream`] does it for changes.

mod due;
mod journal;
mod messages;
mod suspects;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::MutexGuard;

pub(crate) use due::guard_due;
pub(crate) use messages::guard_messages;

use crate::StartError;
use crate::data_dir::DataDir;
use journal::Journal;
use suspects::Suspects;

/// After so many processes died of it, work is set aside.
pub(crate) const DEATHS: u32 = sweeper::DEATHS;

/// Stands between the name of some work and the part of it that is handled by itself. It is in no name and sorts before
/// whatever is.
const PART: char = '\n';

/// What is being handled by this process, and what those before it died of.
#[derive(Debug)]
pub(crate) struct InFlight {
    journal: Mutex<Journal>,
    suspects: Mutex<Suspects>,
    /// Almost always there are none, and then nobody looks.
    suspicious: AtomicBool,
    alone: tokio::sync::Mutex<()>,
}

/// Some work that is being handled; dropped, it is done.
#[derive(Debug)]
pub(crate) struct Handling {
    in_flight: Arc<InFlight>,
    number: u64,
}

impl InFlight {
    /// Takes note of what the process before died of.
    ///
    /// # Errors
    /// The notes in the data folder cannot be read or written.
    pub(crate) fn open(data: &DataDir) -> Result<Arc<Self>, StartError> {
        let failed = |source| StartError::DataDir { path: data.path().to_owned(), source };
        let (mut journal, died) = Journal::open(&data.in_flight()).map_err(failed)?;
        let suspects = Suspects::read(data.suspects(), &died).map_err(failed)?;
        journal.empty().map_err(failed)?;
        if !died.is_empty() {
            tracing::warn!(
                works = died.len(),
                "the previous process ended while it handled work; each piece of that work is now handled alone"
            );
        }
        let suspicious = AtomicBool::new(!suspects.is_empty());
        let (journal, suspects) = (Mutex::new(journal), Mutex::new(suspects));
        Ok(Arc::new(Self { journal, suspects, suspicious, alone: tokio::sync::Mutex::new(()) }))
    }

    /// Notes that the works of these names are being handled, until the answer is dropped.
    pub(crate) fn begin(self: &Arc<Self>, names: Vec<String>) -> Handling {
        let number = self.journal.lock().unwrap_or_else(PoisonError::into_inner).begin(names);
        Handling { in_flight: Arc::clone(self), number }
    }

    /// Whether a process died while `name` or a part of it was handled: it is to be handled alone.
    pub(crate) fn is_suspect(&self, name: &str) -> bool {
        let is_known = || self.suspects().first_from(name).is_some_and(|known| is_of(known, name));
        self.suspicious.load(Ordering::Relaxed) && is_known()
    }

    /// How many processes died while `name` was handled.
    pub(crate) fn deaths(&self, name: &str) -> u32 {
        self.suspects().deaths(name)
    }

    /// Waits until no other suspect is handled: whichever the process dies of is then the one. There is one line for
    /// changes, messages and due items: with a line each, two suspects could run when the process dies, and the innocent
    /// one would be accused with the other.
    pub(crate) async fn alone(&self) -> MutexGuard<'_, ()> {
        self.alone.lock().await
    }

    /// The same, for at most `patience`: whoever can come back later does not hold up the others in the line.
    pub(crate) async fn alone_within(&self, patience: Duration) -> Option<MutexGuard<'_, ()>> {
        tokio::time::timeout(patience, self.alone()).await.ok()
    }

    /// Clears `name` and its parts of suspicion.
    pub(crate) fn clear(&self, name: &str) {
        let mut suspects = self.suspects();
        suspects.forget(|known| is_of(known, name));
        self.suspicious.store(!suspects.is_empty(), Ordering::Relaxed);
    }

    fn suspects(&self) -> std::sync::MutexGuard<'_, Suspects> {
        self.suspects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Handling {
    fn drop(&mut self) {
        self.in_flight.journal.lock().unwrap_or_else(PoisonError::into_inner).end(self.number);
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
    use super::*;

    fn open(folder: &tempfile::TempDir) -> Arc<InFlight> {
        InFlight::open(&DataDir::take(folder.path()).unwrap()).unwrap()
    }

    #[test]
    fn each_death_counts_and_what_ended_is_no_suspect() {
        let folder = tempfile::tempdir().unwrap();
        for deaths in 0..3 {
            let process = open(&folder);
            assert_eq!((process.deaths("a"), process.is_suspect("a")), (deaths, deaths > 0));
            assert!(!process.is_suspect("b"));
            drop(process.begin(vec!["b".into()]));
            // What is forgotten is never ended, like that of a process that dies.
            std::mem::forget(process.begin(vec!["a".into()]));
        }
        open(&folder).clear("a");
        assert!(!open(&folder).is_suspect("a"));
    }

    #[test]
    fn a_part_makes_the_whole_a_suspect_and_is_cleared_with_it() {
        let folder = tempfile::tempdir().unwrap();
        std::mem::forget(open(&folder).begin(vec![part("a", "gaps"), "ab".into()]));
        let process = open(&folder);
        assert!(process.is_suspect("a") && process.is_suspect("ab"));
        assert_eq!((process.deaths("a"), process.deaths(&part("a", "gaps"))), (0, 1));
        process.clear("a");
        assert!(!process.is_suspect("a") && process.is_suspect("ab"));
    }
}
