//! The priority of an escalation in the queue, and until when its agent puts it off.

use super::claim::change_of_case;
use super::{AgentAction, Case, is_claimed_by_agent, not_claimed};
use crate::conversation::ConversationService;
use aws::store::Decision;
use domain::error::DetailCode;
use domain::models::{Escalation, EscalationId, EscalationStatus, Priority, Timestamp};
use domain::{Error, Result};

/// How long a claim may be put off, in milliseconds: seven days.
const MAX_SNOOZE_MS: i64 = 7 * 86_400_000;

/// The fields to change. A field that is none stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CasePatch {
    /// The priority in the queue.
    pub priority: Option<Priority>,
    /// Until when a claim is put off, or that it is so no longer.
    pub snooze: Option<Option<Timestamp>>,
}

impl ConversationService {
    /// Gives a request for a human another priority, or puts it off; what is so already stays as it is. Within a
    /// priority the queue keeps the order in which humans were asked for; a claimed request takes its place when it is
    /// released.
    ///
    /// # Errors
    /// 404 for one that does not exist, 409 `INVALID_STATE` for one that has ended, 401 for a member who may not sign in
    /// any more. For a snooze also 400 for a time that is past or more than seven days away, 409 `INVALID_STATE` for a
    /// pending one and `CLAIMED_BY_OTHER`.
    pub async fn change_case(&self, acting: &AgentAction, id: &EscalationId, patch: CasePatch) -> Result<Case> {
        match patch.snooze {
            Some(snooze) => self.snooze(acting, id, snooze, patch.priority).await?,
            None => self.set_priority(acting, id, patch.priority).await?,
        }
        self.case(&acting.scope, id).await
    }

    async fn set_priority(&self, acting: &AgentAction, id: &EscalationId, priority: Option<Priority>) -> Result<()> {
        let deadline = self.deadline(self.runtime.now());
        let decide = |seen: &Escalation| match seen.status {
            EscalationStatus::Pending | EscalationStatus::Claimed => Ok(prioritized(seen, priority)),
            EscalationStatus::Resolved | EscalationStatus::Closed => Err(not_claimed(seen.status)),
        };
        let changed = self.store.escalations().update(&acting.scope, id, acting.member(), deadline, decide).await?;
        changed.map(drop).ok_or_else(|| Error::not_found("escalation"))
    }

    async fn snooze(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        until: Option<Timestamp>,
        priority: Option<Priority>,
    ) -> Result<()> {
        let (scope, now) = (&acting.scope, self.runtime.now());
        until.map_or(Ok(()), |until| check_time(until, now))?;
        let decide = || async move {
            let (before, open) = self.get_case_for_update(scope, id, 1).await?;
            match before.status {
                EscalationStatus::Claimed => acting.can_act(&before)?,
                EscalationStatus::Pending if until.is_none() => {}
                _ => return Err(not_claimed(before.status)),
            }
            if before.status == EscalationStatus::Claimed && !is_claimed_by_agent(&before, &open.session) {
                return Ok(Decision::ReadAgain);
            }
            let mut after = prioritized(&before, priority);
            match until {
                Some(until) => after.snooze(until),
                None if before.snoozed_until.is_some() => after.renew_lease(self.runtime.now()),
                None => {}
            }
            if after == before {
                return Ok(Decision::Keep(()));
            }
            let change = change_of_case(&before, &open.session, after, Vec::new());
            Ok(Decision::Write(acting.making(change), ()))
        };
        self.store.sessions().update_reading(scope, id.as_str(), self.deadline(now), decide).await
    }
}

fn prioritized(seen: &Escalation, priority: Option<Priority>) -> Escalation {
    Escalation { priority: priority.unwrap_or(seen.priority), ..seen.clone() }
}

/// # Errors
/// 400 for a time that is past, or too far away.
fn check_time(until: Timestamp, now: Timestamp) -> Result<()> {
    if until <= now {
        return Err(Error::invalid("snoozedUntil", DetailCode::InThePast, "must be in the future"));
    }
    if until.millis_since(now) > MAX_SNOOZE_MS {
        return Err(Error::invalid("snoozedUntil", DetailCode::OutOfRange, "must be at most seven days away"));
    }
    Ok(())
}
