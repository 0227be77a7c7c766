//! Selects what a sweep handles of one partition of the due index: a limited share of each kind and tenant, in
//! round-robin order.
//!
//! The index is ordered by time, so a backlog of one tenant is before everything that became due later. Reading is
//! cheap, because the index holds keys only; handling is not. So a sweep reads past what exceeds a share. If a backlog
//! is too long to be read, as after an import of much that is overdue, the sweep reads the newest items as well: what
//! became due after the backlog is handled in time.

use std::collections::{BTreeMap, HashSet};

use domain::Result;
use domain::models::{TenantId, Timestamp};

use crate::dead_letters::LettersOfSessions;
use crate::edge::App;
use crate::inbox::claim::give_back_claims;
use crate::knowledge::gaps;
use crate::sessions::conversation::ConversationService;
use crate::sweeper::table::{DueItem, DuePage, DuePosition, DueSubject};
use crate::wiki::{indexing, revisions};
use crate::{ingest, webhooks};

/// The maximum number of items of one kind and tenant that a sweep handles in one partition.
const MAX_ITEMS_PER_TENANT: usize = 150;
/// The maximum number of items that a sweep reads from each end of one partition: from both ends of all partitions
/// together more than 100,000.
const MAX_ITEMS_PER_END: usize = 8_000;
/// The number of items that are read at a time.
const PAGE_SIZE: u16 = 1_000;

/// The items that a sweep handles in one partition.
pub(crate) struct Backlog {
    /// The items of each kind, in round-robin order of tenants.
    pub(crate) by_kind: Vec<Vec<DueItem>>,
    /// The items that may have ended a process: each is handled alone.
    pub(crate) suspects: Vec<DueItem>,
    /// Items are due that are not in `by_kind`.
    pub(crate) has_more: bool,
    /// The partition could not be read to its end.
    pub(crate) unread: bool,
}

/// Reads what was due by `until` in one partition.
pub(crate) async fn read(app: &App, shard: u32, until: Timestamp) -> Backlog {
    let due = app.store.due();
    let mut found = Found::default();
    let is_whole = found.read_end(shard, |from| due.list(shard, until, from, PAGE_SIZE)).await
        || found.read_end(shard, |from| due.list_newest(shard, until, from, PAGE_SIZE)).await;
    found.has_more |= !is_whole;
    let Found { queue, suspects, has_more, unread, .. } = found;
    Backlog { by_kind: queue.into_round_robin(), suspects, has_more, unread }
}

/// The items read of one partition so far.
#[derive(Default)]
struct Found {
    /// The names of the items: what was read from one end is not taken again from the other.
    names: HashSet<String>,
    queue: FairQueue<DueItem>,
    suspects: Vec<DueItem>,
    has_more: bool,
    unread: bool,
}

impl Found {
    /// Reads pages from one end, up to [`MAX_ITEMS_PER_END`]. Returns whether no more is to be read: they reach the other
    /// end or what was read from there, or a page could not be read, which `unread` says.
    async fn read_end<F: Future<Output = Result<DuePage>>>(
        &mut self,
        shard: u32,
        page: impl Fn(Option<DuePosition>) -> F,
    ) -> bool {
        let (mut read, mut from) = (0, None);
        loop {
            let page = match page(from).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(shard, error = %error, "failed to read a shard of the due index; the next sweep reads it again");
                    self.unread = true;
                    return true;
                }
            };
            read += page.items.len() + page.unknown_items;
            let next = page.next.clone();
            let meets_other_end = self.add(shard, page);
            from = match next {
                Some(_) if meets_other_end => return true,
                None => return true,
                Some(_) if read >= MAX_ITEMS_PER_END => return false,
                next => next,
            };
        }
    }

    /// Takes a page. Returns whether some of it was there.
    fn add(&mut self, shard: u32, page: DuePage) -> bool {
        if page.unknown_items > 0 {
            let items = page.unknown_items;
            tracing::error!(shard, items, "skipped due items of unknown kinds: a newer version may have written them");
        }
        let mut repeats = false;
        for item in page.items {
            if !self.names.insert(item.name()) {
                repeats = true;
            } else if item.crashes > 0 {
                self.suspects.push(item);
            } else {
                let (kind, tenant) = (kind_name(&item.subject), item.scope.tenant.clone());
                self.has_more |= !self.queue.add(kind, tenant, item);
            }
        }
        repeats
    }
}

