//! Orders to send again: one of each kind for a receiver, deleted once it is done.

use super::Webhooks;
use crate::store::keys;
use crate::store::record;
use crate::store::table::{Consistency, Item, in_gsi2, item};
use crate::store::transaction::{Write, at_version};
use domain::Result;
use domain::models::{EventId, Replay, ReplayKind, Scope, Timestamp, WebhookId};

record! {
    /// An order as stored.
    ReplayRecord for Replay {
        webhook_id: WebhookId,
        #[serde(rename = "replayKind")]
        kind: ReplayKind,
        since: Timestamp,
        from: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<EventId>,
        due_at: Timestamp,
        version: u64,
    }
}

/// Writes an order, replacing an existing one.
pub(super) fn order(scope: &Scope, replay: &Replay) -> Result<Write> {
    Ok(Write::Put { item: order_item(scope, replay)?, condition: None })
}

fn order_item(scope: &Scope, replay: &Replay) -> Result<Item> {
    let key = keys::replay(scope, &replay.webhook_id, replay.kind);
    let mut item = item(&key, "replay", &ReplayRecord::from(replay.clone()))?;
    in_gsi2(&mut item, &keys::due(&key, replay.due_at));
    Ok(item)
}

impl Webhooks<'_> {
    /// The order of a kind for a receiver, if there is one; consistent.
    pub async fn replay(&self, scope: &Scope, id: &WebhookId, kind: ReplayKind) -> Result<Option<Replay>> {
        let found: Option<ReplayRecord> = self.0.get(&keys::replay(scope, id, kind), Consistency::Strong).await?;
        Ok(found.map(Replay::from))
    }

    /// Creates an order; an existing one starts again, with the earlier time of both.
    pub async fn order_replay(&self, scope: &Scope, mut replay: Replay) -> Result<()> {
        if let Some(standing) = self.replay(scope, &replay.webhook_id, replay.kind).await? {
            replay.since = replay.since.min(standing.since);
            replay.from = replay.from.min(standing.from);
            replay.version = standing.version + 1;
        }
        self.0.write(vec![order(scope, &replay)?]).await
    }

    /// Records the progress of an order, unless it started again meanwhile.
    pub async fn move_replay(&self, scope: &Scope, seen: &Replay, after: &Replay) -> Result<()> {
        let write = Write::replace(order_item(scope, after)?, seen.version);
        self.0.write_if(write).await.map(drop)
    }

    /// Deletes an order, unless it started again meanwhile.
    pub async fn end_replay(&self, scope: &Scope, seen: &Replay) -> Result<()> {
        let key = keys::replay(scope, &seen.webhook_id, seen.kind);
        let delete = Write::Delete { key, condition: Some(at_version(seen.version)) };
        self.0.write_if(delete).await.map(drop)
    }
}
