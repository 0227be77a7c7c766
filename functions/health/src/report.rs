//! The report: what works, what does not, and what is unknown.

use std::sync::Arc;
use std::time::Duration;

use crate::clients::Clients;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::models::Timestamp;
use edge::describe::{Operation, Output};
use edge::{Json, ServiceDown};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::agents::{Agent, agents};
use crate::check::{Check, CheckStatus, check_with_timeout};
use crate::checks::{self, EmbeddingsCheck, QueueCheck, SearchCheck};
use crate::public_report::{PublicReport, Status};

/// Every check of the report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HealthChecks")]
struct Checks {
    /// Whether the table answers.
    database: Check,
    /// Whether the table takes writes.
    database_writes: Check,
    /// The index of wiki entries.
    search: SearchCheck,
    /// The embedding model.
    embeddings: EmbeddingsCheck,
    /// The queues and what waits in them.
    queues: Queues,
    /// The language model.
    model: Check,
    /// Whether the runs of the agents could be read; where not, the list of agents is empty.
    agents: Check,
}

/// Every queue.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "QueueChecks")]
struct Queues {
    /// Deliveries of events.
    webhooks: QueueCheck,
    /// Ingest jobs.
    ingest: QueueCheck,
    /// Entries to be embedded.
    embeddings: QueueCheck,
}

/// The report to callers with a key.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HealthReport")]
pub(crate) struct Report {
    /// How the service as a whole is.
    pub(crate) status: Status,
    /// The version that runs.
    version: String,
    /// The release of the IANA's time zone data by which opening hours are read, such as `2026f`.
    tzdata: &'static str,
    /// When it was found.
    pub(crate) time: Timestamp,
    /// The work behind the scenes.
    agents: Vec<Agent>,
    /// The checks of the parts that the service needs.
    checks: Checks,
}

/// The answer to whoever asks for the service's health.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Health")]
pub(crate) enum HealthOut {
    /// Somebody with a key asked.
    Report(Arc<Report>),
    /// Nobody did.
    PublicReport(PublicReport),
}

impl IntoResponse for HealthOut {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Report(report) => report.status,
            Self::PublicReport(brief) => brief.status,
        };
        match status {
            Status::Ok | Status::Degraded => Json(self).into_response(),
            Status::Down => ServiceDown(self).into_response(),
        }
    }
}

impl Output for HealthOut {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        operation.answer::<Self>(StatusCode::OK, generator);
        operation.answer::<Self>(StatusCode::SERVICE_UNAVAILABLE, generator);
    }
}

impl Report {
    /// Runs all checks concurrently, each with the timeout `timeout`.
    pub(crate) async fn build(clients: &Clients, timeout: Duration) -> Self {
        let runs = clients.store.agent_runs();
        let (database, database_writes, search, embeddings, webhooks, ingest, embedding_queue, runs) = tokio::join!(
            check_with_timeout(&clients.runtime, "database", clients.store.ping(), timeout),
            check_with_timeout(&clients.runtime, "database writes", clients.store.probe_writes(), timeout),
            checks::search(clients, timeout),
            checks::embeddings(clients, timeout),
            checks::queue(&clients.runtime, &clients.queues.webhooks, timeout),
            checks::queue(&clients.runtime, &clients.queues.ingest, timeout),
            checks::queue(&clients.runtime, &clients.queues.embeddings, timeout),
            check_with_timeout(&clients.runtime, "agents", runs.list(), timeout),
        );
        let (database, database_writes) = (database.check, database_writes.check);
        let queues = [&webhooks, &ingest, &embedding_queue].into_iter().all(QueueCheck::is_healthy);
        let dependencies = database_writes.status == CheckStatus::Ok && search.is_healthy() && queues;
        Self {
            status: overall_status(database.status, dependencies),
            version: clients.version.clone(),
            tzdata: domain::hours::RELEASE,
            time: clients.runtime.now(),
            agents: runs.value.map(|runs| agents(&runs)).unwrap_or_default(),
            checks: Checks {
                database,
                database_writes,
                search,
                embeddings,
                queues: Queues { webhooks, ingest, embeddings: embedding_queue },
                model: checks::model(clients),
                agents: runs.check,
            },
        }
    }
}

/// Without the database nothing works; everything else has a fallback. If the embedding model fails, answers are found
/// by words, and only its own check reports it.
fn overall_status(database: CheckStatus, dependencies_are_healthy: bool) -> Status {
    match (database, dependencies_are_healthy) {
        (CheckStatus::Ok, true) => Status::Ok,
        (CheckStatus::Ok, false) => Status::Degraded,
        _ => Status::Down,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_database_the_service_is_down_and_without_anything_else_degraded() {
        assert_eq!(overall_status(CheckStatus::Ok, true), Status::Ok);
        assert_eq!(overall_status(CheckStatus::Ok, false), Status::Degraded);
        assert_eq!(overall_status(CheckStatus::Failed, true), Status::Down);
        assert_eq!(overall_status(CheckStatus::Timeout, false), Status::Down);
    }
}
