//! What agents do with a conversation: take it over, write, and end their part.
//!
//! [`AgentAction`] is the acting agent. `takeover` gives the first escalation of the queue, or a named one, to exactly
//! one agent. `message` writes to the customer, or a note. `ending` returns the conversation to the AI or the queue, or
//! closes it. `lease` handles expired claims. `priority` sets the priority. Each is one transaction over session,
//! escalation and turns (`priority`: the escalation only), on the condition that they are unchanged. After a lost race
//! the data is read and decided again.

mod lease;
mod message;
mod priority;
mod release;
mod takeover;

pub use message::{AgentMessage, AgentMessageResult};
pub use release::{Handback, ReleaseKind};

use super::ConversationService;
use aws::store::RequestKey;
use aws::store::sessions::SessionWithTurns;
use domain::access::Principal;
use domain::error::Code;
use domain::models::{AgentRef, Escalation, EscalationId, EscalationStatus, Ownership, Role, Scope, Session, Turn};
use domain::{Error, Result};

/// The lease of a claim without a message of its agent, in milliseconds: 30 minutes.
const LEASE_MS: i64 = 30 * 60_000;
/// How many of the newest turns an agent is shown.
const CASE_TURNS: u16 = 50;

/// The acting agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAction {
    scope: Scope,
    agent: AgentRef,
    admin: bool,
}

impl AgentAction {
    /// The agent whom the caller names, or else the caller's key.
    #[must_use]
    pub fn new(caller: &Principal, agent_id: Option<String>, name: Option<String>) -> Self {
        Self {
            scope: caller.scope().clone(),
            agent: AgentRef { id: agent_id.unwrap_or_else(|| caller.name()), name },
            admin: caller.role() == Some(Role::Admin),
        }
    }

    /// The acting agent, by the name under which they claimed where they give none now.
    fn agent(&self, claimed: Option<&AgentRef>) -> AgentRef {
        let known = claimed.filter(|claimant| claimant.id == self.agent.id).and_then(|claimant| claimant.name.clone());
        AgentRef { id: self.agent.id.clone(), name: self.agent.name.clone().or(known) }
    }

    /// Only the claimer or an admin may act on what is claimed.
    fn can_act(&self, escalation: &Escalation) -> Result<()> {
        let claimer = escalation.claimed_by.as_ref().is_some_and(|claimant| claimant.id == self.agent.id);
        if claimer || self.admin {
            return Ok(());
        }
        Err(Error::new(Code::ClaimedByOther, "Another agent has claimed this conversation."))
    }
}

/// A request for a human with its conversation, as an agent reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The request.
    pub escalation: Escalation,
    /// The conversation.
    pub session: Session,
    /// Its newest turns, at most 50, oldest first.
    pub messages: Vec<Turn>,
    /// This is the first result of a request that was sent again.
    pub replayed: bool,
}

impl ConversationService {
    /// A request for a human with its conversation.
    ///
    /// # Errors
    /// 404 for one that does not exist, or not here.
    pub async fn case(&self, scope: &Scope, id: &EscalationId) -> Result<Case> {
        let (escalation, open) = self.get_case_for_update(scope, id, CASE_TURNS).await?;
        Ok(Case { escalation, session: open.session, messages: open.recent, replayed: false })
    }

    /// The request and its session with the newest `recent` turns.
    async fn get_case_for_update(
        &self,
        scope: &Scope,
        id: &EscalationId,
        recent: u16,
    ) -> Result<(Escalation, SessionWithTurns)> {
        let found = self.store.escalations().get(scope, id).await?;
        let escalation = found.ok_or_else(|| Error::not_found("escalation"))?;
        let open = self.store.sessions().get_with_turns(scope, &escalation.session_id, recent).await?;
        Ok((escalation, open))
    }

    /// The key of an action on a request for a human: what is remembered of the action lies beside its session.
    ///
    /// # Errors
    /// 404 where there is no such request.
    async fn action_key(
        &self,
        scope: &Scope,
        id: &EscalationId,
        key: Option<&RequestKey>,
    ) -> Result<Option<RequestKey>> {
        let Some(key) = key else { return Ok(None) };
        let found = self.store.escalations().get(scope, id).await?;
        let escalation = found.ok_or_else(|| Error::not_found("escalation"))?;
        Ok(Some(key.clone().beside(&escalation.session_id)))
    }
}

/// Whether escalation and session, read one after the other, still match: both say that a person has the session.
fn is_claimed_by_agent(escalation: &Escalation, session: &Session) -> bool {
    escalation.status == EscalationStatus::Claimed
        && session.ownership == Ownership::Human
        && session.escalation_id.as_ref() == Some(&escalation.escalation_id)
}

/// 409 for what `status` does not allow.
fn not_claimed(status: EscalationStatus) -> Error {
    Error::new(Code::InvalidState, format!("This is not possible while the escalation is `{status}`."))
}
