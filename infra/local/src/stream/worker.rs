//! The worker of a stream: the functions that handle its records.

use std::sync::Arc;

use aws::stream::Record;
use changes::Step;
use domain::{Error, Result};
use futures::future::BoxFuture;

use super::in_flight::InFlight;

/// A worker. It gets records in order and returns the sequence number of the first one that failed.
pub type HandleRecords = Arc<dyn Fn(Vec<Record>) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// Runs one step of handling a record.
pub(crate) type HandleChangeStep = Arc<dyn Fn(Record, Step) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// Writes a record to the dead letters that the named consumer cannot handle, with the reason.
pub(crate) type WriteDeadLetter =
    Arc<dyn Fn(Record, &'static str, Error) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// The handlers of the records of a stream, and its in-flight log.
pub(crate) struct Worker {
    /// Handles a batch.
    pub(crate) handle: HandleRecords,
    /// Handles one step of a quarantined record.
    pub(crate) handle_step: HandleChangeStep,
    /// The in-flight log and the quarantine.
    pub(crate) in_flight: Arc<InFlight>,
    /// Writes a record to the dead letters that failed every attempt.
    pub(crate) write_dead_letter: WriteDeadLetter,
}
