//! A claim goes from one agent to another.

use super::claim::change_of_case;
use super::{AgentAction, Case, not_claimed};
use crate::conversation::ConversationService;
use crate::conversation::turns::{append, note, system_turn};
use aws::store::sessions::SessionChange;
use aws::store::{MemberAsRead, RequestKey};
use domain::error::DetailCode;
use domain::models::{
    AgentRef, Escalation, EscalationAction, EscalationId, Member, MemberId, Scope, Session, SystemEvent,
};
use domain::{Error, Result};

/// To whom a claim goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The other agent. A member has its own name.
    pub to: AgentRef,
    /// For the tenant's people, at most 1,000 characters.
    pub note: Option<String>,
}

impl ConversationService {
    /// Gives a claim to another agent, under a new lease.
    ///
    /// # Errors
    /// 400 for oneself, for who has it already, and for a member who is not active or does not work in the inbox; and
    /// those of every act on a claim.
    pub async fn transfer(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        transfer: &Transfer,
        key: Option<&RequestKey>,
    ) -> Result<Case> {
        if transfer.to.id == acting.agent.id {
            return Err(to_oneself());
        }
        let act = |escalation: Escalation, session: Session| async move {
            self.transferred(acting, &escalation, &session, transfer).await
        };
        self.act_on_claim(acting, id, key, act).await
    }

    async fn transferred(
        &self,
        acting: &AgentAction,
        escalation: &Escalation,
        session: &Session,
        Transfer { to, note: content }: &Transfer,
    ) -> Result<SessionChange> {
        let (to, recipient) = self.recipient(&acting.scope, to).await?;
        if escalation.claimed_by.as_ref().is_some_and(|claimant| claimant.id == to.id) {
            return Err(to_oneself());
        }
        let Some(status) = escalation.status.after(EscalationAction::Transfer) else {
            return Err(not_claimed(escalation.status));
        };
        let (now, mut told, mut turns) = (self.runtime.now(), session.clone(), Vec::new());
        if let Some(content) = content {
            let turn = note(&self.runtime, &told, content, acting.agent(escalation.claimed_by.as_ref()))?;
            append(&mut told, &turn, now);
            turns.push(turn);
        }
        turns.push(system_turn(&self.runtime, &told, SystemEvent::AgentJoined, Some(to.clone()))?);
        let mut after =
            Escalation { status, claimed_by: Some(to), claim_token: None, answered: false, ..escalation.clone() };
        after.claimed_generation = recipient.as_ref().map(|member| member.generation);
        after.renew_lease(now);
        Ok(SessionChange { recipient, ..change_of_case(escalation, session, after, turns) })
    }

    /// The recipient: a member is active and works in the inbox, and has its own name.
    async fn recipient(&self, scope: &Scope, to: &AgentRef) -> Result<(AgentRef, Option<MemberAsRead>)> {
        if !to.is_member() {
            return Ok((to.clone(), None));
        }
        let found = match MemberId::parse(&to.id) {
            Some(id) => self.store.members().get(&scope.tenant, &id).await?,
            None => None,
        };
        let Some(member) = found.filter(Member::has_inbox) else {
            let wanted = "must be an active member who works in the inbox";
            return Err(Error::invalid("toAgentId", DetailCode::NotAllowed, wanted));
        };
        let Member { member_id, public_name, generation, .. } = member;
        let agent = AgentRef { id: member_id.to_string(), name: Some(public_name) };
        Ok((agent, Some(MemberAsRead { member_id, generation })))
    }
}

fn to_oneself() -> Error {
    Error::invalid("toAgentId", DetailCode::NotAllowed, "must be another agent than the one who has it, or who acts")
}
