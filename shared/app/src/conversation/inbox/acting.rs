//! The acting agent: a member, who acts as itself, or whom a key names.

use aws::store::MemberAsRead;
use aws::store::sessions::SessionChange;
use domain::access::{MemberIdentity, Principal};
use domain::error::{Code, DetailCode};
use domain::models::{AgentRef, Escalation, EscalationStatus, Role, Scope, Timestamp};
use domain::{Error, Result};

/// The acting agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAction {
    pub(super) scope: Scope,
    pub(super) agent: AgentRef,
    admin: bool,
    member: Option<MemberAsRead>,
}

impl AgentAction {
    /// The member who calls; the agent whom a key names, or else the key.
    ///
    /// # Errors
    /// 403 for a member that names another id or name than its own; 400 for a key that names a member.
    pub fn new(caller: &Principal, agent_id: Option<String>, name: Option<String>) -> Result<Self> {
        let agent = match caller.member() {
            Some(member) => itself(member, agent_id.as_deref(), name.as_deref())?,
            None => AgentRef::named(agent_id.unwrap_or_else(|| caller.name()), name)
                .ok_or_else(|| Error::invalid("agentId", DetailCode::NotAllowed, "a member acts by its own sign-in"))?,
        };
        let as_read = |member: &MemberIdentity| MemberAsRead {
            member_id: member.member_id.clone(),
            generation: member.generation,
        };
        let (scope, admin) = (caller.scope().clone(), caller.has_role(Role::Admin));
        Ok(Self { scope, agent, admin, member: caller.member().map(as_read) })
    }

    /// The acting agent, by the name under which they claimed if they give none now.
    pub(super) fn agent(&self, claimed: Option<&AgentRef>) -> AgentRef {
        let known = claimed.filter(|claimant| claimant.id == self.agent.id).and_then(|claimant| claimant.name.clone());
        AgentRef { id: self.agent.id.clone(), name: self.agent.name.clone().or(known) }
    }

    /// Only the claimer or an admin may act on what is claimed.
    pub(super) fn can_act(&self, escalation: &Escalation) -> Result<()> {
        if self.has_claimed(escalation) || self.admin {
            return Ok(());
        }
        Err(Error::new(Code::ClaimedByOther, "Another agent has claimed this conversation."))
    }

    /// Whether it is the acting agent who claimed it.
    pub(super) fn has_claimed(&self, escalation: &Escalation) -> bool {
        escalation.claimed_by.as_ref().is_some_and(|claimant| claimant.id == self.agent.id)
    }

    /// Gives `escalation` to the acting agent, under a new lease.
    pub(super) fn claim(&self, escalation: &mut Escalation, token: Option<String>, now: Timestamp) {
        escalation.status = EscalationStatus::Claimed;
        escalation.claimed_at = Some(now);
        escalation.notice_due_at = None;
        escalation.claimed_by = Some(self.agent(None));
        escalation.claim_token = token;
        (escalation.answered, escalation.release_reason) = (false, None);
        escalation.claimed_generation = self.member.as_ref().map(|member| member.generation);
        escalation.renew_lease(now);
    }

    /// The acting member, as it was read.
    pub(super) const fn member(&self) -> Option<&MemberAsRead> {
        self.member.as_ref()
    }

    /// The change, made under the condition that the acting member is still as read.
    pub(super) fn making(&self, change: SessionChange) -> SessionChange {
        SessionChange { actor: self.member.clone(), ..change }
    }
}

/// A member as an agent; what the body names may only repeat it.
fn itself(member: &MemberIdentity, id: Option<&str>, name: Option<&str>) -> Result<AgentRef> {
    let own = AgentRef { id: member.member_id.to_string(), name: Some(member.public_name.clone()) };
    let is_own = id.is_none_or(|id| id == own.id) && name.is_none_or(|name| Some(name) == own.name.as_deref());
    if is_own {
        return Ok(own);
    }
    Err(Error::new(Code::Forbidden, "A member acts as itself.")
        .with_detail(DetailCode::TokenScope, "agentId and agentName may only repeat the member's own"))
}
