//! What a batch knows as it goes on.

use domain::models::Timestamp;

use crate::EmbeddingWorker;

/// After so long, in milliseconds, a batch begins with no further call of the model; what is left is sent again.
const BEGINNING_MS: i64 = 60_000;

/// A batch of messages.
pub(crate) struct Batch<'a> {
    pub(crate) ctx: &'a EmbeddingWorker,
    pub(crate) begun: Timestamp,
}

impl Batch<'_> {
    /// Whether no further call of the model is to begin.
    pub(crate) fn is_over(&self) -> bool {
        self.ctx.ambient.now().millis_since(self.begun) >= BEGINNING_MS
    }
}
