//! The embedding worker: makes vectors of wiki entries' passages, after the entries are searchable by their words.
//!
//! A message names an entry, whose current state is read again. [`entry`] embeds the passages without a stored vector,
//! stores the vectors, and indexes the entry with them; [`passages`] calls the model. The work can stop at any point
//! and start again. A failing model is not retried here: the index knows which entries lack vectors, and the sweeper
//! queues them again. An entry that itself causes failures is given up after some attempts.

mod batch;
mod entry;
mod passages;
mod state;

use crate::batch::Batch;
use crate::entry::{EmbedOutcome, embed_entry};
use app::jobs::embedding;
use aws::queue::{Message, Task};
use domain::{Error, Result};

pub use state::EmbeddingWorker;

/// The function's name.
pub const NAME: &str = "embedding-worker";

/// After this many failures of the model a batch stops waiting for it.
const MAX_FAILURES: usize = 2;

/// Handles a batch of messages, one after another. Returns the ids of those that failed and must be delivered again.
pub async fn handle(state: &EmbeddingWorker, messages: Vec<Message>) -> Vec<String> {
    let batch = Batch { state, started: state.runtime.now() };
    let mut failed = Vec::new();
    let mut failures = 0;
    for message in messages {
        match handle_message(&batch, &message, &mut failures).await {
            Ok(()) => {}
            Err(error) => {
                let (id, times) = (&message.id, message.receive_count);
                tracing::error!(message.id = %id, message.receives = times, error = %error, "failed to handle an embedding message; the queue delivers it again");
                failed.push(message.id);
            }
        }
    }
    failed
}

/// Embeds the entry of one message, and counts failures of the model.
async fn handle_message(batch: &Batch<'_>, message: &Message, failures: &mut usize) -> Result<()> {
    let Task::Embed { scope, path } = message.task()? else {
        return Err(Error::internal("a task of another queue is in the queue of entries to embed"));
    };
    let Some(embedder) = &batch.state.embedder else { return Ok(()) };
    if *failures >= MAX_FAILURES {
        return Ok(());
    }
    match embed_entry(batch, embedder, &scope, &path).await? {
        EmbedOutcome::Done => {}
        EmbedOutcome::Unfinished => embedding::enqueue(&batch.state.queue, &scope, &path).await?,
        EmbedOutcome::Rejected(error) => {
            tracing::warn!(entry.path = %path, error = %error, "the embedding model rejected passages of an entry; the sweeper queues the entry again");
        }
        EmbedOutcome::Failed(error) => {
            tracing::warn!(metric.EmbeddingFailures = 1, entry.path = %path, error = %error, "the embedding model failed; the sweeper queues the entry again");
            *failures += 1;
        }
    }
    Ok(())
}
