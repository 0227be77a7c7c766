//! The data folder: its files, its lock, and file permissions for the owner only.
//!
//! | name | what |
//! |---|---|
//! | `dynamodb.sqlite` (and `-wal`, `-shm`) | the table |
//! | `widget-token.key` | the key that signs widget tokens |
//! | `desk-token.key` | the key that signs desk tokens |
//! | `secrets.key` | the key that encrypts webhook secrets, which cannot be decrypted without it |
//! | `demo-provider.key` | the key that signs ID tokens of the demo's OpenID provider |
//! | `functions.env` | The environment of functions in processes of their own (`--services-only`); deleted at the end |
//! | `demo.env` | URL and demo keys; no other file holds raw keys |
//! | `stream.checkpoint` | the position up to which the table's changes are handled |
//! | `dead-letters/` | what could not be handled, unchanged |
//! | `format-version` | the version of these formats; a folder of another version is refused |
//! | `control.sock` | the control socket of the running service; for a longer path `control.path` names it |
//! | `lock` | locked while a process uses the folder |
//! The lock of a data folder: one process at a time uses the folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::StartError;

/// All files but the lock; the last two, and the folder `search`, are of earlier versions.
const FILES: [&str; 13] = [
    "dynamodb.sqlite",
    "dynamodb.sqlite-wal",
    "dynamodb.sqlite-shm",
    "stream.checkpoint",
    "widget-token.key",
    "desk-token.key",
    "secrets.key",
    "demo-provider.key",
    "functions.env",
    "demo.env",
    "format-version",
    "in-flight",
    "quarantine.json",
];

/// The format of the folder. Raise it whenever the name or meaning of a stored attribute, or the format of a file here,
/// changes: the service has no migrations, so it refuses a folder of another format.
const FORMAT_VERSION: u32 = 6;

/// A data folder that this process has locked; dropping it releases the lock.
#[derive(Debug)]
pub(crate) struct DataDir {
    path: PathBuf,
    /// None for the folder of another process.
    _lock: Option<FolderLock>,
}

/// How long a start waits for the lock: the system releases that of a killed process only when it has cleared the process
/// away, which a start right after the kill can overtake.
const LOCK_WAIT: Duration = Duration::from_secs(2);
const LOCK_STEP: Duration = Duration::from_millis(20);

impl DataDir {
    /// The same as [`DataDir::open`], but waits a little for a process that is about to end.
    pub(crate) async fn open_when_free(path: &Path) -> Result<Self, StartError> {
        let mut waited = Duration::ZERO;
        loop {
            match Self::open(path) {
                Err(StartError::DataInUse { .. }) if waited < LOCK_WAIT => {}
                opened => return opened,
            }
            if waited.is_zero() {
                tracing::info!("another process has locked the data folder; waiting for its end");
            }
            tokio::time::sleep(LOCK_STEP).await;
            waited += LOCK_STEP;
        }
    }

    /// Creates a missing folder for its owner only, and locks it. Fails when another process has locked it.
    pub(crate) fn open(path: &Path) -> Result<Self, StartError> {
        let failed = |source| StartError::DataDir { path: path.to_owned(), source };
        private_dir_builder().create(path).map_err(failed)?;
        let path = path.canonicalize().map_err(failed)?;
        restrict_to_owner(&path).map_err(failed)?;
        let file = private_file(OpenOptions::new().create(true).write(true).truncate(false)).open(path.join("lock"));
        let Some(lock) = file.and_then(FolderLock::take).map_err(failed)? else {
            return Err(StartError::DataInUse { path });
        };
        let data_dir = Self { path, _lock: Some(lock) };
        data_dir.restrict_permissions()?;
        Ok(data_dir)
    }

    /// The folder that a running service uses: its files may be read, and those that are replaced whole also written.
    pub(crate) fn of_running(path: &Path) -> Self {
        Self { path: path.to_owned(), _lock: None }
    }

