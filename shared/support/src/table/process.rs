//! What this process remembers of its own writes: a mutex for each key that its writers compete for, the runs of agents
//! that it recorded, and the buckets of rate limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use domain::models::{AgentName, AgentRun, Timestamp};
use domain::rate_limit::Meter;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::table::keys::Key;

/// The number of keys at which those that nobody uses are removed.
const CLEANUP_THRESHOLD: usize = 1_024;

/// The mutexes by key, shared by all clones.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyedMutex(Arc<Mutex<HashMap<String, Weak<AsyncMutex<()>>>>>);

impl KeyedMutex {
    /// Locks `key`, in the order of the calls, until the guard is dropped.
    pub(crate) async fn lock(&self, key: &str) -> OwnedMutexGuard<()> {
        self.of(key).lock_owned().await
    }

    fn of(&self, key: &str) -> Arc<AsyncMutex<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mutex) = all.get(key).and_then(Weak::upgrade) {
            return mutex;
        }
        if all.len() >= CLEANUP_THRESHOLD {
            all.retain(|_, mutex| mutex.strong_count() > 0);
        }
        let mutex = Arc::new(AsyncMutex::new(()));
        all.insert(key.to_owned(), Arc::downgrade(&mutex));
        mutex
    }
}

/// How far apart the recorded successes of one agent in one process are, in milliseconds.
const SUCCESS_RECORD_INTERVAL_MS: i64 = 5_000;

/// The last run of each agent that this process recorded: when it finished, and whether it succeeded.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordedRuns(Arc<Mutex<HashMap<AgentName, (Timestamp, bool)>>>);

impl RecordedRuns {
    /// Whether to record a run. If so it counts as recorded from here on, so that one of many concurrent runs writes.
    pub(crate) fn should_record(&self, run: &AgentRun) -> bool {
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
    pub(crate) fn forget(&self, agent: AgentName) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&agent);
    }
}

/// How long a call waits for a bucket to be stored.
pub(crate) const BUCKET_TIMEOUT: Duration = Duration::from_millis(250);

/// How many buckets a process remembers; then it forgets those that no call uses.
const MAX_REMEMBERED: usize = 20_000;

/// This process's knowledge of each bucket; shared by the clones of a store.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meters(Arc<Mutex<HashMap<Key, Arc<AsyncMutex<Meter>>>>>);

impl Meters {
    /// The known state of a bucket. Only the holder of its lock takes of the bucket.
    pub(crate) fn of(&self, key: &Key) -> Arc<AsyncMutex<Meter>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(key) {
            return Arc::clone(known);
        }
        if all.len() >= MAX_REMEMBERED {
            all.retain(|_, known| Arc::strong_count(known) > 1);
        }
        Arc::clone(all.entry(key.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_is_held_by_one_at_a_time_and_other_keys_are_free() {
        let mutex = KeyedMutex::default();
        let first = mutex.lock("a").await;
        let _other = mutex.lock("b").await;
        let second = tokio::spawn({
            let mutex = mutex.clone();
            async move { mutex.lock("a").await }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        drop(second.await.unwrap());
        let _third = mutex.lock("a").await;
    }

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
