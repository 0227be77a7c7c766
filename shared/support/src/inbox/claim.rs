//! The claim of an agent on a conversation: the acting agent, the part that all acts on a claim share, the renewal of
//! leases, and what the sweeper does when claims are due.
//!
//! An agent who works renews all of theirs by one call. A claim whose lease is over, because its customer wrote and its
//! agent did nothing, lapses, and the customer returns to their place in the queue. When the time of one that was put
//! off has come, its agent has it again. A customer whom nobody has taken causes a notice.

use domain::access::{MemberIdentity, Principal};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{
    AgentRef, Escalation, EscalationId, EscalationStatus, MemberId, Ownership, ReleaseReason, Role, Scope, Session,
    Timestamp, Turn,
};
use domain::{Error, Result};

use crate::edge::table::RequestKey;
use crate::inbox::release::given_back;
use crate::members::table::MemberAsRead;
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::pending_answer::append;
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::sessions::table::escalations::{ClaimedEscalation, InboxFilter};
use crate::table::Store;
use crate::table::update::Decision;

/// How many of the newest turns an agent is shown.
pub(crate) const CASE_TURNS: u16 = 50;

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
    pub(crate) async fn case_without_turns(&self, scope: &Scope, id: &EscalationId) -> Result<(Escalation, Session)> {
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
    pub(crate) async fn case_with_turns(
        &self,
        scope: &Scope,
        escalation: Escalation,
        session: Session,
    ) -> Result<Case> {
        let messages = self.store.sessions().list_last_turns(scope, &session.session_id, CASE_TURNS).await?;
        Ok(Case { escalation, session, messages, replayed: false })
    }

    /// The request and its session with the newest `recent` turns.
    pub(crate) async fn get_case_for_update(
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
    pub(crate) async fn action_key(
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
pub(crate) fn is_claimed_by_agent(escalation: &Escalation, session: &Session) -> bool {
    escalation.status == EscalationStatus::Claimed
        && session.ownership() == Ownership::Human
        && session.escalation_id() == Some(&escalation.escalation_id)
}

/// 409 for what `status` does not allow.
pub(crate) fn not_claimed(status: EscalationStatus) -> Error {
    Error::new(Code::InvalidState, format!("This is not possible while the escalation is `{status}`."))
}

/// The acting agent: a member, who acts as itself, or the agent whom a key names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentAction {
    pub(crate) scope: Scope,
    pub(crate) agent: AgentRef,
    admin: bool,
    member: Option<MemberAsRead>,
}

impl AgentAction {
    /// The member who calls; the agent whom a key names, or else the key.
    ///
    /// # Errors
    /// 403 for a member that names another id or name than its own; 400 for a key that names a member.
    pub(crate) fn new(caller: &Principal, agent_id: Option<String>, name: Option<String>) -> Result<Self> {
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
    pub(crate) fn agent(&self, claimed: Option<&AgentRef>) -> AgentRef {
        let known = claimed.filter(|claimant| claimant.id == self.agent.id).and_then(|claimant| claimant.name.clone());
        AgentRef { id: self.agent.id.clone(), name: self.agent.name.clone().or(known) }
    }

    /// Only the claimer or an admin may act on what is claimed.
    pub(crate) fn can_act(&self, escalation: &Escalation) -> Result<()> {
        if self.has_claimed(escalation) || self.admin {
            return Ok(());
        }
        Err(Error::new(Code::ClaimedByOther, "Another agent has claimed this conversation."))
    }

    /// Whether it is the acting agent who claimed it.
    pub(crate) fn has_claimed(&self, escalation: &Escalation) -> bool {
        escalation.claimed_by.as_ref().is_some_and(|claimant| claimant.id == self.agent.id)
    }

    /// Gives `escalation` to the acting agent, under a new lease.
    pub(crate) fn claim(&self, escalation: &mut Escalation, token: Option<String>, now: Timestamp) {
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
    pub(crate) const fn member(&self) -> Option<&MemberAsRead> {
        self.member.as_ref()
    }

    /// The change, made under the condition that the acting member is still as read.
    pub(crate) fn making(&self, change: SessionChange) -> SessionChange {
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

impl ConversationService {
    /// Gives a claim a new lease; one that was put off is so no longer.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`; 401 for a member who may not sign in
    /// any more; 422 for a key that was used with another body.
    pub(crate) async fn renew(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
    ) -> Result<Case> {
        let act = |escalation: Escalation, session: Session| async move {
            let mut renewed = escalation.clone();
            renewed.renew_lease(self.runtime.now());
            Ok(change_of_case(&escalation, &session, renewed, Vec::new()))
        };
        self.act_on_claim(acting, id, key, act).await
    }

    /// Changes by `act` a case that the acting agent claimed, or another one if an admin acts.
    pub(crate) async fn act_on_claim<F>(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
        act: impl Fn(Escalation, Session) -> F,
    ) -> Result<Case>
    where
        F: Future<Output = Result<SessionChange>>,
    {
        let act = &act;
        let act_on_claim = |escalation: Escalation, open: SessionWithTurns| async move {
            if escalation.status != EscalationStatus::Claimed {
                return Err(not_claimed(escalation.status));
            }
            acting.can_act(&escalation)?;
            if !is_claimed_by_agent(&escalation, &open.session) {
                return Ok(None);
            }
            act(escalation, open.session).await.map(Some)
        };
        self.act_on_case(acting, id, key, act_on_claim).await
    }

    /// Changes a case by `act`, which says none if it has to be read again. A repetition gets the case as it is now.
    pub(crate) async fn act_on_case<F>(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
        act: impl Fn(Escalation, SessionWithTurns) -> F,
    ) -> Result<Case>
    where
        F: Future<Output = Result<Option<SessionChange>>>,
    {
        let (scope, requests) = (&acting.scope, self.store.idempotency());
        let key = &self.action_key(scope, id, key).await?;
        let deadline = self.deadline(self.runtime.now());
        let (act, done) = (&act, &ClaimedEscalation { escalation_id: id.clone() });
        let decide = || async move {
            let (escalation, open) = self.get_case_for_update(scope, id, 0).await?;
            let Some(change) = act(escalation, open).await? else { return Ok(Decision::ReadAgain) };
            let record = requests.completed(scope, key.as_ref(), done)?;
            Ok(Decision::Write(acting.making(change).recording(record), ()))
        };
        let work = async {
            self.store.sessions().update_reading(scope, id.as_str(), deadline, decide).await?;
            self.case(scope, id).await
        };
        let reply_from = async |_: ClaimedEscalation| self.case(scope, id).await;
        let (case, replayed) = requests.once(scope, key.as_ref(), Box::pin(work), reply_from).await?;
        Ok(Case { replayed, ..case })
    }
}

/// The change of a case whose session does not change hands: `turns` more, and what its escalation becomes.
pub(crate) fn change_of_case(
    before: &Escalation,
    session: &Session,
    after: Escalation,
    turns: Vec<Turn>,
) -> SessionChange {
    let mut session_after = session.clone();
    turns.iter().for_each(|turn| append(&mut session_after, turn, turn.created_at));
    session_after.set_snoozed(after.snoozed_until.is_some());
    let last_customer_message_at = session_after.last_customer_message_at;
    let last_words = session_after.last_words.clone();
    let after = Escalation { last_customer_message_at, last_words, version: before.version + 1, ..after };
    let escalation = Some(EscalationChange::Replace { version: before.version, after });
    SessionChange { turns, escalation, ..SessionChange::new(session, session_after) }
}

/// How often a claim that just changed is read again; the sweeper runs again anyway.
const MAX_ATTEMPTS: usize = 3;

impl ConversationService {
    /// Gives every lease of the acting agent's claims a new end, and says how many there were and when they end. What is
    /// answered or put off has none, and stays as it is.
    ///
    /// # Errors
    /// 401 for a member who may not sign in any more; 503 when the table does not answer.
    pub(crate) async fn renew_all(&self, acting: &AgentAction) -> Result<(u32, Timestamp)> {
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

/// How many claims are read at a time.
const CLAIMS_PER_READ: usize = 50;
/// How long one claim is tried to be given back, in milliseconds.
const TIMEOUT_MS: i64 = 5_000;

/// Gives back the claims that a member had when it lost the inbox, in one mode; nothing if none are to be given back.
/// Can be interrupted and repeated.
///
/// The member was removed or suspended, or lost the inbox: all claims go back to the queue, put off or not. The sweeper
/// does it: the order is due at once, and the functions that change members cannot write sessions.
///
/// # Errors
/// 503 if the table does not answer; then they are due still.
pub(crate) async fn give_back_claims(store: &Store, runtime: &Runtime, scope: &Scope, member: &MemberId) -> Result<()> {
    let Some(order) = store.claims_releases().get(scope, member).await? else { return Ok(()) };
    if order.due_at > runtime.now() {
        return Ok(());
    }
    let filter = InboxFilter { claimed_by: Some(member.as_str()), ..InboxFilter::default() };
    let mut from = None;
    loop {
        let claimed = EscalationStatus::Claimed;
        let page = store.escalations().list(scope, claimed, filter, from.as_ref(), CLAIMS_PER_READ).await?;
        for claim in &page.items {
            give_back(store, runtime, scope, &claim.escalation_id, member, order.generation).await?;
        }
        match page.next {
            Some(next) => from = Some(next),
            None => return store.claims_releases().record_pass(scope, member, &order).await,
        }
    }
}

/// Gives one claim back, unless it ended, went to another agent, or is of a later generation of the member.
async fn give_back(
    store: &Store,
    runtime: &Runtime,
    scope: &Scope,
    id: &EscalationId,
    member: &MemberId,
    generation: u64,
) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        let Some(claim) = store.escalations().get(scope, id).await? else { return Ok(()) };
        let agent = claim.claimed_by.clone().filter(|agent| agent.id == member.as_str());
        let is_earlier = claim.claimed_generation.is_none_or(|claimed| claimed < generation);
        let (Some(agent), EscalationStatus::Claimed, true) = (agent, claim.status, is_earlier) else { return Ok(()) };
        let open = match store.sessions().get_with_turns(scope, &claim.session_id, 0).await {
            // It is being erased.
            Err(error) if error.code() == Code::NotFound => return Ok(()),
            open => open?,
        };
        if is_claimed_by_agent(&claim, &open.session) {
            let change = given_back(runtime, agent, &claim, &open, ReleaseReason::AccessLost)?;
            if store.sessions().commit(scope, change, runtime.now().plus_millis(TIMEOUT_MS)).await? {
                return Ok(());
            }
        }
    }
    Ok(())
}
