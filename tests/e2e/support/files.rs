//! The files that a service has written.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::TestService;

impl TestService {
    /// Every file under a folder of the data folder, with its content. The service may write there: temporary files and
    /// what it removes meanwhile are skipped.
    pub(crate) fn files(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        files(&self.data().join(folder))
    }

    /// The dead letters of a kind, such as `due`.
    pub(crate) fn dead_letters(&self, kind: &str) -> Vec<Value> {
        let files = self.files(&format!("dead-letters/{kind}"));
        files.iter().map(|(_, content)| serde_json::from_slice(content).unwrap()).collect()
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
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

fn if_present<T>(result: io::Result<T>) -> Option<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        other => Some(other.unwrap()),
    }
}
