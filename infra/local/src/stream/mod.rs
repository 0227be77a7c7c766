//! Passes the table's changes to a worker, as Lambda's event source mapping of a DynamoDB stream does.
//!
//! `reader` reads the stream, from the embedded database or another server; it is told of writes, so that a change is read
//! just after its commit and idle polling is rare. `partitions` keep the order of each item's changes, retry failures in
//! smaller batches, and turn what keeps failing into dead letters. `progress` tracks the position up to which everything is
//! handled, and stores it in the data folder: after a crash the first unhandled change comes again, with some handled ones.

mod partitions;
mod progress;
mod reader;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use partitions::HandleRecords;
use partitions::Partitions;
pub(crate) use partitions::{Worker, WriteDeadLetter};
pub(crate) use progress::Checkpoint;
use progress::{CheckpointWriter, Progress};
use reader::ShardReader;
pub(crate) use reader::{TableStream, WriteNotifier};

/// Settings of a [`StreamPoller`].
#[derive(Debug)]
pub(crate) struct Settings {
    /// The checkpoint file.
    pub(crate) checkpoint: PathBuf,
    /// The poll period when no write is notified.
    pub(crate) period: Duration,
    /// The delay after the first failure and the longest delay; it doubles with each failure.
    pub(crate) backoff: (Duration, Duration),
}

/// Reads a stream and delivers its records until it is stopped.
#[derive(Debug)]
pub(crate) struct StreamPoller {
    progress: Arc<Progress>,
    rounds: watch::Receiver<u64>,
    notifier: WriteNotifier,
    stop: watch::Sender<bool>,
    reader_task: JoinHandle<()>,
    partitions: Partitions,
    checkpoint_writer: Arc<CheckpointWriter>,
    checkpoint_task: JoinHandle<()>,
    saved: watch::Receiver<Checkpoint>,
}

impl StreamPoller {
    /// Starts at the checkpoint; without one at the beginning of the stream.
    pub(crate) fn start(source: TableStream, worker: Worker, notifier: WriteNotifier, settings: Settings) -> Self {
        let checkpoint = Checkpoint::read(&settings.checkpoint, &source.arn);
        let (stop, stopped) = watch::channel(false);
        let (saved_sender, saved) = watch::channel(checkpoint.clone());
        let progress = Arc::new(Progress::from(checkpoint));
        let partitions = Partitions::start(&Arc::new(worker), &progress, &stopped, settings.backoff);
        let (counter, rounds) = watch::channel(0);
        let reader = ShardReader::new(
            source,
            Arc::clone(&progress),
            partitions.senders.clone(),
            notifier.clone(),
            settings.period,
            counter,
        );
        let reader_task = tokio::spawn(reader.run(stopped.clone()));
        let checkpoint_writer =
            Arc::new(CheckpointWriter::new(settings.checkpoint, Arc::clone(&progress), saved_sender));
        let checkpoint_task = Arc::clone(&checkpoint_writer);
        let checkpoint_task = tokio::spawn(async move { checkpoint_task.run(stopped).await });
        Self { progress, rounds, notifier, stop, reader_task, partitions, checkpoint_writer, checkpoint_task, saved }
    }

    /// The checkpoint as it was last saved. Records behind it are not read again.
    pub(crate) fn saved_checkpoint(&self) -> watch::Receiver<Checkpoint> {
        self.saved.clone()
    }

    /// A counter that grows with every record that is read or handled.
    pub(crate) fn activity(&self) -> u64 {
        self.progress.activity()
    }

    /// Waits until everything that was committed before this call is handled.
    pub(crate) async fn wait_until_idle(&self) {
        let mut rounds = self.rounds.clone();
        loop {
            // The current round may have begun before the last commit; the next one has not.
            let enough = *rounds.borrow_and_update() + 2;
            while *rounds.borrow() < enough {
                self.notifier.notify();
                if rounds.changed().await.is_err() {
                    return;
                }
            }
            if self.progress.outstanding() == 0 {
                return;
            }
            self.progress.wait_below(1).await;
        }
    }

    /// Stops reading, gives running handlers `grace` to finish, and saves the checkpoint.
    pub(crate) async fn stop(self, grace: Duration) {
        self.stop.send_replace(true);
        self.reader_task.await.ok();
        self.partitions.stop(grace).await;
        self.checkpoint_task.await.ok();
        self.checkpoint_writer.save().await;
    }
}
