//! This process's knowledge of the buckets of rate limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as AsyncMutex;

use super::keys::Key;
use domain::rate_limit::Meter;

/// How long a call waits for a bucket to be stored.
pub(super) const BUCKET_TIMEOUT: Duration = Duration::from_millis(250);

/// How many buckets a process remembers; then it forgets those that no call uses.
const MAX_REMEMBERED: usize = 20_000;

/// This process's knowledge of each bucket; shared by the clones of a store.
#[derive(Debug, Clone, Default)]
pub(super) struct Meters(Arc<Mutex<HashMap<Key, Arc<AsyncMutex<Known>>>>>);

/// The known state of a bucket, and the time until which it is not stored, in microseconds.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) meter: Meter,
    pub(super) paused_until_us: i64,
}

impl Meters {
    /// The known state of a bucket. Only the holder of its lock takes of the bucket.
    pub(super) fn of(&self, key: &Key) -> Arc<AsyncMutex<Known>> {
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