    /// Restricts the files of earlier runs to their owner, and leaves other files alone.
    fn restrict_permissions(&self) -> Result<(), StartError> {
        for name in FILES.into_iter().chain(["lock", "dead-letters"]) {
            let path = self.path.join(name);
            let tightened = ignore_not_found(restrict_tree_to_owner(&path));
            tightened.map_err(|source| StartError::DataDir { path, source })?;
        }
        Ok(())
    }

    /// Deletes the files of earlier runs, and leaves other files alone.
    pub(crate) fn reset(&self) -> Result<(), StartError> {
        let failed = |source| StartError::DataDir { path: self.path.clone(), source };
        for name in FILES {
            ignore_not_found(fs::remove_file(self.path.join(name))).map_err(failed)?;
        }
        for folder in [self.dead_letters(), self.path.join("search")] {
            ignore_not_found(fs::remove_dir_all(folder)).map_err(failed)?;
        }
        Ok(())
    }

    /// Fails for a folder that another version of the service wrote; sets the version of one without a database.
    pub(crate) fn check_format(&self) -> Result<(), StartError> {
        let path = self.path.join("format-version");
        let failed = |source| StartError::DataDir { path: path.clone(), source };
        let found = match fs::read_to_string(&path) {
            Ok(text) => text.trim().to_owned(),
            Err(e) if e.kind() == io::ErrorKind::NotFound && !self.database().exists() => {
                return write_private(&path, format!("{FORMAT_VERSION}\n").as_bytes()).map_err(failed);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => "none".into(),
            Err(e) => return Err(failed(e)),
        };
        if found == FORMAT_VERSION.to_string() {
            return Ok(());
        }
        Err(StartError::DataFormat { path: self.path.clone(), found, expected: FORMAT_VERSION })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("dynamodb.sqlite")
    }

    /// The position up to which the table's changes are handled.
    pub(crate) fn stream_checkpoint(&self) -> PathBuf {
        self.path.join("stream.checkpoint")
    }

    /// The folder of what could not be handled.
    pub(crate) fn dead_letters(&self) -> PathBuf {
        self.path.join("dead-letters")
    }

    /// The key that signs desk tokens.
    pub(crate) fn desk_token_key(&self) -> PathBuf {
        self.path.join("desk-token.key")
    }

    /// The key that signs widget tokens.
    pub(crate) fn widget_token_key(&self) -> PathBuf {
        self.path.join("widget-token.key")
    }

    /// The key that encrypts webhook secrets.
    pub(crate) fn secrets_key(&self) -> PathBuf {
        self.path.join("secrets.key")
    }

    /// The key that signs ID tokens of the demo's OpenID provider.
    pub(crate) fn demo_provider_key(&self) -> PathBuf {
        self.path.join("demo-provider.key")
    }

    /// URL and credentials of the opened database.
    pub(crate) fn functions_env(&self) -> PathBuf {
        self.path.join("functions.env")
    }

    /// URL and demo keys.
    pub(crate) fn demo_env(&self) -> PathBuf {
        self.path.join("demo.env")
    }
}

/// Writes a file for its owner only, atomically: a temporary file is synced and renamed.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("new");
    ignore_not_found(fs::remove_file(&temporary))?;
    let mut file = private_file(OpenOptions::new().create_new(true).write(true)).open(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}

/// The same without sync, for files that are written often: the content survives the process, but not always the
/// machine.
pub(crate) fn write_without_sync(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = private_file(OpenOptions::new().create(true).truncate(true).write(true)).open(&temporary)?;
    file.write_all(content)?;
    fs::rename(&temporary, path)
}

pub(crate) fn ignore_not_found(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Restricts a folder and its content to their owner. Links are skipped: their targets may belong to others.
fn restrict_tree_to_owner(path: &Path) -> io::Result<()> {
    let mut left = vec![path.to_owned()];
    while let Some(path) = left.pop() {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_symlink() {
            continue;
        }
        restrict_to_owner(&path)?;
        if kind.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        }
    }
    Ok(())
}

/// Restricts a file or folder to its owner.
#[cfg(unix)]
pub(crate) fn restrict_to_owner(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(path)?;
    let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
    if metadata.permissions().mode() & 0o777 == wanted {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(wanted))
}

/// Does nothing on systems without such permissions.
#[cfg(not(unix))]
pub(crate) fn restrict_to_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates folders for their owner only.
#[cfg(unix)]
pub(crate) fn private_dir_builder() -> fs::DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder
}

