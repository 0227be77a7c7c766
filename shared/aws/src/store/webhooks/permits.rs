//! Permits of a slow receiver: a limited number of deliveries may run for it at once, over all workers, so that they
//! stay free for others.

use serde::{Deserialize, Serialize};

use super::Webhooks;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::keys::Key;
use crate::store::table::{item, number};
use crate::store::transaction::Write;
use crate::store::update::{Basis, Decision};
use domain::Result;
use domain::models::{Scope, Timestamp, WebhookId};
use domain::webhooks::RECEIVER_CONCURRENCY;

/// How long an item without a place taken is kept, in hours.
const RETENTION_HOURS: i64 = 24;

/// Who waits: a random name each, and until when at the most.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PermitsRecord {
    #[serde(default)]
    taken: Vec<(String, Timestamp)>,
    #[serde(default)]
    version: u64,
}

impl Webhooks<'_> {
    /// Takes a place with a receiver for `holder`, who gives it back or loses it at `until`; false where none is free.
    pub async fn acquire_permit(&self, scope: &Scope, id: &WebhookId, holder: &str, until: Timestamp) -> Result<bool> {
        let key = keys::webhook_permits(scope, id);
        let decide = |seen: Option<PermitsRecord>| {
            let mut slots = seen.unwrap_or_default();
            let now = self.0.runtime.now();
            slots.taken.retain(|(_, until)| *until > now);
            if slots.taken.iter().any(|(name, _)| name == holder) {
                return Ok(Decision::Keep(true));
            }
            if slots.taken.len() >= RECEIVER_CONCURRENCY {
                return Ok(Decision::Keep(false));
            }
            slots.taken.push((holder.to_owned(), until));
            Ok(Decision::Write(slots.written(&key, now)?, true))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }

    /// Gives a place back.
    pub async fn release_permit(&self, scope: &Scope, id: &WebhookId, holder: &str) -> Result<()> {
        let key = keys::webhook_permits(scope, id);
        let decide = |seen: Option<PermitsRecord>| {
            let mut slots = seen.unwrap_or_default();
            let taken = slots.taken.len();
            slots.taken.retain(|(name, _)| name != holder);
            if slots.taken.len() == taken {
                return Ok(Decision::Keep(()));
            }
            Ok(Decision::Write(slots.written(&key, self.0.runtime.now())?, ()))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }
}

impl PermitsRecord {
    /// Puts it in the place of the version that it was made from.
    fn written(mut self, key: &Key, now: Timestamp) -> Result<Write> {
        let seen = self.version;
        self.version += 1;
        let mut item = item(key, ItemKind::WebhookPermits, &self)?;
        item.insert("ttl".into(), number(now.plus_hours(RETENTION_HOURS).as_seconds()));
        Ok(Write::replace(item, seen))
    }
}
