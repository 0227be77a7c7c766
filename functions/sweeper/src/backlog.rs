//! Which items of one partition of the due index a sweep handles: a share of each kind and tenant, in turns.
//!
//! The index is ordered by time, so a backlog of one tenant is before everything that became due later. Reading is
//! cheap, because the index holds keys only; handling is not. So a sweep reads past what exceeds a share.

use std::collections::BTreeMap;

use crate::Sweeper;
use aws::store::DueItem;
use domain::models::{TenantId, Timestamp};

use crate::attend;

/// The most items of one kind and tenant that a sweep handles in one partition.
const SHARE: usize = 150;
/// So many items of one partition a sweep reads: in all partitions together more than 100,000.
const READ: usize = 16_000;
/// So many items are read at a time.
const PAGE: u16 = 1_000;

/// The items that a sweep handles in one partition.
pub(crate) struct Backlog {
    /// The items of each kind, in order.
    pub(crate) turns: Vec<Vec<DueItem>>,
    /// The items that may have ended a process: each is handled alone.
    pub(crate) suspects: Vec<DueItem>,
    /// More is due than is in `turns`.
    pub(crate) left: bool,
    /// The partition could not be read to its end.
    pub(crate) unread: bool,
}

/// Reads what was due by `until` in one partition.
pub(crate) async fn read(ctx: &Sweeper, shard: u32, until: Timestamp) -> Backlog {
    let mut shares = Shares::default();
    let mut suspects = Vec::new();
    let (mut read, mut from, mut left, mut unread) = (0, None, false, false);
    loop {
        let page = match ctx.store.due().page(shard, until, from, PAGE).await {
            Ok(page) => page,
            Err(error) => {
                tracing::error!(shard, error = %error, "failed to read a shard of the due index; the next sweep reads it again");
                unread = true;
                break;
            }
        };
        if page.strangers > 0 {
            tracing::error!(
                shard,
                items = page.strangers,
                "skipped due items of unknown kinds: a newer version may have written them"
            );
        }
        read += page.items.len() + page.strangers;
        for item in page.items {
            if item.deaths > 0 {
                suspects.push(item);
                continue;
            }
            let (kind, tenant) = (attend::kind(&item.subject), item.scope.tenant.clone());
            left |= !shares.take(kind, tenant, item);
        }
        from = match page.next {
            None => break,
            Some(_) if read >= READ => {
                left = true;
                break;
            }
            Some(next) => Some(next),
        };
    }
    Backlog { turns: shares.into_turns(), suspects, left, unread }
}

/// Items by kind and tenant, no more than a share of each.
struct Shares<T>(BTreeMap<&'static str, BTreeMap<TenantId, Vec<T>>>);

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Shares<T> {
    /// Takes an item, unless the share of its kind and tenant is full; whether it was taken.
    fn take(&mut self, kind: &'static str, tenant: TenantId, item: T) -> bool {
        let share = self.0.entry(kind).or_default().entry(tenant).or_default();
        let taken = share.len() < SHARE;
        if taken {
            share.push(item);
        }
        taken
    }

    /// The items of each kind: the first of every tenant, the second of every tenant, and so on.
    fn into_turns(self) -> Vec<Vec<T>> {
        let turns = |tenants: BTreeMap<TenantId, Vec<T>>| {
            let mut placed: Vec<(usize, T)> =
                tenants.into_values().flat_map(|items| items.into_iter().enumerate()).collect();
            // Stable: within a turn the tenants stay in their order.
            placed.sort_by_key(|(turn, _)| *turn);
            placed.into_iter().map(|(_, item)| item).collect()
        };
        self.0.into_values().map(turns).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant() -> TenantId {
        TenantId::generate(&domain::clock::Ambient::system()).unwrap()
    }

    #[test]
    fn tenants_of_a_kind_take_turns_and_nobody_has_more_than_a_share() {
        let (crowd, one) = (tenant(), tenant());
        let mut shares = Shares::default();
        let taken = (0..10 * SHARE).filter(|n| shares.take("delivery", crowd.clone(), *n)).count();
        assert_eq!(taken, SHARE);
        assert!(shares.take("delivery", one.clone(), 77_777));
        assert!(shares.take("escalation", crowd, 88_888));
        let turns = shares.into_turns();
        assert_eq!(turns.len(), 2);
        assert!(turns[0][..2].contains(&77_777), "{:?}", &turns[0][..2]);
        assert_eq!((turns[0].len(), &turns[1]), (SHARE + 1, &vec![88_888]));
        let crowded: Vec<usize> = turns[0].iter().copied().filter(|n| *n != 77_777).collect();
        assert!(crowded.is_sorted(), "a tenant's items are out of order");
    }
}
