//! What was being handled when a process died, and how often: kept in the data folder from start to start.

use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data_dir::write_quickly;

/// A suspect that was not handled again during so many starts is forgotten: it was done before the process died.
const STARTS: u32 = 20;

/// What is known of one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Suspect {
    /// How many processes died while it was handled.
    deaths: u32,
    /// How many starts there were since the last of them.
    starts: u32,
}

/// The suspects by name.
#[derive(Debug)]
pub(super) struct Suspects {
    file: PathBuf,
    by_name: BTreeMap<String, Suspect>,
}

impl Suspects {
    /// Reads those that are known, adds a death to each of `died`, and keeps the result. A file that does not read counts
    /// as none.
    pub(super) fn read(file: PathBuf, died: &[String]) -> io::Result<Self> {
        let mut by_name: BTreeMap<String, Suspect> = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        for suspect in by_name.values_mut() {
            suspect.starts += 1;
        }
        for name in died {
            let suspect = by_name.entry(name.clone()).or_default();
            *suspect = Suspect { deaths: suspect.deaths + 1, starts: 0 };
        }
        by_name.retain(|_, suspect| suspect.starts < STARTS);
        let suspects = Self { file, by_name };
        suspects.keep()?;
        Ok(suspects)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// How many processes died while `name` was handled.
    pub(super) fn deaths(&self, name: &str) -> u32 {
        self.by_name.get(name).map_or(0, |suspect| suspect.deaths)
    }

    /// The first name from `name` on, in their order.
    pub(super) fn first_from(&self, name: &str) -> Option<&str> {
        let mut known = self.by_name.range::<str, _>((Bound::Included(name), Bound::Unbounded));
        known.next().map(|(known, _)| known.as_str())
    }

    /// Forgets those that `which` says.
    pub(super) fn forget(&mut self, which: impl Fn(&str) -> bool) {
        let before = self.by_name.len();
        self.by_name.retain(|name, _| !which(name));
        if self.by_name.len() == before {
            return;
        }
        if let Err(error) = self.keep() {
            tracing::warn!(%error, "failed to record the work that may have ended a process");
        }
    }

    fn keep(&self) -> io::Result<()> {
        write(&self.file, &self.by_name)
    }
}

fn write(file: &Path, by_name: &BTreeMap<String, Suspect>) -> io::Result<()> {
    write_quickly(file, &serde_json::to_vec(by_name).map_err(io::Error::other)?)
}
