//! The priority of an escalation in the queue.

use super::{Case, not_claimed};
use crate::conversation::ConversationService;
use domain::models::{Escalation, EscalationId, EscalationStatus, Priority, Scope};
use domain::{Error, Result};

impl ConversationService {
    /// Gives a request for a human another priority; one that has it already stays as it is. Within a priority the
    /// queue keeps the order in which humans were asked for; a claimed request takes its place when it is released.
    ///
    /// # Errors
    /// 404 for one that does not exist, 409 `INVALID_STATE` for one that has ended.
    pub async fn set_priority(&self, scope: &Scope, id: &EscalationId, priority: Priority) -> Result<Case> {
        let deadline = self.deadline(self.runtime.now());
        let escalations = self.store.escalations();
        let changed = escalations.update(scope, id, deadline, |seen| with_priority(seen, priority)).await?;
        changed.ok_or_else(|| Error::not_found("escalation"))?;
        self.case(scope, id).await
    }
}

fn with_priority(seen: &Escalation, priority: Priority) -> Result<Escalation> {
    match seen.status {
        EscalationStatus::Pending | EscalationStatus::Claimed => Ok(Escalation { priority, ..seen.clone() }),
        EscalationStatus::Resolved | EscalationStatus::Closed => Err(not_claimed(seen.status)),
    }
}
