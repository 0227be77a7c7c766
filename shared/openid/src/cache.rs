//! The cache of values that are read from the provider, for an hour. One caller reads while the others wait. A failure
//! counts for all of them for some seconds, so that a provider that is silent costs each caller one wait.

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
    state: Mutex<State<T>>,
}

/// The last value that was read, and the failure of a later read.
struct State<T> {
    good: Option<Good<T>>,
    failure: Option<(Timestamp, SignInError)>,
}

struct Good<T> {
    at: Timestamp,
    value: Arc<T>,
}

impl<T> Clone for Good<T> {
    fn clone(&self) -> Self {
        Self { at: self.at, value: self.value.clone() }
    }
}

impl<T> Cached<T> {
    pub(crate) fn new(runtime: &Runtime) -> Self {
        Self { runtime: runtime.clone(), state: Mutex::new(State { good: None, failure: None }) }
    }

    /// The value, read by `read` if there is none that counts.
    pub(crate) async fn get(&self, read: impl AsyncFnOnce() -> Result<T, SignInError>) -> Result<Arc<T>, SignInError> {
        self.get_unless(|_, _| false, read).await
    }

    /// The value as in [`Cached::get`], and read again if it is at least `stale(value, age in milliseconds)`. A value
    /// that cannot be read again stays what it is; for some seconds it is not tried again.
    pub(crate) async fn get_unless(
        &self,
        stale: impl Fn(&T, i64) -> bool,
        read: impl AsyncFnOnce() -> Result<T, SignInError>,
    ) -> Result<Arc<T>, SignInError> {
        let mut state = self.state.lock().await;
        let now = self.runtime.now();
        let good = state.good.clone().filter(|good| (0..GOOD_MS).contains(&now.millis_since(good.at)));
        if let Some(good) = good.filter(|good| !stale(&good.value, now.millis_since(good.at))) {
            return Ok(good.value);
        }
        if let Some((at, error)) = &state.failure
            && (0..FAILED_MS).contains(&now.millis_since(*at))
        {
            return Err(error.clone());
        }
        match read().await.map(Arc::new) {
            Ok(value) => {
                *state = State { good: Some(Good { at: self.runtime.now(), value: value.clone() }), failure: None };
                Ok(value)
            }
            Err(error) => {
                state.failure = Some((self.runtime.now(), error.clone()));
                Err(error)
            }
        }
    }
}
