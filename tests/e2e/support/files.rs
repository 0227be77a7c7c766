//! The files that a service has written.

use std::path::PathBuf;

use serde_json::Value;

use super::TestService;
use super::written_files::files;

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
