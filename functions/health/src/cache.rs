//! Caches a result for a few seconds.

use std::sync::Arc;

use domain::clock::Runtime;
use domain::models::Timestamp;
use tokio::sync::Mutex;

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
