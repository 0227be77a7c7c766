//! Computes the counters of sessions, turns and escalations from the table, to verify and correct those that are
//! stored.

use std::collections::{BTreeMap, BTreeSet};

use domain::Result;
use domain::models::{Day, Scope, SessionId};
use domain::statistics::{Cell, Counts, Increment, facts};

use crate::analytics::table::CountedRecord;
use crate::sessions::table::lists::{DayCursor, PageBound};
use crate::table::Store;

/// Sessions read at a time.
const SESSIONS_PER_PAGE: usize = 100;

/// The counts of the sessions created from `first` to `last` and of all that belongs to them, by the day each counts
/// for. It reads all of them, so it is for tests and operations and not for requests.
///
/// Data that was counted and erased since is not found again, so the counters may be higher.
pub async fn recount(store: &Store, scope: &Scope, first: Day, last: Day) -> Result<BTreeMap<Day, Counts>> {
    let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
    let mut count = |(day, counts): (Day, Counts)| days.entry(day).or_default().add_all(&counts);
    let sessions = store.sessions();
    let mut cursor = Some(DayCursor::newest_of_day(last.start()));
    while let Some(from) = cursor {
        let page = sessions.list(scope, from, first.start(), PageBound::of(SESSIONS_PER_PAGE)).await?;
        for (session, _) in page.sessions.iter().filter(|(session, _)| !session.is_preview()) {
            count(facts::of_session(session));
            for turn in turns(store, scope, &session.session_id).await? {
                count(facts::of_turn(&turn));
            }
        }
        cursor = page.next;
    }
    for escalation in store.escalations().list_all(scope).await? {
        if (first..=last).contains(&Day::of(escalation.session_id.created_at())) {
            facts::of_escalation(&escalation).into_iter().for_each(&mut count);
        }
    }
    days.retain(|_, counts| counts.iter().next().is_some());
    Ok(days)
}

/// Where the counters of a day differ from a recount: what they say, and what the recount says.
pub(crate) type Differences = BTreeMap<Day, (Counts, Counts)>;

/// Compares the counters of the days from `first` to `last` with a recount.
pub async fn compare(store: &Store, scope: &Scope, first: Day, last: Day) -> Result<Differences> {
    let recounted = recount(store, scope, first, last).await?;
    let counted = store.statistics().list_days(scope, first, last).await?;
    let days = recounted.keys().chain(counted.keys()).copied().collect::<BTreeSet<_>>();
    let of = |all: &BTreeMap<Day, Counts>, day| all.get(&day).cloned().unwrap_or_default();
    let both = days.into_iter().map(|day| (day, (of(&counted, day), of(&recounted, day))));
    Ok(both.filter(|(_, (counted, recounted))| counted != recounted).collect())
}

/// The cells of either of two counts, in order.
pub fn cells(counted: &Counts, recounted: &Counts) -> BTreeSet<Cell> {
    counted.iter().chain(recounted.iter()).map(|(cell, _)| cell).collect()
}

/// Adds what the counters lack, and returns how many counters it raised. A counter that is higher than the recount stays:
/// what was counted and erased since is not found again. `name` names the correction: the same one is applied once.
pub async fn add_missing(store: &Store, scope: &Scope, name: &str, differences: &Differences) -> Result<usize> {
    let mut raised = 0;
    for (day, (counted, recounted)) in differences {
        let missing = |cell: Cell| {
            let amount = recounted.of(cell) - counted.of(cell);
            (amount > 0).then_some(Increment { day: *day, cell, amount })
        };
        let increments: Vec<Increment> = cells(counted, recounted).into_iter().filter_map(missing).collect();
        let amount = increments.len();
        let record = CountedRecord { id: format!("{name}#{day}"), at: day.start(), increments };
        if store.statistics().add(scope, &[record]).await? {
            raised += amount;
        }
    }
    Ok(raised)
}

async fn turns(store: &Store, scope: &Scope, session: &SessionId) -> Result<Vec<domain::models::Turn>> {
    let page = store.sessions().list_turns_after(scope, session, 0, None, usize::MAX).await?;
    Ok(page.turns)
}
