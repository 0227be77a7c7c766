//! The ingest worker: makes wiki entries of pages and texts.
//!
//! [`job`] claims a job and runs it, [`source`] gets its text, [`page`] makes drafts of it, [`plan`] compares
//! them with the wiki, [`mod@write`] applies the difference, and [`tidy`] lets a language model, if one is configured,
//! title and tidy the sections.
//!
//! The work can stop at any point and start again: what was written is found in the wiki and not written twice.

mod job;
mod job_error;
mod plan;
mod source;
mod state;
mod tidy;
mod write;

use aws::queue::{Message, Task};
use domain::models::AgentName;
use futures::{StreamExt, stream};

pub use state::IngestWorker;

/// The number of jobs of one batch that run concurrently; on AWS a batch is one job.
const CONCURRENCY: usize = 4;

/// Handles a batch of messages. Returns the ids of those that failed and must be delivered again.
pub async fn handle(state: &IngestWorker, messages: Vec<Message>) -> Vec<String> {
    let started = state.runtime.now();
    let failed = stream::iter(messages).map(|message| async move {
        let Err(error) = handle_message(state, &message).await else { return None };
        let receives = message.receive_count;
        tracing::error!(message.id = message.id, message.receives = receives, error = %error, "failed to handle an ingest message; the queue delivers it again");
        Some(message.id)
    });
    let failed: Vec<String> = failed.buffered(CONCURRENCY).filter_map(std::future::ready).collect().await;
    let last_error = (!failed.is_empty()).then_some("a job did not complete and is retried");
    state.store.agent_runs().record(AgentName::Ingest, started, state.runtime.now(), last_error).await;
    failed
}

async fn handle_message(state: &IngestWorker, message: &Message) -> domain::Result<()> {
    match message.task()? {
        Task::Ingest { scope, ingest_id } => job::run_job(state, &scope, &ingest_id).await,
        Task::Deliver { .. } | Task::Embed { .. } => {
            Err(domain::Error::internal("a task of another queue is in the queue of ingest jobs"))
        }
    }
}