/// Creates folders.
#[cfg(not(unix))]
pub(crate) fn private_dir_builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    builder
}

/// Creates files for their owner only.
#[cfg(unix)]
pub(crate) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

/// Creates files.
#[cfg(not(unix))]
pub(crate) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// A lock that this process holds, until it is dropped.
#[derive(Debug)]
struct FolderLock(File);

impl FolderLock {
    /// Locks `file`; none while another process has locked it.
    fn take(file: File) -> io::Result<Option<Self>> {
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
    fn a_folder_in_use_is_refused_and_free_again_after_its_holder() {
        let dir = tempfile::tempdir().unwrap();
        let first = DataDir::open(dir.path()).unwrap();
        let refusal = DataDir::open(dir.path()).unwrap_err();
        assert!(matches!(refusal, StartError::DataInUse { .. }), "{refusal}");
        drop(first);
        DataDir::open(dir.path()).unwrap();
    }

    #[test]
    fn a_reset_leaves_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let held = DataDir::open(dir.path()).unwrap();
        fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        fs::write(held.demo_env(), "x").unwrap();
        fs::create_dir(held.path.join("search")).unwrap();
        held.reset().unwrap();
        assert!(dir.path().join("notes.txt").exists());
        assert!(!held.demo_env().exists() && !held.path.join("search").exists());
    }

    #[test]
    fn a_folder_of_another_format_is_refused_until_it_is_reset() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(dir.path()).unwrap();
        data.check_format().unwrap();
        fs::write(data.database(), "x").unwrap();
        data.check_format().unwrap();
        let version = dir.path().join("format-version");
        for (content, found) in [(Some("0\n"), "format 0"), (Some(""), "format "), (None, "format none")] {
            match content {
                Some(content) => fs::write(&version, content).unwrap(),
                None => fs::remove_file(&version).unwrap(),
            }
            let refusal = data.check_format().unwrap_err().to_string();
            assert!(refusal.contains("--reset") && refusal.contains(found), "{refusal}");
            assert!(data.database().exists(), "a refusal deletes nothing");
        }
        data.reset().unwrap();
        data.check_format().unwrap();
        assert_eq!(fs::read_to_string(&version).unwrap(), format!("{FORMAT_VERSION}\n"));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_before_is_tightened_and_nothing_that_is_not_ours() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::create_dir_all(dir.path().join("dead-letters/deep")).unwrap();
        fs::write(dir.path().join("outside"), "x").unwrap();
        std::os::unix::fs::symlink(dir.path().join("outside"), dir.path().join("dead-letters/link")).unwrap();
        for file in ["demo.env", "dead-letters/deep/letter", "notes.txt"] {
            fs::write(dir.path().join(file), "x").unwrap();
            open(&dir.path().join(file), 0o666);
        }
        open(&dir.path().join("outside"), 0o644);
        open(&dir.path().join("dead-letters/deep"), 0o777);
        open(dir.path(), 0o755);
        DataDir::open(dir.path()).unwrap();
        for (name, expected) in [
            ("", 0o700),
            ("demo.env", 0o600),
            ("lock", 0o600),
            ("dead-letters", 0o700),
            ("dead-letters/deep", 0o700),
            ("dead-letters/deep/letter", 0o600),
            ("notes.txt", 0o666),
            ("outside", 0o644),
        ] {
            assert_eq!(mode(&dir.path().join(name)), expected, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_readable_by_its_owner_only_also_when_it_was_not_before() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("demo.env");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write_private(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

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
