//! The file of the signing keys as a set: the first key signs. Of two keys the one with the newer name comes next, if it
//! does not sign yet.

use std::path::Path;
use std::time::SystemTime;

use aws::config::{WidgetKeySet, WidgetTokenKey, parse_widget_token_keys};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::models::Timestamp;
use domain::{Error, Result};

use crate::data_dir::write_private;

pub(super) fn read(path: &Path) -> Result<WidgetKeySet> {
    let failed = |reason: String| Error::internal(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let mut keys = parse_widget_token_keys(&text).map_err(|e| failed(e.to_string()))?.into_iter();
    let current = keys.next().ok_or_else(|| failed("no key".into()))?;
    let (next, previous) = match keys.next() {
        Some(other) if made_at(&other) > made_at(&current) => (Some(other), None),
        other => (None, other),
    };
    Ok(WidgetKeySet { current, next, previous, changed_at: modified(path) })
}

pub(super) fn write(path: &Path, set: &WidgetKeySet) -> Result<()> {
    let pair = |key: &WidgetTokenKey| format!("{}:{}", key.kid, STANDARD.encode(&key.secret));
    let text = set.keys().iter().map(pair).collect::<Vec<_>>().join(",");
    write_private(path, text.as_bytes()).map_err(|e| Error::internal(format!("{}: {e}", path.display())))
}

/// The time in a key's name, `k` and seconds; 0 for other names.
fn made_at(key: &WidgetTokenKey) -> u64 {
    key.kid.strip_prefix('k').and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
}

fn modified(path: &Path) -> Option<Timestamp> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp::from_millis)
}
