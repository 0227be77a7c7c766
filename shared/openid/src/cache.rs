//! What was read of the provider, for an hour. One caller reads while the others wait; a failure counts for all of them
//! for some seconds, so that a provider that is silent costs each caller one wait.

use std::sync::Arc;

use domain::clock::Runtime;
use domain::models::Timestamp;
use tokio::sync::Mutex;

use crate::error::SignInError;

/// How long an answer is used, in milliseconds.
const GOOD_MS: i64 = 3_600_000;
/// How long a failure is, in milliseconds.
const FAILED_MS: i64 = 5_000;

/// A value that is read from the provider when it is needed.
pub(crate) struct Cached<T> {
    runtime: Runtime,
    state: Mutex<Option<Reading<T>>>,
}

struct Reading<T> {
    at: Timestamp,
    result: Result<Arc<T>, SignInError>,
}

impl<T> Reading<T> {
    /// Whether it counts at `now`; never before it was made, because clocks are set.
    fn counts(&self, now: Timestamp) -> bool {
        let life_ms = if self.result.is_ok() { GOOD_MS } else { FAILED_MS };
        (0..life_ms).contains(&now.millis_since(self.at))
    }
}

impl<T> Cached<T> {
    pub(crate) fn new(runtime: &Runtime) -> Self {
        Self { runtime: runtime.clone(), state: Mutex::new(None) }
    }

    /// The value, read by `read` where there is none that counts.
    pub(crate) async fn get(&self, read: impl AsyncFnOnce() -> Result<T, SignInError>) -> Result<Arc<T>, SignInError> {
        self.get_unless(|_, _| false, read).await
    }

    /// The value as in [`Cached::get`], and read again where it is at least `stale(value, age in milliseconds)`.
    pub(crate) async fn get_unless(
        &self,
        stale: impl Fn(&T, i64) -> bool,
        read: impl AsyncFnOnce() -> Result<T, SignInError>,
    ) -> Result<Arc<T>, SignInError> {
        let mut state = self.state.lock().await;
        let now = self.runtime.now();
        if let Some(reading) = state.as_ref().filter(|reading| reading.counts(now)) {
            let is_stale = |value: &Arc<T>| stale(value, now.millis_since(reading.at));
            if !reading.result.as_ref().is_ok_and(is_stale) {
                return reading.result.clone();
            }
        }
        let result = read().await.map(Arc::new);
        *state = Some(Reading { at: self.runtime.now(), result: result.clone() });
        result
    }
}
