//! Permits of a slow receiver: a limited number of deliveries may run for it at once, over all workers, so that they
//! stay free for others.

use serde::{Deserialize, Serialize};

use super::{Webhooks, at_version};
use crate::store::keys;
use crate::store::table::{Consistency, item, number};
use crate::store::transaction::{Refused, Write};
use domain::Result;
use domain::models::{Scope, Timestamp, WebhookId};

/// How many may wait for one receiver at once.
const SLOTS: usize = 5;
/// How long an item without a permit in use is kept, in hours.
const KEPT_HOURS: i64 = 24;

/// Who waits: a random name each, and until when at the most.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SlotsRecord {
    #[serde(default)]
    taken: Vec<(String, Timestamp)>,
    #[serde(default)]
    version: u64,
}

impl Webhooks<'_> {
    /// Takes a place with a receiver for `holder`, who gives it back or loses it at `until`; false where none is free.
    pub async fn take_slot(&self, scope: &Scope, id: &WebhookId, holder: &str, until: Timestamp) -> Result<bool> {
        let mut contest = self.0.contest(&keys::webhook_slots(scope, id), self.0.patience());
        loop {
            let seen = self.slots(scope, id).await?;
            let now = self.0.ambient.now();
            let mut after = seen.clone();
            after.taken.retain(|(_, until)| *until > now);
            if after.taken.iter().any(|(name, _)| name == holder) {
                return Ok(true);
            }
            if after.taken.len() >= SLOTS {
                return Ok(false);
            }
            after.taken.push((holder.to_owned(), until));
            if self.put_slots(scope, id, &seen, after).await? {
                return Ok(true);
            }
            contest.lost().await?;
        }
    }

    /// Gives a place back.
    pub async fn free_slot(&self, scope: &Scope, id: &WebhookId, holder: &str) -> Result<()> {
        let mut contest = self.0.contest(&keys::webhook_slots(scope, id), self.0.patience());
        loop {
            let seen = self.slots(scope, id).await?;
            let mut after = seen.clone();
            after.taken.retain(|(name, _)| name != holder);
            if after.taken.len() == seen.taken.len() || self.put_slots(scope, id, &seen, after).await? {
                return Ok(());
            }
            contest.lost().await?;
        }
    }

    async fn slots(&self, scope: &Scope, id: &WebhookId) -> Result<SlotsRecord> {
        Ok(self.0.get(&keys::webhook_slots(scope, id), Consistency::Strong).await?.unwrap_or_default())
    }

    async fn put_slots(
        &self,
        scope: &Scope,
        id: &WebhookId,
        seen: &SlotsRecord,
        mut after: SlotsRecord,
    ) -> Result<bool> {
        after.version = seen.version + 1;
        let mut item = item(&keys::webhook_slots(scope, id), "webhook_slots", &after)?;
        item.insert("ttl".into(), number(self.0.ambient.now().plus_hours(KEPT_HOURS).as_seconds()));
        match self.0.transact(vec![Write::Put { item, condition: Some(at_version(seen.version)) }], None).await {
            Ok(()) => Ok(true),
            Err(Refused::Condition(_)) => Ok(false),
            Err(Refused::Other(error)) => Err(error),
        }
    }
}
