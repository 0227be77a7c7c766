//! The report: what works, what does not, and what could not be found out.

use std::time::Duration;

use serde::Serialize;
use shared::Ctx;
use shared::models::Timestamp;
use shared::queue::Queue;

use crate::agents::{Agent, agents};
use crate::checks::{self, Check, Found, QueueCheck, ask};

/// How the service as a whole is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Everything answers.
    Ok,
    /// Sessions are kept; what cannot be looked up or delivered now is asked of humans, or done later.
    Degraded,
    /// Nothing can be kept.
    Down,
}

/// Every check.
#[derive(Debug, Serialize)]
struct Checks {
    database: Check,
    search: Check,
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
}

/// What nobody gets to know.
#[derive(Debug, Serialize)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    pub(crate) time: Timestamp,
}

/// What somebody with a key gets to know.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) status: Status,
    version: String,
    pub(crate) time: Timestamp,
    agents: Vec<Agent>,
    checks: Checks,
}

impl Report {
    /// Asks everything at once, each for at most `patience`.
    pub(crate) async fn make(ctx: &Ctx, patience: Duration) -> Self {
        let runs = ctx.store.agent_runs();
        let (database, search, webhooks, ingest, runs) = tokio::join!(
            ask(&ctx.ambient, "database", ctx.store.ping(), patience),
            ask(&ctx.ambient, "search", ctx.index.ping(), patience),
            checks::queue(ctx, Queue::Webhooks, patience),
            checks::queue(ctx, Queue::Ingest, patience),
            ask(&ctx.ambient, "agents", runs.all(), patience),
        );
        let (database, search) = (database.check, search.check);
        let behind = [search.status, webhooks.check.status, ingest.check.status];
        Self {
            status: overall(database.status, &behind),
            version: ctx.config.version.clone(),
            time: ctx.ambient.now(),
            agents: runs.learned.map(|runs| agents(&runs)).unwrap_or_default(),
            checks: Checks {
                database,
                search,
                queues: Queues { webhooks, ingest },
                model: checks::model(ctx),
                agents: runs.check,
            },
        }
    }
}

/// Nothing works without the database; everything else has something to fall back on.
fn overall(database: Found, behind: &[Found]) -> Status {
    let well = |found: &Found| matches!(found, Found::Ok | Found::NotConfigured);
    match database {
        Found::Ok if behind.iter().all(well) => Status::Ok,
        Found::Ok => Status::Degraded,
        _ => Status::Down,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_database_the_service_is_down_and_without_anything_else_degraded() {
        assert_eq!(overall(Found::Ok, &[Found::Ok, Found::NotConfigured]), Status::Ok);
        assert_eq!(overall(Found::Ok, &[Found::Ok, Found::Timeout]), Status::Degraded);
        assert_eq!(overall(Found::Ok, &[Found::Failed, Found::Ok]), Status::Degraded);
        assert_eq!(overall(Found::Failed, &[Found::Ok]), Status::Down);
        assert_eq!(overall(Found::Timeout, &[Found::Ok]), Status::Down);
    }
}
