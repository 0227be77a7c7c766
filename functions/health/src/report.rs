//! The report: what works, what does not, and what is unknown.

use std::time::Duration;

use crate::Health;
use domain::models::Timestamp;
use serde::Serialize;

use crate::agents::{Agent, agents};
use crate::checks::{self, Check, EmbeddingsCheck, Found, QueueCheck, SearchCheck, ask};
use crate::kept::Kept;

/// How the service as a whole is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Everything answers.
    Ok,
    /// What is kept can be read; what cannot be written, looked up or delivered now is refused, asked of humans, or
    /// done later.
    Degraded,
    /// Nothing can be read.
    Down,
}

/// Every check.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Checks {
    database: Check,
    /// Whether the table takes writes, found at most five seconds ago.
    database_writes: Check,
    search: SearchCheck,
    embeddings: EmbeddingsCheck,
    queues: Queues,
    model: Check,
    /// Whether the runs of the agents could be read; where not, the list of agents is empty.
    agents: Check,
}

/// Every queue.
#[derive(Debug, Serialize)]
struct Queues {
    webhooks: QueueCheck,
    ingest: QueueCheck,
    embeddings: QueueCheck,
}

/// Fields hidden from anonymous callers.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    pub(crate) time: Timestamp,
}

/// Fields for callers with a key.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) status: Status,
    version: String,
    pub(crate) time: Timestamp,
    agents: Vec<Agent>,
    checks: Checks,
}

impl Report {
    /// Runs all checks concurrently, each with the timeout `patience`. The write check runs at most once in a few
    /// seconds, because a write costs money.
    pub(crate) async fn make(ctx: &Health, writes: &Kept<Check>, patience: Duration) -> Self {
        let runs = ctx.store.agent_runs();
        let writes = writes.or_find(&ctx.ambient, async || {
            ask(&ctx.ambient, "database writes", ctx.store.probe_writes(), patience).await.check
        });
        let (database, database_writes, search, embeddings, webhooks, ingest, embedding_queue, runs) = tokio::join!(
            ask(&ctx.ambient, "database", ctx.store.ping(), patience),
            writes,
            checks::search(ctx, patience),
            checks::embeddings(ctx, patience),
            checks::queue(&ctx.ambient, &ctx.queues.webhooks, patience),
            checks::queue(&ctx.ambient, &ctx.queues.ingest, patience),
            checks::queue(&ctx.ambient, &ctx.queues.embeddings, patience),
            ask(&ctx.ambient, "agents", runs.all(), patience),
        );
        let database = database.check;
        let queues = [&webhooks, &ingest, &embedding_queue].into_iter().all(QueueCheck::is_well);
        let behind = database_writes.status == Found::Ok && search.is_well() && queues;
        Self {
            status: overall(database.status, behind),
            version: ctx.version.clone(),
            time: ctx.ambient.now(),
            agents: runs.learned.map(|runs| agents(&runs)).unwrap_or_default(),
            checks: Checks {
                database,
                database_writes,
                search,
                embeddings,
                queues: Queues { webhooks, ingest, embeddings: embedding_queue },
                model: checks::model(ctx),
                agents: runs.check,
            },
        }
    }
}

/// Without the database nothing works; everything else has a fallback. If the embedding model fails, answers are found
/// by words, and only its own check reports it.
fn overall(database: Found, behind_is_well: bool) -> Status {
    match (database, behind_is_well) {
        (Found::Ok, true) => Status::Ok,
        (Found::Ok, false) => Status::Degraded,
        _ => Status::Down,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_database_the_service_is_down_and_without_anything_else_degraded() {
        assert_eq!(overall(Found::Ok, true), Status::Ok);
        assert_eq!(overall(Found::Ok, false), Status::Degraded);
        assert_eq!(overall(Found::Failed, true), Status::Down);
        assert_eq!(overall(Found::Timeout, false), Status::Down);
    }
}
