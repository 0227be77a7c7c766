//! The leases of an agent's claims, renewed together.

use super::escalations::{EscalationRepository, InboxFilter};
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::members::MemberAsRead;
use crate::store::table::{number, text, value};
use crate::store::transaction::{Tag, Transaction, Write};
use domain::models::{EscalationId, EscalationStatus, Scope, Timestamp};
use domain::{Error, Result};

/// How many leases are renewed in one transaction, which may hold 100 writes.
const RENEWED_AT_ONCE: usize = 90;

impl EscalationRepository<'_> {
    /// Gives every running lease of `agent`'s claims the end `until`, and says how many. The claims are found by the index,
    /// which may lag: one that is not found was made a moment ago, and has a whole lease. A page of them is one transaction;
    /// if one of them changed hands meanwhile, each is written for itself. `actor` is the member who asks.
    ///
    /// # Errors
    /// 401 `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 if the table does not answer.
    pub async fn renew_leases(
        &self,
        scope: &Scope,
        agent: &str,
        actor: Option<&MemberAsRead>,
        until: Timestamp,
        deadline: Timestamp,
    ) -> Result<u32> {
        let filter = InboxFilter { claimed_by: Some(agent), leased: true, ..InboxFilter::default() };
        let (mut renewed, mut from) = (0, None);
        loop {
            let page = self.list(scope, EscalationStatus::Claimed, filter, from.as_ref(), RENEWED_AT_ONCE).await?;
            let ending = page.items.iter().filter(|claim| claim.lease_expires_at < Some(until));
            let writes = ending.map(|claim| renew_lease(scope, &claim.escalation_id, agent, until));
            let writes = writes.collect::<Result<Vec<_>>>()?;
            if self.renew_together(scope, writes.clone(), actor, deadline).await? {
                renewed += writes.len();
            } else {
                for write in writes {
                    renewed += usize::from(self.renew_together(scope, vec![write], actor, deadline).await?);
                }
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(u32::try_from(renewed).unwrap_or(u32::MAX)),
            }
        }
    }

    /// Commits `writes` for the member who acts; false if one of them is refused.
    async fn renew_together(
        &self,
        scope: &Scope,
        writes: Vec<Write>,
        actor: Option<&MemberAsRead>,
        deadline: Timestamp,
    ) -> Result<bool> {
        if writes.is_empty() {
            return Ok(true);
        }
        let all = Transaction::from(writes).with(Tag::Actor, actor.map(|member| member.check(&scope.tenant)));
        let outcome = self.store.commit(all, Some(deadline)).await?;
        match outcome.at(Tag::Actor) {
            Some(_) => Err(Error::sign_in_required()),
            None => Ok(outcome.is_committed()),
        }
    }
}

/// Gives the running lease of a claim that `agent` still has a new end.
fn renew_lease(scope: &Scope, id: &EscalationId, agent: &str, until: Timestamp) -> Result<Write> {
    let key = keys::escalation(scope, id);
    let due = keys::due(&key, until);
    let update = "SET leaseExpiresAt = :lease, card.leaseExpiresAt = :lease, gsi2pk = :pk, gsi2sk = :sk, \
                  version = version + :one, card.version = card.version + :one REMOVE dueFailures";
    let update = Expression::new(update)
        .with(":lease", value(&until)?)
        .with(":pk", text(due.pk))
        .with(":sk", text(due.sk))
        .with(":one", number(1));
    let condition =
        Expression::new("claimedBy.id = :agent AND attribute_exists(leaseExpiresAt)").with(":agent", text(agent));
    Ok(Write::Update { key, update, condition: Some(condition) })
}
