//! The report: what works, what does not, and what is unknown, with the latest run of each agent. Callers without a key
//! read its status alone. A report is cached for a few seconds.

use std::sync::Arc;
use std::time::Duration;

use aws::queue::Queue;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::clock::Runtime;
use domain::models::{AgentName, AgentRun, Timestamp, wire_enum};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use tokio::sync::Mutex;

use crate::edge::describe::{Operation, Output};
use crate::edge::{App, Json, ServiceDown};
use crate::health::checks::{self, Check, CheckStatus, EmbeddingsCheck, QueueCheck, SearchCheck, check_with_timeout};

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
    pub(crate) async fn build(app: &App, timeout: Duration) -> Self {
        let runs = app.store.agent_runs();
        let (database, database_writes, search, embeddings, webhooks, ingest, embedding_queue, runs) = tokio::join!(
            check_with_timeout(&app.runtime, "database", app.store.ping(), timeout),
            check_with_timeout(&app.runtime, "database writes", app.store.probe_writes(), timeout),
            checks::search(app, timeout),
            checks::embeddings(app, timeout),
            checks::queue(app, Queue::Webhooks, timeout),
            checks::queue(app, Queue::Ingest, timeout),
            checks::queue(app, Queue::Embeddings, timeout),
            check_with_timeout(&app.runtime, "agents", runs.list(), timeout),
        );
        let (database, database_writes) = (database.check, database_writes.check);
        let queues = [&webhooks, &ingest, &embedding_queue].into_iter().all(QueueCheck::is_healthy);
        let dependencies = database_writes.status == CheckStatus::Ok && search.is_healthy() && queues;
        Self {
            status: overall_status(database.status, dependencies),
            version: app.config.version.clone(),
            tzdata: domain::hours::RELEASE,
            time: app.runtime.now(),
            agents: runs.value.map(|runs| agents(&runs)).unwrap_or_default(),
            checks: Checks {
                database,
                database_writes,
                search,
                embeddings,
                queues: Queues { webhooks, ingest, embeddings: embedding_queue },
                model: checks::model(app),
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

wire_enum! {
    /// How the service as a whole is.
    pub(crate) enum Status {
        /// Everything answers.
        Ok => "ok",
        /// Stored data can be read; writes, searches or deliveries that fail now are refused, handed to humans, or done
        /// later.
        Degraded => "degraded",
        /// Nothing can be read.
        Down => "down",
    }
}

/// The report to callers without a key.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "HealthBrief")]
pub(crate) struct PublicReport {
    /// How the service as a whole is.
    pub(crate) status: Status,
    /// When it was found.
    pub(crate) time: Timestamp,
}

wire_enum! {
    /// How an agent's latest run went.
    pub(crate) enum RunStatus {
        /// It did its work.
        Success => "success",
        /// It failed; `error` says why.
        Failure => "failure",
        /// It never ran.
        Never => "never",
    }
}

/// Work behind the scenes, and how its latest run went.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentHealth")]
pub(crate) struct Agent {
    /// Which one.
    name: AgentName,
    /// How its latest run went.
    status: RunStatus,
    /// Its latest run.
    last_run: Option<LastRun>,
}

/// The latest run of an agent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentRun")]
struct LastRun {
    /// When it began.
    started_at: Timestamp,
    /// When it ended.
    finished_at: Timestamp,
    /// How long it took, in milliseconds.
    duration_ms: i64,
    /// The error of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Every agent in the documented order, with its latest run if known.
pub(crate) fn agents(runs: &[AgentRun]) -> Vec<Agent> {
    let agent = |name: &AgentName| {
        let run = runs.iter().find(|run| run.agent == *name);
        Agent {
            name: *name,
            status: run.map_or(RunStatus::Never, |run| match run.error {
                None => RunStatus::Success,
                Some(_) => RunStatus::Failure,
            }),
            last_run: run.map(|run| LastRun {
                started_at: run.started_at,
                finished_at: run.finished_at,
                duration_ms: run.finished_at.millis_since(run.started_at),
                error: run.error.clone(),
            }),
        }
    };
    AgentName::ALL.iter().map(agent).collect()
}

/// How long a result is reused, in milliseconds.
const CACHE_MS: i64 = 5_000;

/// A cached result. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Cached<T>(Arc<Mutex<Option<(Timestamp, T)>>>);

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Cached<T> {
    /// The cached result, or else that of `compute`. Of several concurrent callers one computes it.
    pub(crate) async fn get_or_compute(&self, runtime: &Runtime, compute: impl AsyncFnOnce() -> T) -> T {
        let mut cached = self.0.lock().await;
        let fresh = |at: Timestamp| (0..CACHE_MS).contains(&runtime.now().millis_since(at));
        if let Some((at, result)) = cached.as_ref()
            && fresh(*at)
        {
            return result.clone();
        }
        let result = compute().await;
        *cached = Some((runtime.now(), result.clone()));
        result
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

    #[test]
    fn an_agent_that_never_ran_says_so_and_one_that_failed_says_why() {
        let at = Timestamp::from_millis;
        let run = AgentRun {
            agent: AgentName::Ingest,
            started_at: at(1_000),
            finished_at: at(1_250),
            error: Some("the table does not answer".into()),
        };
        let shown = serde_json::to_value(agents(&[run])).unwrap();
        assert_eq!(shown[0], serde_json::json!({"name": "answer", "status": "never", "lastRun": null}));
        assert_eq!((&shown[1]["name"], &shown[1]["status"]), (&"ingest".into(), &"failure".into()));
        assert_eq!(shown[1]["lastRun"]["durationMs"], 250);
        assert_eq!(shown[1]["lastRun"]["error"], "the table does not answer");
        assert_eq!(shown.as_array().unwrap().len(), 5);
    }
}
