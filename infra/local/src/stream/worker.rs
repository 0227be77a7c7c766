//! The worker of a stream: the functions that handle its records.

use std::sync::Arc;

use aws::stream::Record;
use domain::{Error, Result};
use futures::future::BoxFuture;

/// A worker. It gets records in order and returns the sequence number of the first one that failed.
pub type HandleRecords = Arc<dyn Fn(Vec<Record>) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// Writes a record to the dead letters that the named consumer cannot handle, with the reason.
pub(crate) type WriteDeadLetter =
    Arc<dyn Fn(Record, &'static str, Error) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// The handlers of the records of a stream.
pub(crate) struct Worker {
    /// Handles a batch.
    pub(crate) handle: HandleRecords,
    /// Writes a record to the dead letters that failed every attempt.
    pub(crate) write_dead_letter: WriteDeadLetter,
}
