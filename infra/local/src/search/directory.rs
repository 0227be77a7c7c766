//! The folder of the index, written without `fsync`.
//!
//! An `fsync` of a dozen small files at every commit would be most of the cost of a write. What a process wrote
//! survives the process, even if it is killed; only a failure of the machine can lose it. So the folder stores the id
//! of the machine's boot in which it was written, and after another boot it is rebuilt from the table, whose writes are
//! synced. If the system gives no boot id, every commit is synced.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

use super::view::{ReadError, ReadResult};
use crate::data_dir::{private_dir_builder, private_file, restrict_to_owner};

/// Linux's id of this boot.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The file with the boot id under which the folder was written.
const BOOT_ID_FILE: &str = "boot-id";

/// Opens the folder; empties it when it was written before the last boot.
pub(super) fn open(folder: &Path) -> ReadResult<Box<dyn Directory>> {
    let boot = std::fs::read_to_string(BOOT_ID).ok();
    prepare(folder, boot.as_deref()).map_err(ReadError::broken)?;
    let mapped = MmapDirectory::open(folder).map_err(ReadError::broken)?;
    Ok(match boot {
        Some(_) => Box::new(NoSyncDirectory { mapped, folder: folder.to_owned() }),
        None => Box::new(mapped),
    })
}

fn prepare(folder: &Path, boot: Option<&str>) -> io::Result<()> {
    let boot_id_file = folder.join(BOOT_ID_FILE);
    let last_boot = std::fs::read_to_string(&boot_id_file).ok();
    if last_boot.is_some() && last_boot.as_deref() != boot {
        tracing::info!("the search index was not closed before the machine restarted; rebuilding it");
        std::fs::remove_dir_all(folder)?;
    }
    private_dir_builder().create(folder)?;
    let Some(boot) = boot.filter(|_| !boot_id_file.exists()) else { return Ok(()) };
    // This file itself is synced, before any other is written.
    let mut file = private_file(OpenOptions::new().create(true).truncate(true).write(true)).open(&boot_id_file)?;
    file.write_all(boot.as_bytes())?;
    file.sync_all()?;
    File::open(folder)?.sync_all()
}

/// A [`MmapDirectory`] without `fsync`.
#[derive(Debug, Clone)]
struct NoSyncDirectory {
    mapped: MmapDirectory,
    folder: PathBuf,
}

impl Directory for NoSyncDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = private_file(OpenOptions::new().write(true).create_new(true)).open(self.folder.join(path));
        let file = file.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(NoSyncFile(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let path = self.folder.join(path);
        let mut temporary = path.clone().into_os_string();
        temporary.push(".new");
        private_file(OpenOptions::new().create(true).truncate(true).write(true)).open(&temporary)?.write_all(data)?;
        std::fs::rename(temporary, path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let held = self.mapped.acquire_lock(lock)?;
        // The library creates the file with the default permissions of the process.
        restrict_to_owner(&self.folder.join(&lock.filepath)).map_err(|e| LockError::IoError(Arc::new(e)))?;
        Ok(held)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(watch_callback)
    }
}

/// A file that is complete when it is flushed.
struct NoSyncFile(File);

impl Write for NoSyncFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for NoSyncFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_of_another_start_is_emptied() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("format");
        prepare(&folder, Some("first")).unwrap();
        std::fs::write(folder.join("meta.json"), "{}").unwrap();
        prepare(&folder, Some("first")).unwrap();
        assert!(folder.join("meta.json").exists());
        prepare(&folder, Some("second")).unwrap();
        assert!(!folder.join("meta.json").exists());
        std::fs::write(folder.join("meta.json"), "{}").unwrap();
        prepare(&folder, None).unwrap();
        assert!(!folder.join("meta.json").exists(), "nobody knows whether it reached the disk");
        std::fs::write(folder.join("meta.json"), "{}").unwrap();
        prepare(&folder, None).unwrap();
        assert!(folder.join("meta.json").exists(), "forced to the disk at every commit");
    }
}
