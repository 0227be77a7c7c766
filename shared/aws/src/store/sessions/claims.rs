//! Claims with an idempotency key: the same key gets the same escalation again for a day.

use serde::{Deserialize, Serialize};

use super::EscalationRepo;
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::table::{Consistency, item, number, value};
use crate::store::transaction::Write;
use domain::Result;
use domain::models::{EscalationId, Scope, Timestamp};

/// One claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimMarker {
    /// What the claim can be recognised by: lower-case hex of SHA-256.
    pub token: String,
    /// What was claimed.
    pub escalation_id: EscalationId,
    /// SHA-256 of the request with the token, hex.
    pub fingerprint: String,
    /// Until when it is remembered.
    pub remembered_until: Timestamp,
}

impl EscalationRepo<'_> {
    /// What was claimed under `token`, where that is still remembered at `now`.
    pub async fn claimed_under(&self, scope: &Scope, token: &str, now: Timestamp) -> Result<Option<ClaimMarker>> {
        let found: Option<ClaimMarker> = self.store.get(&keys::claim(scope, token), Consistency::Strong).await?;
        Ok(found.filter(|marker| marker.remembered_until > now))
    }
}

/// Records a claim under a token that is new, or expired.
pub(super) fn claim_write(scope: &Scope, marker: &ClaimMarker, now: Timestamp) -> Result<Write> {
    let mut stored = item(&keys::claim(scope, &marker.token), "claim", marker)?;
    // Seconds, as the table's time to live has it.
    stored.insert("ttl".into(), number(marker.remembered_until.as_millis() / 1_000 + 1));
    // A time is stored as text of one shape, which sorts like time.
    let forgotten = Expression::new("attribute_not_exists(pk) OR rememberedUntil <= :now");
    Ok(Write::Put { item: stored, condition: Some(forgotten.with(":now", value(&now)?)) })
}
