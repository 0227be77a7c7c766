//! Computes the counters from the table: sessions, turns, and ended escalations.

use std::collections::BTreeMap;

use aws::store::Store;
use aws::store::sessions::DayCursor;
use domain::Result;
use domain::models::{Day, Scope, SessionId};
use domain::statistics::{Counts, facts};

/// Sessions read at a time.
const SESSIONS_PER_PAGE: usize = 100;

/// What all that concerns the sessions created from `first` to `last` counts for, by the day it belongs to. Reads all
/// of them: for tests and operations, for no request.
///
/// What was counted and erased since is not found again: the counters may be higher by that.
pub async fn recount(store: &Store, scope: &Scope, first: Day, last: Day) -> Result<BTreeMap<Day, Counts>> {
    let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
    let mut count = |(day, counts): (Day, Counts)| days.entry(day).or_default().add_all(&counts);
    let sessions = store.sessions();
    let mut cursor = Some(DayCursor { day_ms: last.start().as_millis(), below: None });
    while let Some(from) = cursor {
        let page = sessions.list(scope, from, first.start(), SESSIONS_PER_PAGE).await?;
        for (session, _) in &page.sessions {
            count(facts::of_session(session));
            for turn in turns(store, scope, &session.session_id).await? {
                count(facts::of_turn(&turn));
            }
        }
        cursor = page.next;
    }
    for escalation in store.escalations().list_ended(scope).await? {
        if (first..=last).contains(&Day::of(escalation.session_id.created_at())) {
            count(facts::of_escalation(&escalation));
        }
    }
    days.retain(|_, counts| counts.iter().next().is_some());
    Ok(days)
}

async fn turns(store: &Store, scope: &Scope, session: &SessionId) -> Result<Vec<domain::models::Turn>> {
    let page = store.sessions().list_turns_after(scope, session, 0, None, usize::MAX).await?;
    Ok(page.turns)
}
