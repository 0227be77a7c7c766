//! The lock of a data folder: one process at a time uses the folder.

use std::fs::{File, TryLockError};
use std::io;

/// A lock that this process holds, until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock(File);

impl FolderLock {
    /// Locks `file`; none while another process has locked it.
    pub(crate) fn take(file: File) -> io::Result<Option<Self>> {
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(source),
        }
    }
}

impl Drop for FolderLock {
    /// Closing the file is not enough: a process that is being spawned holds a copy of it until it executes its program.
    fn drop(&mut self) {
        self.0.unlock().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_free_again_although_a_process_that_is_being_started_has_a_copy_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let take = || FolderLock::take(File::create(folder.path().join("lock")).unwrap()).unwrap();
        let first = take().unwrap();
        assert!(take().is_none());
        let copy = first.0.try_clone().unwrap();
        drop(first);
        assert!(take().is_some());
        drop(copy);
    }
}
