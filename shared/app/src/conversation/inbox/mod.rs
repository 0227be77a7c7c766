//! The acts of agents on a conversation: take it over, write, hand it to each other, put it off, and end their part.
//!
//! [`AgentAction`] is the acting agent. `takeover` gives the first escalation of the queue, or a named one, to exactly
//! one agent; `step_in` takes a session from the AI, `reopen` takes up again what was resolved. `message` writes to the
//! customer, or a note; `note` writes one into any open session; `suggestion` tells what the AI would say. `claim` is what
//! all acts on a claim have in common, and keeps one, `transfer` gives it to another agent, `patch` puts it off or sets
//! its priority. `release` returns the conversation to the AI or the queue, or closes it. `lease` handles what is due:
//! claims that expired or were put off; `member_claims` gives back those of a member who lost the inbox. Each is one
//! transaction over session, escalation and turns (the priority: the escalation only), on the condition that they are
//! unchanged. After a lost race the data is read and decided again.

mod acting;
mod claim;
mod lease;
mod member_claims;
mod message;
mod note;
mod patch;
mod release;
mod reopen;
mod step_in;
mod suggestion;
mod takeover;
mod transfer;

pub use acting::AgentAction;
pub use member_claims::give_back_claims;
pub use message::{AgentMessage, AgentMessageResult};
pub use patch::CasePatch;
pub use release::{Handback, ReleaseKind};
pub use suggestion::Suggestion;
pub use transfer::Transfer;

use super::ConversationService;
use aws::store::RequestKey;
use aws::store::sessions::SessionWithTurns;
use domain::error::Code;
use domain::models::{Escalation, EscalationId, EscalationStatus, Ownership, Scope, Session, Turn};
use domain::{Error, Result};

/// How many of the newest turns an agent is shown.
const CASE_TURNS: u16 = 50;

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
        let (escalation, session) = self.case_without_turns(scope, id).await?;
        self.case_with_turns(scope, escalation, session).await
    }

    /// A request for a human with its session, one after the other.
    ///
    /// # Errors
    /// As [`Self::case`].
    pub async fn case_without_turns(&self, scope: &Scope, id: &EscalationId) -> Result<(Escalation, Session)> {
        let found = self.store.escalations().get(scope, id).await?;
        let escalation = found.ok_or_else(|| Error::not_found("escalation"))?;
        let session = self.store.sessions().get(scope, &escalation.session_id).await?;
        let session = session.ok_or_else(|| Error::not_found("escalation"))?;
        Ok((Escalation { tags: session.tags.clone(), ..escalation }, session))
    }

    /// The same with the newest turns, which are read after them: no turn is missing that the session counts.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn case_with_turns(&self, scope: &Scope, escalation: Escalation, session: Session) -> Result<Case> {
        let messages = self.store.sessions().list_last_turns(scope, &session.session_id, CASE_TURNS).await?;
        Ok(Case { escalation, session, messages, replayed: false })
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
    /// 404 if there is no such request.
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
        && session.ownership() == Ownership::Human
        && session.escalation_id() == Some(&escalation.escalation_id)
}

/// 409 for what `status` does not allow.
fn not_claimed(status: EscalationStatus) -> Error {
    Error::new(Code::InvalidState, format!("This is not possible while the escalation is `{status}`."))
}
