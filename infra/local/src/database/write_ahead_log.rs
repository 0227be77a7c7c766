//! Group commit: the write-ahead log of the embedded database reaches the disk once for all calls that wait, not once for
//! each of them.
//!
//! SQLite itself syncs its log before a checkpoint only (`synchronous = NORMAL`). So a call counts as carried out once
//! [`WriteAheadLog::sync`] has returned.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The log beside a database file.
#[derive(Debug)]
pub(super) struct WriteAheadLog {
    path: PathBuf,
    /// None until SQLite has made it. It is never replaced while the database is open.
    file: Option<File>,
}

impl WriteAheadLog {
    /// The log of the database in `file`.
    pub(super) fn of(file: &Path) -> Self {
        let mut path = file.as_os_str().to_owned();
        path.push("-wal");
        Self { path: path.into(), file: None }
    }

    /// Returns once all that was committed is on the disk.
    ///
    /// # Errors
    /// Those of the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        match &self.file {
            Some(file) => file.sync_data(),
            None => {
                let file = File::options().read(true).write(true).open(&self.path)?;
                self.file.insert(file).sync_data()
            }
        }
    }
}
