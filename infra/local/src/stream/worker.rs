//! What is done with the records of a stream.

use std::sync::Arc;

use aws::stream::Record;
use changes::Step;
use domain::{Error, Result};
use futures::future::BoxFuture;

use crate::in_flight::InFlight;

/// A worker: handed records in order, it answers with the sequence number of the first that failed.
pub type HandleRecords = Arc<dyn Fn(Vec<Record>) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// Does one step of handling a record.
pub(crate) type HandleChangeStep = Arc<dyn Fn(Record, Step) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// Sets a record aside that the named consumer cannot handle, with the reason.
pub(crate) type SetAsideRecord =
    Arc<dyn Fn(Record, &'static str, Error) -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// What is done with the records of a stream.
pub(crate) struct Worker {
    /// The worker.
    pub(crate) handle: HandleRecords,
    /// The same worker, for a record that may have ended a process.
    pub(crate) handle_step: HandleChangeStep,
    /// Records what is being handled, and what ended processes.
    pub(crate) in_flight: Arc<InFlight>,
    /// Takes what it could not handle.
    pub(crate) set_aside: SetAsideRecord,
}
