//! The state of a batch.

use domain::models::Timestamp;

use crate::state::EmbeddingWorker;

/// After this time, in milliseconds, a batch starts no further call of the model; the rest is queued again.
const START_WINDOW_MS: i64 = 60_000;

/// A batch of messages.
pub(crate) struct Batch<'a> {
    pub(crate) state: &'a EmbeddingWorker,
    pub(crate) started: Timestamp,
}

impl Batch<'_> {
    /// Whether the batch must not start a further call of the model.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.state.runtime.now().millis_since(self.started) >= START_WINDOW_MS
    }
}
