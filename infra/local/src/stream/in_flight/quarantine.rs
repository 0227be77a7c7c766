//! The work that was in progress at a crash, with counts: kept in the data folder across starts.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data_dir::write_without_sync;

/// Work that was not handled in so many starts is dropped: it was finished before the crash.
const FORGET_AFTER_STARTS: u32 = 20;

/// One quarantined piece of work.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct QuarantinedWork {
    /// How many processes crashed while it was handled.
    crashes: u32,
    /// How many starts there were since the last crash.
    starts: u32,
}

/// The quarantined work by name.
#[derive(Debug)]
pub(super) struct Quarantine {
    file: PathBuf,
    by_name: BTreeMap<String, QuarantinedWork>,
}

impl Quarantine {
    /// Reads the file, adds a crash to each of `unfinished`, and saves the result. An unreadable file counts as empty.
    pub(super) fn read(file: PathBuf, unfinished: &[String]) -> io::Result<Self> {
        let mut by_name: BTreeMap<String, QuarantinedWork> = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        for work in by_name.values_mut() {
            work.starts += 1;
        }
        for name in unfinished {
            let work = by_name.entry(name.clone()).or_default();
            *work = QuarantinedWork { crashes: work.crashes + 1, starts: 0 };
        }
        by_name.retain(|_, work| work.starts < FORGET_AFTER_STARTS);
        let quarantine = Self { file, by_name };
        quarantine.save()?;
        Ok(quarantine)
    }

    /// Whether nothing is quarantined.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// How many processes crashed while `name` was handled.
    pub(super) fn crashes(&self, name: &str) -> u32 {
        self.by_name.get(name).map_or(0, |work| work.crashes)
    }

    /// The first name at or after `name`, in order.
    pub(super) fn first_at_or_after(&self, name: &str) -> Option<&str> {
        let mut known = self.by_name.range::<str, _>((Bound::Included(name), Bound::Unbounded));
        known.next().map(|(known, _)| known.as_str())
    }

    /// Removes the work that `which` selects.
    pub(super) fn remove(&mut self, which: impl Fn(&str) -> bool) {
        let before = self.by_name.len();
        self.by_name.retain(|name, _| !which(name));
        if self.by_name.len() == before {
            return;
        }
        if let Err(error) = self.save() {
            tracing::warn!(error = %error, "failed to record the work that may have ended a process");
        }
    }

    fn save(&self) -> io::Result<()> {
        write(&self.file, &self.by_name)
    }
}

fn write(file: &Path, by_name: &BTreeMap<String, QuarantinedWork>) -> io::Result<()> {
    write_without_sync(file, &serde_json::to_vec(by_name).map_err(io::Error::other)?)
}
