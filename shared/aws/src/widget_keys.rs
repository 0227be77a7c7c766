//! The signing keys of widget tokens. They are read again when a token names an unknown key, and before a token is
//! signed if the last read is old. So after a rotation, a running process accepts the new key, and signs with it within
//! ten minutes.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::config::WidgetTokenKey;
use domain::Result;
use domain::models::Timestamp;

/// How far apart two readings are at least, in milliseconds: tokens with made-up key names must not become a storm.
const MIN_REFRESH_INTERVAL_MS: i64 = 60_000;
/// How old the keys may be that are used, in milliseconds. A rotation waits so long until the new key signs, and again,
/// and for the last token that was signed before, until the previous key may go.
pub const MAX_KEY_AGE_MS: i64 = 10 * 60_000;

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
    /// Held while they are read again.
    readings: Mutex<RefreshTimes>,
}

/// When the keys were read again. Each reason has a limit of its own, so that one never makes the other wait.
#[derive(Debug, Default)]
struct RefreshTimes {
    for_unknown: Option<Timestamp>,
    for_signing: Option<Timestamp>,
    for_verifying: Option<Timestamp>,
    /// When the keys that it started with were first used.
    first_use: Option<Timestamp>,
    succeeded: Option<Timestamp>,
}

impl WidgetKeys {
    /// Starts with `known`; without a source they never change.
    #[must_use]
    pub fn new(known: Vec<WidgetTokenKey>, source: Option<Arc<dyn WidgetKeySource>>) -> Self {
        Self(Arc::new(Inner { known: RwLock::new(known.into()), source, readings: Mutex::default() }))
    }

    /// The keys that are known.
    #[must_use]
    pub fn known(&self) -> Arc<[WidgetTokenKey]> {
        Arc::clone(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The keys, for a token of key `kid`: where that is not known, or the keys are older than ten minutes, they are read
    /// again, each at most once a minute. So a key that was added ten minutes ago is known to every process.
    pub async fn find_by_kid(&self, kid: &str, now: Timestamp) -> Arc<[WidgetTokenKey]> {
        let Some(source) = &self.0.source else { return self.known() };
        let mut readings = self.0.readings.lock().await;
        let first_use = *readings.first_use.get_or_insert(now);
        let read_at = readings.succeeded.unwrap_or(first_use);
        let is_recent = is_within(Some(read_at), MAX_KEY_AGE_MS, now);
        if !is_recent && !is_within(readings.for_verifying, MIN_REFRESH_INTERVAL_MS, now) {
            readings.for_verifying = Some(now);
            self.read(source, &mut readings, now).await;
        }
        if !names(&self.known(), kid) && !is_within(readings.for_unknown, MIN_REFRESH_INTERVAL_MS, now) {
            readings.for_unknown = Some(now);
            self.read(source, &mut readings, now).await;
        }
        self.known()
    }

    /// The keys, for a token that is to be signed: where they were not read in the last ten minutes they are read
    /// again, at most once a minute. Where that fails, the known ones sign.
    pub async fn for_signing(&self, now: Timestamp) -> Arc<[WidgetTokenKey]> {
        let Some(source) = &self.0.source else { return self.known() };
        let mut readings = self.0.readings.lock().await;
        let is_recent = is_within(readings.succeeded, MAX_KEY_AGE_MS, now);
        if !is_recent && !is_within(readings.for_signing, MIN_REFRESH_INTERVAL_MS, now) {
            readings.for_signing = Some(now);
            self.read(source, &mut readings, now).await;
        }
        self.known()
    }

    /// Reads the keys again now; without a source nothing changes.
    ///
    /// # Errors
    /// The source cannot be read: the known keys stay in use.
    pub async fn reload(&self) -> Result<()> {
        let Some(source) = &self.0.source else { return Ok(()) };
        let keys = source.read().await?;
        *self.0.known.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
        Ok(())
    }

    async fn read(&self, source: &Arc<dyn WidgetKeySource>, readings: &mut RefreshTimes, now: Timestamp) {
        match source.read().await {
            Ok(keys) if !keys.is_empty() => {
                readings.succeeded = Some(now);
                *self.0.known.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
                tracing::debug!("reloaded the signing keys of widget tokens");
            }
            Ok(_) => {
                tracing::warn!(
                    "the secret holds no signing keys of widget tokens; the loaded keys stay in use; correct the secret"
                );
            }
            Err(error) => {
                tracing::warn!(error = %error, "failed to reload the signing keys of widget tokens; the loaded keys stay in use");
            }
        }
    }
}

/// Whether `at` was at most `age_ms` ago.
fn is_within(at: Option<Timestamp>, age_ms: i64, now: Timestamp) -> bool {
    at.is_some_and(|at| (0..age_ms).contains(&now.millis_since(at)))
}

fn names(keys: &[WidgetTokenKey], kid: &str) -> bool {
    keys.iter().any(|key| key.kid == kid)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use domain::Error;

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
            let found = keys.find_by_kid(asked, Timestamp::from_millis(seconds * 1_000)).await;
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
    async fn keys_that_sign_are_at_most_ten_minutes_old_and_a_failure_changes_nothing() {
        let source = Arc::new(Rotated::default());
        let keys = WidgetKeys::new(vec![key("k1")], Some(source.clone()));
        let signs = async |minutes: i64| {
            let keys = keys.for_signing(Timestamp::from_millis(minutes * 60_000)).await;
            (keys[0].kid.clone(), source.0.load(Ordering::SeqCst))
        };
        assert_eq!(signs(0).await, ("k2".into(), 1));
        assert_eq!(signs(9).await, ("k2".into(), 1));
        assert_eq!(signs(10).await, ("k3".into(), 2));
        assert_eq!(signs(19).await, ("k3".into(), 2));
        assert_eq!(signs(20).await, ("k3".into(), 3), "the third reading fails");
        assert_eq!(signs(20).await, ("k3".into(), 3), "and is not tried again at once");
        assert_eq!(signs(21).await, ("k5".into(), 4));
    }

    #[tokio::test]
    async fn many_tokens_at_once_read_once() {
        let source = Arc::new(Rotated::default());
        let keys = WidgetKeys::new(vec![key("k1")], Some(source.clone()));
        let asked = (0..50).map(|_| keys.find_by_kid("k2", Timestamp::from_millis(0)));
        assert!(futures::future::join_all(asked).await.iter().all(|keys| names(keys, "k2")));
        assert_eq!(source.0.load(Ordering::SeqCst), 1);
    }
}
