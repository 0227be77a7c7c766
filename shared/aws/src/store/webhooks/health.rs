//! The health of a receiver, written after each attempt by its worker.

use super::Webhooks;
use super::records::HealthRecord;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table::item;
use crate::store::transaction::Write;
use crate::store::update::{Basis, Decision};
use domain::Result;
use domain::models::{Scope, WebhookHealth, WebhookId};

impl Webhooks<'_> {
    /// Replaces how a receiver has been doing by what `decide` makes of it, again from the start when another attempt
    /// was faster; `None` leaves it as it is. What it is afterwards.
    pub async fn record_health(
        &self,
        scope: &Scope,
        id: &WebhookId,
        decide: impl Fn(&WebhookHealth) -> Option<WebhookHealth>,
    ) -> Result<WebhookHealth> {
        let key = keys::webhook_health(scope, id);
        // After a lost reply this counts one failure twice, which nothing depends on.
        let decide = |seen: Option<HealthRecord>| {
            let seen = seen.map(|record| WebhookHealth::from(record.health)).unwrap_or_default();
            let Some(mut after) = decide(&seen) else { return Ok(Decision::Keep(seen)) };
            after.version = seen.version + 1;
            let record = HealthRecord { webhook_id: id.clone(), health: after.clone().into() };
            Ok(Decision::Write(Write::replace(item(&key, ItemKind::WebhookHealth, &record)?, seen.version), after))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }
}
