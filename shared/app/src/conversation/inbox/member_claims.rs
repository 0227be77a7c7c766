//! The claims of a member who was removed or suspended, or lost the inbox: all go back to the queue, put off or not.
//!
//! The sweeper does it: the order is due at once, and the functions that change members cannot write sessions.

use super::is_claimed_by_agent;
use super::release::given_back;
use aws::store::Store;
use aws::store::sessions::InboxFilter;
use domain::Result;
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{EscalationId, EscalationStatus, MemberId, ReleaseReason, Scope};

/// How many claims are read at a time.
const CLAIMS_PER_READ: usize = 50;
/// How long one claim is tried to be given back, in milliseconds.
const TIMEOUT_MS: i64 = 5_000;
/// How often a claim that just changed is read again; it is looked for again anyway.
const MAX_ATTEMPTS: usize = 3;

/// Gives back the claims that a member had when it lost the inbox, in one mode; nothing if none are to be given back.
/// Can be interrupted and repeated.
///
/// # Errors
/// 503 if the table does not answer; then they are due still.
pub async fn give_back_claims(store: &Store, runtime: &Runtime, scope: &Scope, member: &MemberId) -> Result<()> {
    let Some(order) = store.claims_releases().get(scope, member).await? else { return Ok(()) };
    if order.due_at > runtime.now() {
        return Ok(());
    }
    let filter = InboxFilter { claimed_by: Some(member.as_str()), ..InboxFilter::default() };
    let mut from = None;
    loop {
        let claimed = EscalationStatus::Claimed;
        let page = store.escalations().list(scope, claimed, filter, from.as_ref(), CLAIMS_PER_READ).await?;
        for claim in &page.items {
            give_back(store, runtime, scope, &claim.escalation_id, member, order.generation).await?;
        }
        match page.next {
            Some(next) => from = Some(next),
            None => return store.claims_releases().record_pass(scope, member, &order).await,
        }
    }
}

/// Gives one claim back, unless it ended, went to another agent, or is of a later generation of the member.
async fn give_back(
    store: &Store,
    runtime: &Runtime,
    scope: &Scope,
    id: &EscalationId,
    member: &MemberId,
    generation: u64,
) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        let Some(claim) = store.escalations().get(scope, id).await? else { return Ok(()) };
        let agent = claim.claimed_by.clone().filter(|agent| agent.id == member.as_str());
        let is_earlier = claim.claimed_generation.is_none_or(|claimed| claimed < generation);
        let (Some(agent), EscalationStatus::Claimed, true) = (agent, claim.status, is_earlier) else { return Ok(()) };
        let open = match store.sessions().get_with_turns(scope, &claim.session_id, 1).await {
            // It is being erased.
            Err(error) if error.code() == Code::NotFound => return Ok(()),
            open => open?,
        };
        if is_claimed_by_agent(&claim, &open.session) {
            let change = given_back(runtime, agent, &claim, &open, ReleaseReason::AccessLost)?;
            if store.sessions().commit(scope, change, runtime.now().plus_millis(TIMEOUT_MS)).await? {
                return Ok(());
            }
        }
    }
    Ok(())
}