/// Items by kind and tenant, a limited share of each.
struct FairQueue<T>(BTreeMap<&'static str, BTreeMap<TenantId, Vec<T>>>);

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> FairQueue<T> {
    /// Adds an item, unless the share of its kind and tenant is full. Returns whether it was added.
    fn add(&mut self, kind: &'static str, tenant: TenantId, item: T) -> bool {
        let share = self.0.entry(kind).or_default().entry(tenant).or_default();
        let has_room = share.len() < MAX_ITEMS_PER_TENANT;
        if has_room {
            share.push(item);
        }
        has_room
    }

    /// The items of each kind: the first of every tenant, the second of every tenant, and so on.
    fn into_round_robin(self) -> Vec<Vec<T>> {
        let turns = |tenants: BTreeMap<TenantId, Vec<T>>| {
            let mut numbered: Vec<(usize, T)> =
                tenants.into_values().flat_map(|items| items.into_iter().enumerate()).collect();
            // Stable: within a turn the tenants stay in their order.
            numbered.sort_by_key(|(turn, _)| *turn);
            numbered.into_iter().map(|(_, item)| item).collect()
        };
        self.0.into_values().map(turns).collect()
    }
}

/// How long a sweep replays the missed deliveries of one receiver, in milliseconds; the rest stays due.
const REPLAY_BUDGET_MS: i64 = 15_000;

/// Handles one due item; does nothing if it is no longer due.
///
/// The use case of its kind decides that, from the table and on condition: the index may lag, and another sweep may
/// handle the item at the same moment.
///
/// # Errors
/// The failure that prevented it: the item stays due.
pub async fn dispatch(app: &App, item: &DueItem) -> Result<()> {
    let scope = &item.scope;
    match &item.subject {
        DueSubject::Session(id) => {
            ConversationService::new(app)?.handle_due_session(&LettersOfSessions::of(app)?, scope, id).await
        }
        DueSubject::Escalation(id) => ConversationService::new(app)?.handle_due_lease(scope, id).await,
        DueSubject::Claims(member) => give_back_claims(&app.store, &app.runtime, scope, member).await,
        DueSubject::Entry(path) => indexing::due(app, scope, path).await,
        DueSubject::Reindexing => indexing::reindex_due(app, scope).await,
        DueSubject::GapReview => gaps::review(app, scope).await,
        DueSubject::Delivery(webhook, event) => webhooks::queue::due(app, scope, webhook, event).await,
        DueSubject::Replay(webhook, kind) => {
            let deadline = app.runtime.now().plus_millis(REPLAY_BUDGET_MS);
            webhooks::queue::run_replay(app, scope, webhook, *kind, deadline).await.map(drop)
        }
        DueSubject::IngestJob(id) => ingest::due(app, scope, id).await,
        DueSubject::Revisions(path, version) => {
            revisions::due(&app.store, app.runtime.now(), scope, path, *version).await
        }
    }
}

/// The kind's name, for logs.
pub(crate) const fn kind_name(subject: &DueSubject) -> &'static str {
    match subject {
        DueSubject::Session(_) => "session",
        DueSubject::Escalation(_) => "escalation",
        DueSubject::Claims(_) => "claims",
        DueSubject::Entry(_) => "entry",
        DueSubject::Reindexing => "reindexing",
        DueSubject::GapReview => "gap_review",
        DueSubject::Delivery(..) => "delivery",
        DueSubject::Replay(..) => "replay",
        DueSubject::IngestJob(_) => "ingest_job",
        DueSubject::Revisions(..) => "revisions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant() -> TenantId {
        TenantId::generate(&domain::clock::Runtime::system()).unwrap()
    }

    #[test]
    fn tenants_of_a_kind_take_turns_and_none_exceeds_its_share() {
        let (crowd, one) = (tenant(), tenant());
        let mut queue = FairQueue::default();
        let taken = (0..10 * MAX_ITEMS_PER_TENANT).filter(|n| queue.add("delivery", crowd.clone(), *n)).count();
        assert_eq!(taken, MAX_ITEMS_PER_TENANT);
        assert!(queue.add("delivery", one.clone(), 77_777));
        assert!(queue.add("escalation", crowd, 88_888));
        let turns = queue.into_round_robin();
        assert_eq!(turns.len(), 2);
        assert!(turns[0][..2].contains(&77_777), "{:?}", &turns[0][..2]);
        assert_eq!((turns[0].len(), &turns[1]), (MAX_ITEMS_PER_TENANT + 1, &vec![88_888]));
        let crowded: Vec<usize> = turns[0].iter().copied().filter(|n| *n != 77_777).collect();
        assert!(crowded.is_sorted(), "a tenant's items are out of order");
    }
}
