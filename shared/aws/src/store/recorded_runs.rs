//! Remembers the runs of agents that this process recorded, so that it does not write each of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::models::{AgentName, AgentRun, Timestamp};

/// How far apart the recorded successes of one agent in one process are, in milliseconds.
const SUCCESS_RECORD_INTERVAL_MS: i64 = 5_000;

/// The last run of each agent that this process recorded: when it finished, and whether it succeeded.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordedRuns(Arc<Mutex<HashMap<AgentName, (Timestamp, bool)>>>);

impl RecordedRuns {
    /// Whether to record a run. If so it counts as recorded from here on, so that one of many concurrent runs writes.
    pub(super) fn should_record(&self, run: &AgentRun) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let well = run.error.is_none();
        let news = match all.get(&run.agent) {
            Some((at, true)) if well => run.finished_at.millis_since(*at) >= SUCCESS_RECORD_INTERVAL_MS,
            _ => true,
        };
        if news {
            all.insert(run.agent, (run.finished_at, well));
        }
        news
    }

    /// Forgets the last run of an agent, so that the next one is recorded.
    pub(super) fn forget(&self, agent: AgentName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&agent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successes_are_recorded_seldom_and_failures_and_what_follows_them_always() {
        let recorded = RecordedRuns::default();
        let tell = |at: i64, error: Option<&str>| {
            let at = Timestamp::from_millis(at);
            let error = error.map(str::to_owned);
            let run = AgentRun { agent: AgentName::Sweeper, started_at: at, finished_at: at, error };
            recorded.should_record(&run)
        };
        let recorded = [
            tell(0, None),
            tell(4_999, None),
            tell(5_000, None),
            tell(5_001, Some("e")),
            tell(5_002, Some("e")),
            tell(5_003, None),
            tell(5_004, None),
        ];
        assert_eq!(recorded, [true, false, true, true, true, true, false]);
    }
}
