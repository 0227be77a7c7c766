//! The latest run of each agent.

use domain::models::{AgentName, AgentRun, Timestamp};
use serde::Serialize;

/// How an agent's latest run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum RunStatus {
    Success,
    Failure,
    /// It never ran.
    Never,
}

/// An agent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Agent {
    name: AgentName,
    status: RunStatus,
    last_run: Option<LastRun>,
}

/// Its latest run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LastRun {
    started_at: Timestamp,
    finished_at: Timestamp,
    duration_ms: i64,
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

#[cfg(test)]
mod tests {
    use super::*;

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
