//! The latest run of each agent, for `GET /health`.
//!
//! To save writes, a process records successes of an agent at most every few seconds. A failure is always recorded, and
//! so is the first success after it.

use domain::Result;
use domain::models::{AgentName, AgentRun, Timestamp};

use crate::table::item::{Expression, ItemKind, item, value};
use crate::table::keys::Key;
use crate::table::transaction::Write;
use crate::table::{Consistency, repository};

repository!(agent_runs: AgentRunRepository);

impl AgentRunRepository<'_> {
    /// Records a run, unless it adds nothing. `error` is visible to every key of every tenant: a short sentence without
    /// names, ids or texts. Never fails its caller: a failure is logged.
    pub async fn record(&self, agent: AgentName, started_at: Timestamp, finished_at: Timestamp, error: Option<&str>) {
        let run = AgentRun { agent, started_at, finished_at, error: error.map(str::to_owned) };
        if !self.0.recorded.should_record(&run) {
            return;
        }
        if let Err(error) = self.write(&run).await {
            self.0.recorded.forget(agent);
            tracing::warn!(agent = %agent, error = %error, "failed to record a run of an agent");
        }
    }

    /// A later run that another process recorded stays.
    async fn write(&self, run: &AgentRun) -> Result<()> {
        let stored = item(&agent_run_key(run.agent.as_str()), ItemKind::AgentRun, run)?;
        let older = Expression::new("attribute_not_exists(pk) OR finishedAt <= :finished")
            .with(":finished", value(&run.finished_at)?);
        let write = Write::Put { item: stored, condition: Some(older) };
        // Never worth a wait: the deadline is over, so a conflict is not tried again.
        self.0.commit(write, Some(run.finished_at)).await.map(drop)
    }

    /// The latest run of each agent that ever ran.
    pub async fn list(&self) -> Result<Vec<AgentRun>> {
        let keys: Vec<_> = AgentName::ALL.iter().map(|agent| agent_run_key(agent.as_str())).collect();
        self.0.get_many(&keys, Consistency::Strong).await
    }
}

/// The partition of every agent's latest run.
const AGENT_RUNS: &str = "AGENTS";

fn agent_run_key(agent: &str) -> Key {
    Key::new(AGENT_RUNS.to_owned(), agent)
}
