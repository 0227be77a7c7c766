//! The keys of widget tokens, read again when a token names one that is not known: after a rotation, a process that
//! started before it accepts the new key, too.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::Result;
use crate::config::WidgetTokenKey;
use crate::models::Timestamp;

/// How far apart two readings are at least, in milliseconds: tokens with made-up key names must not become a storm.
const READ_AGAIN_MS: i64 = 60_000;

/// Where the keys are kept.
#[async_trait]
pub trait WidgetKeySource: fmt::Debug + Send + Sync {
    /// Reads them.
    async fn read(&self) -> Result<Vec<WidgetTokenKey>>;
}

/// The keys of widget tokens; the first one signs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetKeys(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    known: RwLock<Arc<[WidgetTokenKey]>>,
    source: Option<Arc<dyn WidgetKeySource>>,
    /// When they were last read again; held while that is done.
    read_at: Mutex<Option<Timestamp>>,
}

impl WidgetKeys {
    /// Starts with `known`; without a source they never change.
    #[must_use]
    pub fn new(known: Vec<WidgetTokenKey>, source: Option<Arc<dyn WidgetKeySource>>) -> Self {
        Self(Arc::new(Inner { known: RwLock::new(known.into()), source, read_at: Mutex::new(None) }))
    }

    /// The keys that are known.
    #[must_use]
    pub fn known(&self) -> Arc<[WidgetTokenKey]> {
        Arc::clone(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The keys, for a token of key `kid`: where that is not known they are read again, at most once a minute.
    pub async fn naming(&self, kid: &str, now: Timestamp) -> Arc<[WidgetTokenKey]> {
        let known = self.known();
        let Some(source) = self.0.source.as_ref().filter(|_| !names(&known, kid)) else { return known };
        let mut read_at = self.0.read_at.lock().await;
        let known = self.known();
        let recent = read_at.is_some_and(|at| (0..READ_AGAIN_MS).contains(&now.millis_since(at)));
        if recent || names(&known, kid) {
            return known;
        }
        *read_at = Some(now);
        match source.read().await {
            Ok(keys) if !keys.is_empty() => {
                let keys: Arc<[WidgetTokenKey]> = keys.into();
                *self.0.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&keys);
                tracing::info!("the keys of widget tokens were read again because a token names an unknown key");
                keys
            }
            Ok(_) => {
                tracing::warn!("the keys of widget tokens were read again and there are none; the known ones stay");
                known
            }
            Err(error) => {
                tracing::warn!(%error, "the keys of widget tokens cannot be read again; the known ones stay");
                known
            }
        }
    }
}

fn names(keys: &[WidgetTokenKey], kid: &str) -> bool {
    keys.iter().any(|key| key.kid == kid)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Error;

    fn key(kid: &str) -> WidgetTokenKey {
        WidgetTokenKey { kid: kid.to_owned(), secret: vec![7; 32] }
    }

    /// Has other keys at each reading, and none at the third.
    #[derive(Debug, Default)]
    struct Rotated(AtomicUsize);

    #[async_trait]
    impl WidgetKeySource for Rotated {
        async fn read(&self) -> Result<Vec<WidgetTokenKey>> {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                2 => Err(Error::unavailable("gone")),
                number => Ok(vec![key(&format!("k{}", number + 2)), key(&format!("k{}", number + 1))]),
            }
        }
    }

    #[tokio::test]
    async fn an_unknown_key_is_looked_for_at_most_once_a_minute_and_a_failure_changes_nothing() {
        let source = Arc::new(Rotated::default());
        let keys = WidgetKeys::new(vec![key("k1")], Some(source.clone()));
        let kids = async |asked: &str, seconds: i64| {
            let found = keys.naming(asked, Timestamp::from_millis(seconds * 1_000)).await;
            (found.iter().map(|key| key.kid.clone()).collect::<Vec<_>>().join(" "), source.0.load(Ordering::SeqCst))
        };
        assert_eq!(kids("k1", 0).await, ("k1".into(), 0));
        assert_eq!(kids("k2", 1).await, ("k2 k1".into(), 1));
        for second in 1..61 {
            assert_eq!(kids("made-up", second).await, ("k2 k1".into(), 1), "{second}");
        }
        assert_eq!(kids("k3", 61).await, ("k3 k2".into(), 2));
        assert_eq!(kids("k2", 62).await, ("k3 k2".into(), 2));
        assert_eq!(kids("k4", 121).await, ("k3 k2".into(), 3));
    }

    #[tokio::test]
    async fn many_tokens_at_once_read_once() {
        let source = Arc::new(Rotated::default());
        let keys = WidgetKeys::new(vec![key("k1")], Some(source.clone()));
        let asked = (0..50).map(|_| keys.naming("k2", Timestamp::from_millis(0)));
        assert!(futures::future::join_all(asked).await.iter().all(|keys| names(keys, "k2")));
        assert_eq!(source.0.load(Ordering::SeqCst), 1);
    }
}
