//! Dead letters: stream records that cannot be handled, stored whole, so that they can be inspected and repaired and do
//! not delay others. A bucket on AWS, a folder locally.

mod bucket;

use std::fs::{DirBuilder, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use domain::{Error, Result};

pub use bucket::Bucket;

/// Stores dead letters. Cheap to clone.
#[derive(Debug, Clone)]
pub enum DeadLetters {
    /// A folder, made when it is first needed.
    Folder(PathBuf),
    Bucket(Bucket),
}

impl DeadLetters {
    /// Keeps `content`, JSON, under `name`: segments of letters, digits, dots, hyphens and underscores. The same name
    /// again replaces it.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it may not be kept.
    pub async fn put(&self, name: &str, content: Vec<u8>) -> Result<()> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                let written = tokio::task::spawn_blocking(move || write(&file, &content)).await;
                let written = written.map_err(|e| Error::unavailable(format!("moved to the dead letters: {e}")))?;
                written.map_err(|e| Error::unavailable(format!("moved to the dead letters: {e}")))
            }
            Self::Bucket(bucket) => bucket.put(name, content).await,
        }
    }

    /// Deletes what is kept under `name`; what is not there is deleted already.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it may still be there.
    pub async fn delete(&self, name: &str) -> Result<()> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => match tokio::fs::remove_file(folder.join(name)).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(Error::unavailable(format!("moved to the dead letters: {error}")))
                }
                _ => Ok(()),
            },
            Self::Bucket(bucket) => bucket.delete(name).await,
        }
    }

    /// The text stored under `name`; `None` if there is none.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when it cannot be read.
    pub async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        check_name(name)?;
        match self {
            Self::Folder(folder) => match tokio::fs::read(folder.join(name)).await {
                Ok(content) => Ok(Some(content)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(Error::unavailable(format!("the dead letters cannot be read: {error}"))),
            },
            Self::Bucket(bucket) => bucket.get(name).await,
        }
    }

    /// The names of all that is kept.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when they cannot be listed.
    pub async fn list_all(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for folder in FOLDERS {
            names.extend(self.list(folder, usize::MAX).await?);
        }
        Ok(names)
    }

    /// The names under `folder`, in their order, at most `limit`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when they cannot be listed.
    pub async fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>> {
        check_name(folder)?;
        match self {
            Self::Folder(root) => {
                let (root, folder) = (root.clone(), folder.to_owned());
                let listed = tokio::task::spawn_blocking(move || files_under(&root, &folder)).await;
                let failed =
                    |e: &dyn std::fmt::Display| Error::unavailable(format!("the dead letters cannot be listed: {e}"));
                let mut names = listed.map_err(|e| failed(&e))?.map_err(|e| failed(&e))?;
                names.truncate(limit);
                Ok(names)
            }
            Self::Bucket(bucket) => {
                let mut names = bucket.list(folder, limit).await?;
                // Names of dead letters need no decoding of XML.
                names.retain(|name| check_name(name).is_ok());
                Ok(names)
            }
        }
    }
}

/// The folders of all kinds of dead letters: Lambda's own, changes, due items, queue messages, what waits for another
/// try, and what does not parse.
const FOLDERS: [&str; 6] = ["aws", "changes", "due", "queues", "replay", "unreadable"];

/// The names of the files under `folder`, in their order.
fn files_under(root: &Path, folder: &str) -> io::Result<Vec<String>> {
    let (mut folders, mut names) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(root.join(&folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else if check_name(&name).is_ok() && !name.ends_with(".part") {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Any text as a file name: special characters replaced, the length limited, and a hash so that two texts have two
/// names.
#[must_use]
pub fn file_name(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let readable: String = text.chars().take(100).map(plain).collect();
    format!("{readable}_{:016x}", hasher.finish())
}

/// Refuses a name that may lead out of the place.
fn check_name(name: &str) -> Result<()> {
    let plain = |segment: &str| {
        !segment.starts_with('.')
            && !segment.is_empty()
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    if name.split('/').all(plain) {
        Ok(())
    } else {
        Err(Error::internal("no name for what is moved to the dead letters"))
    }
}

/// Writes under another name and renames, so that readers see all of it or nothing. Only its owner may read it: it
/// contains what customers wrote.
fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        private_folder().create(folder)?;
    }
    let beside = file.with_extension("part");
    private_file().open(&beside)?.write_all(content)?;
    std::fs::rename(beside, file)
}

fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_keeps_what_it_is_given_under_its_name_and_replaces_it() {
        let folder = tempfile::tempdir().unwrap();
        let dead_letters = DeadLetters::Folder(folder.path().join("not-yet-there"));
        dead_letters.put("changes/2026-01-02/e1.json", b"1".to_vec()).await.unwrap();
        dead_letters.put("changes/2026-01-02/e1.json", b"2".to_vec()).await.unwrap();
        let kept = folder.path().join("not-yet-there/changes/2026-01-02");
        assert_eq!(std::fs::read(kept.join("e1.json")).unwrap(), b"2");
        assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1);
        #[cfg(unix)]
        for (path, rights) in [(kept.clone(), 0o700), (kept.join("e1.json"), 0o600)] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, rights, "{}", path.display());
        }
        dead_letters.put("changes/2026-01-01/e0.json", b"0".to_vec()).await.unwrap();
        let names = ["changes/2026-01-01/e0.json", "changes/2026-01-02/e1.json"];
        assert_eq!(dead_letters.list("changes", 10).await.unwrap(), names);
        assert_eq!(dead_letters.list("changes", 1).await.unwrap(), names[..1]);
        assert!(dead_letters.list("due", 10).await.unwrap().is_empty());
        assert_eq!(dead_letters.get(names[1]).await.unwrap().as_deref(), Some(b"2".as_slice()));
        assert_eq!(dead_letters.get("changes/none.json").await.unwrap(), None);
        for _ in 0..2 {
            dead_letters.delete("changes/2026-01-02/e1.json").await.unwrap();
        }
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn no_name_escapes_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_name(&file_name("ten_1#live#WIKI a/../b é")).is_ok());
        for name in ["../e", "/e", "a//e", "a/../e", ".e", "a b", ""] {
            assert!(DeadLetters::Folder(folder.path().into()).put(name, Vec::new()).await.is_err(), "{name}");
            assert!(DeadLetters::Folder(folder.path().into()).delete(name).await.is_err(), "{name}");
        }
    }
}
