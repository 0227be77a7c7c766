//! One mutex for each key of this process, for as long as somebody holds or awaits it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

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
}
