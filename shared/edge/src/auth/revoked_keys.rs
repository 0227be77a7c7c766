//! The revoked signing keys of widget tokens: read from the table, and remembered for a few seconds, because every
//! request of a widget asks.

use std::sync::{Arc, Mutex, PoisonError};

use aws::store::Store;
use domain::Result;
use domain::models::Timestamp;

use super::MAX_STATUS_AGE_MS;

/// Knows the revoked keys; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct RevokedKeys {
    store: Store,
    remembered: Arc<Mutex<Remembered>>,
}

/// When they were read, and their fingerprints; none before the first reading.
type Remembered = Option<(Timestamp, Arc<[String]>)>;

impl RevokedKeys {
    pub(super) fn new(store: Store) -> Self {
        Self { store, remembered: Arc::default() }
    }

    /// Their fingerprints.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn list(&self, now: Timestamp) -> Result<Arc<[String]>> {
        let known = self.remembered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((read_at, revoked)) = known
            && (0..MAX_STATUS_AGE_MS).contains(&now.millis_since(read_at))
        {
            return Ok(revoked);
        }
        let revoked: Arc<[String]> = self.store.revoked_widget_keys().list().await?.into();
        *self.remembered.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&revoked)));
        Ok(revoked)
    }
}
