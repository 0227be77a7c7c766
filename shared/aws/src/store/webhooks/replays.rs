//! Orders to send again: one of each kind for a receiver, deleted once it is done.

use super::Webhooks;
use super::records::{ReplayRecord, order_item, order_write};
use crate::store::keys;
use crate::store::table::Consistency;
use crate::store::transaction::{RequestRecord, Transaction, Write, version_condition};
use domain::Result;
use domain::models::{Replay, ReplayKind, Scope, WebhookId};

impl Webhooks<'_> {
    /// The order of a kind for a receiver, if there is one; consistent.
    pub async fn get_replay(&self, scope: &Scope, id: &WebhookId, kind: ReplayKind) -> Result<Option<Replay>> {
        let found: Option<ReplayRecord> = self.0.get(&keys::replay(scope, id, kind), Consistency::Strong).await?;
        Ok(found.map(Replay::from))
    }

    /// Creates an order, with the record of its request; an existing one starts again, with the earlier time of both.
    pub async fn start_replay(&self, scope: &Scope, mut replay: Replay, request: Option<RequestRecord>) -> Result<()> {
        if let Some(standing) = self.get_replay(scope, &replay.webhook_id, replay.kind).await? {
            replay.since = replay.since.min(standing.since);
            replay.from = replay.from.min(standing.from);
            replay.version = standing.version + 1;
        }
        self.0.commit(Transaction::of(order_write(scope, &replay)?).recording(request), None).await?.expected()
    }

    /// Records the progress of an order, unless it started again meanwhile.
    pub async fn advance_replay(&self, scope: &Scope, seen: &Replay, after: &Replay) -> Result<()> {
        let write = Write::replace(order_item(scope, after)?, seen.version);
        self.0.write_if(write).await.map(drop)
    }

    /// Deletes an order, unless it started again meanwhile.
    pub async fn end_replay(&self, scope: &Scope, seen: &Replay) -> Result<()> {
        let key = keys::replay(scope, &seen.webhook_id, seen.kind);
        let delete = Write::Delete { key, condition: Some(version_condition(seen.version)) };
        self.0.write_if(delete).await.map(drop)
    }
}
