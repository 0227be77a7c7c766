//! The file of the key that signs desk tokens, as a pair (`DeskTokenKey::parse_pair`).

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use aws::config::DeskTokenKey;
use aws::desk_keys::DeskKeySource;
use domain::{Error, Result};

use crate::data_dir::write_private;

/// The file as a source: it is read again when the key is old, or was ended.
#[derive(Debug)]
pub(crate) struct DeskKeyFile(pub(crate) PathBuf);

#[async_trait]
impl DeskKeySource for DeskKeyFile {
    async fn read(&self) -> Result<DeskTokenKey> {
        let failed = |reason: String| Error::internal(format!("{}: {reason}", self.0.display()));
        let text = std::fs::read_to_string(&self.0).map_err(|e| failed(e.to_string()))?;
        DeskTokenKey::parse_pair(text.trim()).map_err(|e| failed(e.to_string()))
    }
}

pub(crate) fn write(path: &Path, key: &DeskTokenKey) -> Result<()> {
    let text = key.to_pair();
    write_private(path, text.expose().as_bytes()).map_err(|e| Error::internal(format!("{}: {e}", path.display())))
}
