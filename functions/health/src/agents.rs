//! The latest run of each agent.

use domain::models::{AgentName, AgentRun, Timestamp, wire_enum};
use schemars::JsonSchema;
use serde::Serialize;

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
