//! An agent takes up again what was resolved.

use super::{AgentAction, Case, not_claimed};
use crate::conversation::turns::{append, system_turn};
use crate::conversation::{ConversationService, transition};
use aws::store::RequestKey;
use aws::store::sessions::{EscalationChange, SessionChange, SessionWithTurns};
use domain::error::Code;
use domain::models::{Escalation, EscalationAction, EscalationId, SessionAction, SystemEvent};
use domain::{Error, Result};

impl ConversationService {
    /// Claims a resolved request again; its session is the agent's once more.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is not resolved, and if its session was closed too long ago or somebody
    /// asked for a human since; 401 for a member who may not sign in any more; 422 for a key that was used with another
    /// body.
    pub async fn reopen_case(&self, acting: &AgentAction, id: &EscalationId, key: Option<&RequestKey>) -> Result<Case> {
        let act = |escalation: Escalation, open: SessionWithTurns| async move {
            self.reopened(acting, &escalation, &open).map(Some)
        };
        self.act_on_case(acting, id, key, act).await
    }

    fn reopened(
        &self,
        acting: &AgentAction,
        escalation: &Escalation,
        open: &SessionWithTurns,
    ) -> Result<SessionChange> {
        let (now, id) = (self.runtime.now(), &escalation.escalation_id);
        let Some(status) = escalation.status.after(EscalationAction::Reopen) else {
            return Err(not_claimed(escalation.status));
        };
        if !open.session.may_reopen(id, now) {
            return Err(Error::new(Code::InvalidState, "The conversation has moved on, or ended too long ago."));
        }
        let action = SessionAction::Reopen(id.clone());
        let mut after = transition::transition(&open.session, &action, now, &open.settings)?;
        let joined = system_turn(&self.runtime, &after, SystemEvent::AgentJoined, Some(acting.agent(None)))?;
        append(&mut after, &joined, now);
        let mut claimed = Escalation { status, ..escalation.clone() };
        let last_ms = escalation.last_part_ms();
        claimed.earlier_parts = claimed.earlier_parts.saturating_add(last_ms.is_some().into());
        claimed.earlier_parts_ms = claimed.earlier_parts_ms.saturating_add(last_ms.unwrap_or(0));
        (claimed.resolved_at, claimed.outcome, claimed.resolution) = (None, None, None);
        claimed.last_customer_message_at = after.last_customer_message_at;
        claimed.last_words.clone_from(&after.last_words);
        acting.claim(&mut claimed, None, now);
        claimed.version += 1;
        let mut change = SessionChange::new(&open.session, after);
        change.turns = vec![joined];
        change.escalation = Some(EscalationChange::Replace { version: escalation.version, after: claimed });
        Ok(change)
    }
}
