//! Reads the files of a running service.

use std::io;
use std::path::{Path, PathBuf};

/// Every file under `folder` with its content. A running service may write there: temporary files and what it removes
/// meanwhile are skipped.
pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(entries) = if_present(std::fs::read_dir(folder)) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        if path.is_dir() {
            return files(&path);
        }
        let is_temporary = path.extension().is_some_and(|extension| extension == "new" || extension == "part");
        let content = if is_temporary { None } else { if_present(std::fs::read(&path)) };
        content.map(|content| (path, content)).into_iter().collect()
    };
    paths.flat_map(read).collect()
}

/// None for a file or folder that does not exist, or no longer.
pub(crate) fn if_present<T>(result: io::Result<T>) -> Option<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        other => Some(other.unwrap()),
    }
}
