//! The signing keys of widget tokens as a process knows them. It reads them again when they are old, when a token names
//! an unknown key, and when it holds a revoked one. So after a rotation, a running process accepts the new key, signs
//! with it, and ends the previous one in time. If they cannot be read, the known ones stay in use until they could
//! all have been replaced.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::config::{MAX_KEY_AGE_MS, PREVIOUS_FOR_MS, WidgetKeySet};
use domain::models::Timestamp;
use domain::{Error, Result};

/// How far apart two readings for the same reason are at least, in milliseconds: tokens with made-up key names must not
/// become a storm.
const MIN_REFRESH_INTERVAL_MS: i64 = 60_000;
/// The same if nothing can be signed or verified until another key is known.
const MIN_NEEDED_INTERVAL_MS: i64 = 5_000;
/// How old the keys may be with which a process signs, in milliseconds. A replaced key may sign for ten minutes: the
/// other five are for clocks, and to try again.
const MAX_SIGNING_KEY_AGE_MS: i64 = MAX_KEY_AGE_MS / 2;

/// Where the keys are kept.
#[async_trait]
pub trait WidgetKeySource: fmt::Debug + Send + Sync {
    /// Reads them.
    async fn read(&self) -> Result<WidgetKeySet>;
}

/// The keys of widget tokens. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetKeys(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    known: RwLock<Arc<WidgetKeySet>>,
    source: Option<Arc<dyn WidgetKeySource>>,
    /// Held while they are read again.
    readings: Mutex<RefreshTimes>,
}

/// When the keys were read again. Each reason has a limit of its own, so that one never makes the other wait.
#[derive(Debug)]
struct RefreshTimes {
    for_unknown: Option<Timestamp>,
    for_age: Option<Timestamp>,
    for_revoked: Option<Timestamp>,
    succeeded: Timestamp,
}

impl WidgetKeys {
    /// Starts with `known`, which was read at `read_at`; without a source they never change.
    #[must_use]
    pub fn new(known: WidgetKeySet, read_at: Timestamp, source: Option<Arc<dyn WidgetKeySource>>) -> Self {
        let readings = RefreshTimes { for_unknown: None, for_age: None, for_revoked: None, succeeded: read_at };
        Self(Arc::new(Inner { known: RwLock::new(Arc::new(known)), source, readings: Mutex::new(readings) }))
    }

