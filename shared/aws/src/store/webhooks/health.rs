//! The health of a receiver, written after each attempt by its worker.

use super::records::HealthRecord;
use super::{Webhooks, at_version};
use crate::store::keys;
use crate::store::table::{Consistency, item};
use crate::store::transaction::{Refused, Write};
use domain::Result;
use domain::models::{Scope, WebhookHealth, WebhookId};

/// Writes a receiver's health, replacing an existing one.
pub(super) fn put(scope: &Scope, id: &WebhookId, health: &WebhookHealth) -> Result<Write> {
    let health = WebhookHealth { version: health.version + 1, ..health.clone() };
    let record = HealthRecord { webhook_id: id.clone(), health: health.into() };
    Ok(Write::Put { item: item(&keys::webhook_health(scope, id), "webhook_health", &record)?, condition: None })
}

impl Webhooks<'_> {
    /// Replaces how a receiver has been doing by what `decide` makes of it, again from the start when another attempt
    /// was faster; `None` leaves it as it is. What it is afterwards.
    pub async fn note(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&WebhookHealth) -> Option<WebhookHealth>,
    ) -> Result<WebhookHealth> {
        let key = keys::webhook_health(scope, id);
        let mut contest = self.0.contest(&key, self.0.patience());
        loop {
            let seen: Option<HealthRecord> = self.0.get(&key, Consistency::Strong).await?;
            let seen = seen.map(|record| WebhookHealth::from(record.health)).unwrap_or_default();
            let Some(mut after) = decide(&seen) else { return Ok(seen) };
            after.version = seen.version + 1;
            let record = HealthRecord { webhook_id: id.clone(), health: after.clone().into() };
            let item = item(&key, "webhook_health", &record)?;
            match self.0.transact(vec![Write::Put { item, condition: Some(at_version(seen.version)) }], None).await {
                Ok(()) => return Ok(after),
                // After a lost reply this counts one failure twice, which nothing depends on.
                Err(Refused::Condition(_)) => contest.lost().await?,
                Err(other) => return Err(other.into_error()),
            }
        }
    }
}
