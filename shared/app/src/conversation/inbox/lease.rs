//! The time of claims. An agent who works renews all of theirs by one call. One whose lease is over, because its customer
//! wrote and its agent did nothing, lapses: the customer returns to their place in the queue. One that was put off until
//! now: its agent has it again. And the notice that a customer waits whom nobody has taken.

use super::claim::change_of_case;
use super::{AgentAction, is_claimed_by_agent};
use crate::conversation::ConversationService;
use domain::Result;
use domain::error::Code;
use domain::models::{Escalation, EscalationId, EscalationStatus, Scope, Timestamp};

/// How often a lease that just changed is read again; the sweeper runs again anyway.
const MAX_ATTEMPTS: usize = 3;

impl ConversationService {
    /// Gives every lease of the acting agent's claims a new end, and says how many there were and when they end. What is
    /// answered or put off has none, and stays as it is.
    ///
    /// # Errors
    /// 401 for a member who may not sign in any more; 503 when the table does not answer.
    pub async fn renew_all(&self, acting: &AgentAction) -> Result<(u32, Timestamp)> {
        let now = self.runtime.now();
        let (until, escalations) = (Escalation::lease_from(now), self.store.escalations());
        let agent = acting.agent.id.as_str();
        let renewed = escalations.renew_leases(&acting.scope, agent, acting.member(), until, self.deadline(now));
        Ok((renewed.await?, until))
    }

    /// Ends an expired claim, and the snooze of one whose time has come, and records that the tenant is told of a customer
    /// who waits. Does nothing if the agent wrote meanwhile, if it was ended otherwise, or if it is gone. The sweeper may
    /// call it repeatedly.
    ///
    /// # Errors 503 when the table does not answer.
    pub async fn handle_due_lease(&self, scope: &Scope, id: &EscalationId) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(escalation) = self.store.escalations().get(scope, id).await? else { return Ok(()) };
            if escalation.due_at().is_none_or(|at| at > self.runtime.now()) {
                return Ok(());
            }
            if escalation.status == EscalationStatus::Pending {
                return self.note_waiting(scope, id).await;
            }
            let ended = match escalation.snoozed_until {
                Some(_) => self.wake(scope, &escalation).await,
                None => self.release_expired_claim(scope, &escalation).await,
            };
            match ended {
                Ok(false) => {}
                Ok(true) => return Ok(()),
                // Its conversation is being erased.
                Err(error) if error.code() == Code::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Gives a claim that was put off until now back to its agent, under a new lease if its customer waits; false if it
    /// has changed meanwhile.
    async fn wake(&self, scope: &Scope, escalation: &Escalation) -> Result<bool> {
        let sessions = self.store.sessions();
        let session = sessions.get(scope, &escalation.session_id).await?;
        let Some(session) = session.filter(|session| is_claimed_by_agent(escalation, session)) else {
            return Ok(false);
        };
        let now = self.runtime.now();
        let mut awake = escalation.clone();
        awake.renew_lease(now);
        let change = change_of_case(escalation, &session, awake, Vec::new());
        sessions.commit(scope, change, self.deadline(now)).await
    }

    /// Records, once, that the tenant is told of a customer who waits, unless somebody has taken them.
    async fn note_waiting(&self, scope: &Scope, id: &EscalationId) -> Result<()> {
        let now = self.runtime.now();
        let told = |seen: &Escalation| {
            let waits = seen.status == EscalationStatus::Pending && seen.due_at().is_some_and(|at| at <= now);
            let told = Escalation { notice_due_at: None, noticed_at: Some(now), ..seen.clone() };
            Ok(if waits { told } else { seen.clone() })
        };
        self.store.escalations().update(scope, id, None, self.deadline(now), told).await.map(drop)
    }
}
