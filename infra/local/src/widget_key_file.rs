//! The file of the signing keys of widget tokens, as pairs (`WidgetKeySet::parse_pairs`).

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use async_trait::async_trait;
use aws::config::WidgetKeySet;
use aws::widget_keys::WidgetKeySource;
use domain::models::Timestamp;
use domain::{Error, Result};

use crate::data_dir::write_private;

/// The file as a source: it is read again when the keys are old, or a token names an unknown one.
#[derive(Debug)]
pub(crate) struct WidgetKeyFile(pub(crate) PathBuf);

#[async_trait]
impl WidgetKeySource for WidgetKeyFile {
    async fn read(&self) -> Result<WidgetKeySet> {
        read(&self.0)
    }
}

/// Reads the keys. A file of an earlier version tells no time: the last change was when it was written.
pub(crate) fn read(path: &Path) -> Result<WidgetKeySet> {
    let failed = |reason: String| Error::internal(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let set = WidgetKeySet::parse_pairs(&text).map_err(|e| failed(e.to_string()))?;
    Ok(WidgetKeySet { changed_at: set.changed_at.or_else(|| modified(path)), ..set })
}

pub(crate) fn write(path: &Path, set: &WidgetKeySet) -> Result<()> {
    let text = set.to_pairs();
    write_private(path, text.expose().as_bytes()).map_err(|e| Error::internal(format!("{}: {e}", path.display())))
}

fn modified(path: &Path) -> Option<Timestamp> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp::from_millis)
}