    /// The keys that are known.
    #[must_use]
    pub fn known(&self) -> Arc<WidgetKeySet> {
        Arc::clone(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The keys, for a token of key `kid`: they are read again if they are older than ten minutes, `kid` is not
    /// known, or one of them is `revoked` (by its fingerprint). So a change of ten minutes ago is known to every process.
    ///
    /// # Errors
    /// 503 if they could not be read for so long that each may have been replaced.
    pub async fn find_by_kid(&self, kid: &str, revoked: &[String], now: Timestamp) -> Result<Arc<WidgetKeySet>> {
        let Some(source) = &self.0.source else { return Ok(self.known()) };
        let mut readings = self.0.readings.lock().await;
        self.renew(source, &mut readings, MAX_KEY_AGE_MS, revoked, now).await;
        if !self.known().names(kid) && !is_within(readings.for_unknown, MIN_REFRESH_INTERVAL_MS, now) {
            readings.for_unknown = Some(now);
            self.read(source, &mut readings, now).await;
        }
        self.not_too_old(&readings, now)
    }

    /// The keys, for a token that is to be signed: they are read again if they are older than five minutes, or one of
    /// them is `revoked`. If that fails, the known ones sign.
    ///
    /// # Errors
    /// 503 if the signing key is revoked and no other is known yet, and if they could not be read for so long that
    /// each may have been replaced.
    pub async fn for_signing(&self, revoked: &[String], now: Timestamp) -> Result<Arc<WidgetKeySet>> {
        let keys = match &self.0.source {
            None => self.known(),
            Some(source) => {
                let mut readings = self.0.readings.lock().await;
                self.renew(source, &mut readings, MAX_SIGNING_KEY_AGE_MS, revoked, now).await;
                self.not_too_old(&readings, now)?
            }
        };
        match revoked.contains(&keys.current.fingerprint()) {
            true => Err(Error::unavailable("the signing key of widget tokens is revoked and no other one was read")),
            false => Ok(keys),
        }
    }

    /// The keys, for cursors of lists: as for signing, but a list is answered whatever is known of them.
    pub async fn for_cursors(&self, now: Timestamp) -> Arc<WidgetKeySet> {
        if let Some(source) = &self.0.source {
            let mut readings = self.0.readings.lock().await;
            self.renew(source, &mut readings, MAX_SIGNING_KEY_AGE_MS, &[], now).await;
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
        *self.0.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        Ok(())
    }

    /// Reads them again if they are older than `max_age_ms`, at most once a minute, or if one of them is revoked or
    /// none can be used any more, at most once in five seconds.
    async fn renew(
        &self,
        source: &Arc<dyn WidgetKeySource>,
        readings: &mut RefreshTimes,
        max_age_ms: i64,
        revoked: &[String],
        now: Timestamp,
    ) {
        let is_recent = is_within(Some(readings.succeeded), max_age_ms, now);
        let is_usable = is_within(Some(readings.succeeded), PREVIOUS_FOR_MS, now);
        let interval_ms = if is_usable { MIN_REFRESH_INTERVAL_MS } else { MIN_NEEDED_INTERVAL_MS };
        if !is_recent && !is_within(readings.for_age, interval_ms, now) {
            readings.for_age = Some(now);
            self.read(source, readings, now).await;
        }
        let holds_revoked = !revoked.is_empty() && self.known().keys().any(|key| revoked.contains(&key.fingerprint()));
        if holds_revoked && !is_within(readings.for_revoked, MIN_NEEDED_INTERVAL_MS, now) {
            readings.for_revoked = Some(now);
            self.read(source, readings, now).await;
        }
    }

    fn not_too_old(&self, readings: &RefreshTimes, now: Timestamp) -> Result<Arc<WidgetKeySet>> {
        match now.millis_since(readings.succeeded) < PREVIOUS_FOR_MS {
            true => Ok(self.known()),
            false => Err(Error::unavailable("the signing keys of widget tokens could not be read for 75 minutes")),
        }
    }

    async fn read(&self, source: &Arc<dyn WidgetKeySource>, readings: &mut RefreshTimes, now: Timestamp) {
        match source.read().await {
            Ok(keys) => {
                readings.succeeded = now;
                *self.0.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
                tracing::debug!("reloaded the signing keys of widget tokens");
            }
            Err(error) => {
                tracing::warn!(error = %error, "failed to reload the signing keys of widget tokens; the loaded keys stay in use for 75 minutes at most");
            }
        }
    }
}

/// Whether `at` was at most `age_ms` ago.
fn is_within(at: Option<Timestamp>, age_ms: i64, now: Timestamp) -> bool {
    at.is_some_and(|at| (0..age_ms).contains(&now.millis_since(at)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::config::WidgetTokenKey;

    fn key(number: usize) -> WidgetTokenKey {
        WidgetTokenKey { kid: format!("k{number}"), secret: vec![u8::try_from(number).unwrap(); 32] }
    }

    fn minutes(minutes: i64) -> Timestamp {
        Timestamp::from_millis(minutes * 60_000)
    }

    fn names(keys: &WidgetKeySet) -> String {
        keys.keys().map(|key| key.kid.clone()).collect::<Vec<_>>().join(" ")
    }

    /// Has other keys at each reading, and none at the third.
    #[derive(Debug, Default)]
    struct Rotated(AtomicUsize);

    #[async_trait]
    impl WidgetKeySource for Rotated {
        async fn read(&self) -> Result<WidgetKeySet> {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                2 => Err(Error::unavailable("gone")),
                number => Ok(WidgetKeySet { previous: Some(key(number + 1)), ..WidgetKeySet::of(key(number + 2)) }),
            }
        }
    }

    /// Keys that were read at the epoch.
    fn started() -> (Arc<Rotated>, WidgetKeys) {
        let source = Arc::new(Rotated::default());
        (source.clone(), WidgetKeys::new(WidgetKeySet::of(key(1)), Timestamp::default(), Some(source)))
    }

    #[tokio::test]
    async fn an_unknown_key_is_looked_for_at_most_once_a_minute_and_a_failure_changes_nothing() {
        let (source, keys) = started();
        let kids = async |asked: &str, seconds: i64| {
            let found = keys.find_by_kid(asked, &[], Timestamp::from_millis(seconds * 1_000)).await.unwrap();
            (names(&found), source.0.load(Ordering::SeqCst))
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
    async fn keys_that_sign_are_at_most_five_minutes_old_and_a_failure_changes_nothing() {
        let (source, keys) = started();
        let signs = async |at: i64| {
            let keys = keys.for_signing(&[], minutes(at)).await.unwrap();
            (keys.current.kid.clone(), source.0.load(Ordering::SeqCst))
        };
        assert_eq!(signs(4).await, ("k1".into(), 0));
        assert_eq!(signs(5).await, ("k2".into(), 1));
        assert_eq!(signs(9).await, ("k2".into(), 1));
        assert_eq!(signs(10).await, ("k3".into(), 2));
        assert_eq!(signs(15).await, ("k3".into(), 3), "the third reading fails");
        assert_eq!(signs(15).await, ("k3".into(), 3), "and is not tried again at once");
        assert_eq!(signs(16).await, ("k5".into(), 4));
    }

    /// Cannot be read.
    #[derive(Debug)]
    struct Gone;

    #[async_trait]
    impl WidgetKeySource for Gone {
        async fn read(&self) -> Result<WidgetKeySet> {
            Err(Error::unavailable("gone"))
        }
    }

    #[tokio::test]
    async fn keys_that_cannot_be_read_are_used_until_each_could_have_been_replaced() {
        let keys = WidgetKeys::new(WidgetKeySet::of(key(1)), Timestamp::default(), Some(Arc::new(Gone)));
        for at in [0, 10, 74] {
            assert!(keys.find_by_kid("k1", &[], minutes(at)).await.is_ok(), "{at}");
            assert!(keys.for_signing(&[], minutes(at)).await.is_ok(), "{at}");
        }
        for at in [75, 1_000] {
            let refused = [
                keys.find_by_kid("k1", &[], minutes(at)).await.unwrap_err(),
                keys.for_signing(&[], minutes(at)).await.unwrap_err(),
            ];
            assert!(refused.iter().all(|error| error.code() == domain::error::Code::ServiceUnavailable), "{at}");
        }
    }

    #[tokio::test]
    async fn a_process_that_rests_before_its_first_token_reads_first() {
        let (source, keys) = started();
        assert_eq!(names(&keys.find_by_kid("k1", &[], minutes(10)).await.unwrap()), "k2 k1");
        assert_eq!(source.0.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_revoked_key_signs_nothing_and_is_replaced_at_once() {
        let (source, keys) = started();
        let revoked = [key(1).fingerprint()];
        let signing = keys.for_signing(&revoked, minutes(0)).await.unwrap();
        assert_eq!((names(&signing), source.0.load(Ordering::SeqCst)), ("k2 k1".into(), 1));
        keys.for_signing(&revoked, minutes(0)).await.unwrap();
        assert_eq!(source.0.load(Ordering::SeqCst), 1, "at most once in five seconds");
        let gone = WidgetKeys::new(WidgetKeySet::of(key(1)), Timestamp::default(), Some(Arc::new(Gone)));
        assert!(gone.for_signing(&revoked, minutes(0)).await.is_err());
        let fixed = WidgetKeys::new(WidgetKeySet::of(key(1)), Timestamp::default(), None);
        assert!(fixed.for_signing(&revoked, minutes(0)).await.is_err());
    }

    #[tokio::test]
    async fn many_tokens_at_once_read_once() {
        let (source, keys) = started();
        let asked = (0..50).map(|_| keys.find_by_kid("k2", &[], Timestamp::default()));
        assert!(futures::future::join_all(asked).await.iter().all(|keys| keys.as_ref().unwrap().names("k2")));
        assert_eq!(source.0.load(Ordering::SeqCst), 1);
    }
}
