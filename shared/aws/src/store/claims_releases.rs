//! The order to give a member's claims back, because the member lost the inbox: one item a mode, made in the
//! transaction that takes the inbox away.
//!
//! No claim of the member follows that transaction, because each is conditioned on the member as it was read. The claims
//! before it are found by the index, which may lag, so they are looked for three times. A claim carries the generation of
//! its member: one that the same person makes later, with the inbox again, stays.

use serde::{Deserialize, Serialize};

use super::item::{Expression, Item, ItemKind, item, number, set_gsi2_key};
use super::keys::{self, Key};
use super::table::{Consistency, Store};
use super::transaction::Write;
use domain::Result;
use domain::models::{MemberId, Mode, Scope, TenantId, Timestamp};

/// When the claims are looked for again, in milliseconds after the first and the second time.
const NEXT_PASS_MS: [i64; 2] = [60_000, 15 * 60_000];

/// The order to give back a member's claims in one mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimsRelease {
    /// The generation of the member since it lost the inbox: claims of earlier ones are given back.
    pub generation: u64,
    /// How often they were looked for.
    passes: u32,
    /// When that is to be done next.
    pub due_at: Timestamp,
}

/// The members whose claims are to be given back; made by [`Store::claims_releases`].
#[derive(Debug, Clone, Copy)]
pub struct ClaimsReleases<'a>(pub(super) &'a Store);

impl ClaimsReleases<'_> {
    /// Whether a member's claims are to be given back; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn get(&self, scope: &Scope, member: &MemberId) -> Result<Option<ClaimsRelease>> {
        self.0.get(&claims_release_key(scope, member), Consistency::Strong).await
    }

    /// Records that the claims were looked for; after the third time nothing is left to do. Does nothing if another
    /// one was faster.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn record_pass(&self, scope: &Scope, member: &MemberId, seen: &ClaimsRelease) -> Result<()> {
        let unchanged = Expression::new("passes = :seen AND generation = :generation")
            .with(":seen", number(seen.passes))
            .with(":generation", number(seen.generation));
        let next = usize::try_from(seen.passes).ok().and_then(|passes| NEXT_PASS_MS.get(passes));
        let write = match next {
            Some(delay_ms) => {
                let due_at = self.0.runtime.now().plus_millis(*delay_ms);
                let after = ClaimsRelease { passes: seen.passes + 1, due_at, ..seen.clone() };
                Write::Put { item: release_item(scope, member, &after)?, condition: Some(unchanged) }
            }
            None => Write::Delete { key: claims_release_key(scope, member), condition: Some(unchanged) },
        };
        self.0.write_if(write).await.map(drop)
    }
}

/// Makes the claims of a member due to be given back in both modes, at once: for the transaction that takes the inbox
/// away and gives the member `generation`.
pub(crate) fn release_claims(
    tenant: &TenantId,
    member: &MemberId,
    generation: u64,
    now: Timestamp,
) -> Result<Vec<Write>> {
    let order = ClaimsRelease { generation, passes: 0, due_at: now };
    let write = |mode: &Mode| {
        let scope = Scope { tenant: tenant.clone(), mode: *mode };
        Ok(Write::Put { item: release_item(&scope, member, &order)?, condition: None })
    };
    Mode::ALL.iter().map(write).collect()
}

fn release_item(scope: &Scope, member: &MemberId, order: &ClaimsRelease) -> Result<Item> {
    let key = claims_release_key(scope, member);
    let mut stored = item(&key, ItemKind::ClaimsRelease, order)?;
    set_gsi2_key(&mut stored, &keys::due(&key, order.due_at));
    Ok(stored)
}

/// The order to give back a member's claims in one mode.
pub(crate) fn claims_release_key(of: &Scope, member: &MemberId) -> Key {
    Key::new(format!("{}#CLAIMS", keys::scope(of)), member.as_str())
}
