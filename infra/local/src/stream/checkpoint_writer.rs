//! Writes the checkpoint to its file while the stream is read.
//!
//! A temporary file is renamed, so the file is complete after a crash. It may be slightly out of date: the records
//! after it are handled once more, which changes nothing.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::checkpoint::Checkpoint;
use super::progress::Progress;
use crate::data_dir::write_without_sync;

/// The minimum time between two writes of the file.
const PERIOD: Duration = Duration::from_millis(100);

/// Writes the checkpoint file after progress.
#[derive(Debug)]
pub(super) struct CheckpointWriter {
    file: PathBuf,
    progress: Arc<Progress>,
    saved: watch::Sender<Checkpoint>,
}

impl CheckpointWriter {
    pub(super) fn new(file: PathBuf, progress: Arc<Progress>, saved: watch::Sender<Checkpoint>) -> Self {
        Self { file, progress, saved }
    }

    /// Writes until it is stopped.
    pub(super) async fn run(&self, mut stopped: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = self.progress.changed() => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
            self.save().await;
            tokio::select! {
                () = tokio::time::sleep(PERIOD) => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// Writes the positions, unless the file has them already.
    pub(super) async fn save(&self) {
        let now = self.progress.checkpoint();
        if now == *self.saved.borrow() {
            return;
        }
        let (path, text) = (self.file.clone(), serde_json::to_vec(&now).unwrap_or_default());
        match tokio::task::spawn_blocking(move || write_without_sync(&path, &text)).await {
            Ok(Ok(())) => {
                self.saved.send_replace(now);
            }
            Ok(Err(error)) => {
                tracing::warn!(error = %error, "failed to write the stream's checkpoint; after a crash more records are handled again")
            }
            Err(_) => {}
        }
    }
}
