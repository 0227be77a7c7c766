//! How long writes are tried, and how long one waits that lost a race.

use std::time::Duration;

use super::client::Store;
use domain::Result;
use domain::models::Timestamp;

/// How long a write is retried when its caller names no deadline, in milliseconds.
const DEFAULT_TIMEOUT_MS: i64 = 8_000;
/// The first step and the cap of the back-off, in milliseconds.
const BACKOFF_RANGE_MS: (u64, u64) = (5, 200);

impl Store {
    /// Until when a write is tried whose caller names no deadline.
    pub(crate) fn default_deadline(&self) -> Timestamp {
        self.runtime.now().plus_millis(DEFAULT_TIMEOUT_MS)
    }

    /// Sleeps a random part of an exponentially growing step.
    pub(crate) async fn back_off(&self, tries: u32) -> Result<()> {
        let (first, cap) = BACKOFF_RANGE_MS;
        let step = first.saturating_mul(1 << tries.min(10)).min(cap);
        let random = u64::from_be_bytes(self.runtime.bytes::<8>()?);
        tokio::time::sleep(Duration::from_millis(random % (step + 1))).await;
        Ok(())
    }
}
