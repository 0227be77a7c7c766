//! An agent takes a session that the AI has, or that waits for a human.

use super::takeover::{TakeoverRequest, already_claimed};
use super::{AgentAction, CASE_TURNS, Case};
use crate::conversation::transition::session_closed;
use crate::conversation::turns::{append, system_turn};
use crate::conversation::{ConversationService, handover, transition, triggers};
use aws::store::sessions::{ClaimedEscalation, EscalationChange, SessionChange, SessionWithTurns};
use aws::store::{Decision, RequestKey};
use domain::error::Code;
use domain::models::{
    Escalation, EscalationId, ReasonCategory, RequestedBy, SessionAction, SessionId, SessionState, SystemEvent,
};
use domain::{Error, Result};

impl ConversationService {
    /// Gives a session to the acting agent: one that the AI has, by an escalation of their own, for `reason`; one that
    /// waits for a human, by the escalation that it waits with.
    ///
    /// # Errors
    /// 404 for a session that does not exist; 409 `ALREADY_CLAIMED` for one that an agent has, `SESSION_CLOSED`; 401 for
    /// a member who may not sign in any more; 422 for a key that was used with another wish.
    pub async fn step_in(
        &self,
        acting: &AgentAction,
        id: &SessionId,
        reason: Option<&str>,
        key: Option<RequestKey>,
    ) -> Result<Case> {
        let (scope, requests, sessions) = (&acting.scope, self.store.idempotency(), self.store.sessions());
        let deadline = self.deadline(self.runtime.now());
        // Several agents may share an API key.
        let key = key.map(|key| key.of(&acting.agent.id).beside(id));
        let request = TakeoverRequest { acting, key, token: self.runtime.token()?, deadline };
        let request = &request;
        let decide = || async move {
            let open = sessions.get_with_turns(scope, id, CASE_TURNS).await?;
            self.decide_step_in(request, open, reason).await
        };
        let work = Box::pin(sessions.update_reading(scope, id.as_str(), deadline, decide));
        let reply_from = async |claimed: ClaimedEscalation| self.case(scope, &claimed.escalation_id).await;
        let (case, replayed) = requests.once(scope, request.key.as_ref(), work, reply_from).await?;
        Ok(Case { replayed, ..case })
    }

    async fn decide_step_in(
        &self,
        request: &TakeoverRequest<'_>,
        open: SessionWithTurns,
        reason: Option<&str>,
    ) -> Result<Decision<SessionChange, Case>> {
        let scope = &request.acting.scope;
        if open.session.is_preview() {
            return Err(Error::new(Code::InvalidState, "This is a preview of the chat: nobody waits in it."));
        }
        let (change, claimed) = match &open.session.state {
            SessionState::Closed(_) => return Err(session_closed()),
            SessionState::Ai { .. } => self.stepped_in(request, &open, reason)?,
            SessionState::PendingHandover { escalation_id: id } => match self.store.escalations().get(scope, id).await?
            {
                Some(waiting) if waiting.is_pending() => self.claim(request, &waiting, &open)?,
                _ => return Ok(Decision::ReadAgain),
            },
            SessionState::Human { escalation_id: id, .. } => {
                return self.is_already_mine(request, id).await.map(Decision::Keep);
            }
        };
        let case = self.claimed_case(scope, open, &change, claimed).await?;
        Ok(Decision::Write(change, case))
    }

    /// The case that this very request claimed, and whose reply was lost.
    ///
    /// # Errors
    /// 409 `ALREADY_CLAIMED` for one that another request claimed.
    async fn is_already_mine(&self, request: &TakeoverRequest<'_>, id: &EscalationId) -> Result<Case> {
        let scope = &request.acting.scope;
        let found = self.store.escalations().get(scope, id).await?.ok_or_else(|| Error::not_found("session"))?;
        if found.claim_token.as_ref() == Some(&request.token) {
            return self.case(scope, id).await;
        }
        Err(already_claimed(request.acting, found.claimed_by.as_ref()))
    }

    /// The session of the AI as the agent's, with the escalation that says so.
    fn stepped_in(
        &self,
        request: &TakeoverRequest<'_>,
        open: &SessionWithTurns,
        reason: Option<&str>,
    ) -> Result<(SessionChange, Escalation)> {
        let (now, acting) = (self.runtime.now(), request.acting);
        let (category, by) = (ReasonCategory::StepIn, RequestedBy::Agent);
        let reason = reason.unwrap_or_else(|| triggers::reason(category));
        let mut made =
            handover::new_escalation(&self.runtime, &open.settings, &open.session, reason, category, by, &open.recent)?;
        // It is claimed as it is made.
        let made_at = made.created_at;
        acting.claim(&mut made, Some(request.token.clone()), made_at);
        let action = SessionAction::StepIn(made.escalation_id.clone());
        let mut after = transition::transition(&open.session, &action, now, &open.settings)?;
        let joined = system_turn(&self.runtime, &after, SystemEvent::AgentJoined, Some(acting.agent(None)))?;
        append(&mut after, &joined, now);
        let mut change = SessionChange::new(&open.session, after);
        change.turns = vec![joined];
        change.escalation = Some(EscalationChange::Create(made.clone()));
        let done = ClaimedEscalation { escalation_id: made.escalation_id.clone() };
        let record = self.store.idempotency().completed(&acting.scope, request.key.as_ref(), done)?;
        Ok((acting.making(change).recording(record), made))
    }
}
