//! An agent's message to the customer, or an internal note.

use super::claim::change_of_case;
use super::{AgentAction, is_claimed_by_agent, not_claimed};
use crate::conversation::ConversationService;
use crate::conversation::turns::next_turn;
use aws::store::sessions::{SessionChange, StoredTurn};
use aws::store::{Decision, RequestKey};
use domain::models::{AgentTurn, Escalation, EscalationId, EscalationStatus, Session, Turn, TurnBody};
use domain::{Error, Result};

#[derive(Debug, Clone)]
pub struct AgentMessage {
    /// 1-8,000 characters.
    pub content: String,
    /// For the tenant's people alone.
    pub internal: bool,
    /// The key that recognises a repetition of the message.
    pub key: Option<RequestKey>,
}

/// The stored message.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentMessageResult {
    pub turn: Turn,
    /// It was written before, by the same message.
    pub replayed: bool,
}

impl ConversationService {
    /// Writes a turn of an agent, whose claim it keeps: what is answered stays theirs until the customer writes.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`; 401 for a member who may not sign in
    /// any more; 422 for a key that was used with another body.
    pub async fn agent_writes(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        message: &AgentMessage,
    ) -> Result<AgentMessageResult> {
        let (scope, requests, sessions) = (&acting.scope, self.store.idempotency(), self.store.sessions());
        let key = &self.action_key(scope, id, message.key.as_ref()).await?;
        let deadline = self.deadline(self.runtime.now());
        let decide = || async move {
            let (escalation, open) = self.get_case_for_update(scope, id, 1).await?;
            if escalation.status != EscalationStatus::Claimed {
                return Err(not_claimed(escalation.status));
            }
            acting.can_act(&escalation)?;
            if !is_claimed_by_agent(&escalation, &open.session) {
                return Ok(Decision::ReadAgain);
            }
            let (change, turn) = self.agent_turn(acting, &escalation, &open.session, message)?;
            let record = requests.completed(scope, key.as_ref(), StoredTurn { turn: turn.number })?;
            Ok(Decision::Write(acting.making(change).recording(record), turn))
        };
        let work = Box::pin(sessions.update_reading(scope, id.as_str(), deadline, decide));
        let reply_from = async |stored: StoredTurn| {
            let (escalation, _) = self.get_case_for_update(scope, id, 1).await?;
            let turn = sessions.get_turn(scope, &escalation.session_id, stored.turn).await?;
            turn.ok_or_else(|| Error::unavailable("a turn that exists was not found"))
        };
        let (turn, replayed) = requests.once(scope, key.as_ref(), work, reply_from).await?;
        Ok(AgentMessageResult { turn, replayed })
    }

    fn agent_turn(
        &self,
        acting: &AgentAction,
        escalation: &Escalation,
        session: &Session,
        message: &AgentMessage,
    ) -> Result<(SessionChange, Turn)> {
        let agent = acting.agent(escalation.claimed_by.as_ref());
        let body = TurnBody::Agent(AgentTurn { agent, internal: message.internal });
        let turn = next_turn(&self.runtime, session, message.content.clone(), body)?;
        let now = turn.created_at;
        let mut renewed = escalation.clone();
        if message.internal {
            renewed.renew_lease(now);
        } else {
            renewed.answer(now);
            renewed.first_response_at = renewed.first_response_at.or(Some(now));
        }
        Ok((change_of_case(escalation, session, renewed, vec![turn.clone()]), turn))
    }
}
