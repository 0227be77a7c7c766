//! Caches a result for a few seconds.

use std::sync::Arc;

use domain::clock::Ambient;
use domain::models::Timestamp;
use tokio::sync::Mutex;

/// How long a result is reused, in milliseconds.
const KEPT_MS: i64 = 5_000;

/// Something that was found. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Kept<T>(Arc<Mutex<Option<(Timestamp, T)>>>);

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Kept<T> {
    /// What was found less than five seconds ago, or else what `find` finds; of many who ask at once one finds it.
    pub(crate) async fn or_find(&self, ambient: &Ambient, find: impl AsyncFnOnce() -> T) -> T {
        let mut kept = self.0.lock().await;
        let fresh = |at: Timestamp| (0..KEPT_MS).contains(&ambient.now().millis_since(at));
        if let Some((at, found)) = kept.as_ref()
            && fresh(*at)
        {
            return found.clone();
        }
        let found = find().await;
        *kept = Some((ambient.now(), found.clone()));
        found
    }
}
