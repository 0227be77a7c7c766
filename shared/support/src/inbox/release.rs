//! The end of an agent's part: handback to the AI, release to the queue, or resolve. Also the reopening of what was
//! resolved, and the transfer of a claim to another agent.

use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{
    AgentRef, Escalation, EscalationAction, EscalationId, EscalationOutcome, EscalationStatus, Member, MemberId,
    MessageId, ReleaseReason, Scope, Session, SessionAction, SystemEvent, Timestamp, Turn, TurnRole,
};
use domain::{Error, Result};

use crate::edge::allowance::Allowance;
use crate::edge::table::RequestKey;
use crate::inbox::claim::{AgentAction, CASE_TURNS, Case, change_of_case, is_claimed_by_agent, not_claimed};
use crate::members::table::MemberAsRead;
use crate::sessions::conversation::pending_answer::{self, PendingAnswer, append, note, system_turn};
use crate::sessions::conversation::{ConversationService, lifecycle, message};
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::sessions::table::escalations::ClaimedEscalation;
use crate::table::update::Decision;

/// How an agent ends their part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReleaseKind {
    /// To the AI.
    Handback(Handback),
    /// The matter is settled.
    Resolve {
        /// How; for the tenant's people and the AI, at most 1,000 characters.
        resolution: Option<String>,
        /// The newest turn that the agent has seen; what the customer wrote after it stops the resolving.
        last_seen: Option<MessageId>,
    },
    /// To the queue, where it keeps its place.
    Release,
}

/// The context of a conversation that is handed back to the AI.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Handback {
    /// For the AI, at most 1,000 characters.
    pub note: Option<String>,
    /// The newest turn that the agent has seen; what the customer wrote after it stops the handback.
    pub last_seen: Option<MessageId>,
}

/// How an agent's part ends, in addition to the state tables.
struct ReleasePlan {
    action: SessionAction,
    event: SystemEvent,
    /// For the tenant's people, before the system turn.
    note: Option<Turn>,
    /// The context for the AI.
    handover_note: Option<String>,
}

impl ConversationService {
    /// Gives a claim back to the queue whose lease is over; false if it has changed meanwhile.
    pub(crate) async fn release_expired_claim(&self, scope: &Scope, escalation: &Escalation) -> Result<bool> {
        let open = self.store.sessions().get_with_turns(scope, &escalation.session_id, 0).await?;
        let (true, Some(agent)) = (is_claimed_by_agent(escalation, &open.session), &escalation.claimed_by) else {
            return Ok(false);
        };
        let change = given_back(&self.runtime, agent.clone(), escalation, &open, ReleaseReason::Lapsed)?;
        self.store.sessions().commit(scope, change, self.deadline(self.runtime.now())).await
    }

    /// Ends an agent's part, on request of its agent or an admin.
    ///
    /// After a handback the AI answers unanswered turns at once; if that fails or takes too long, the answer is
    /// pending. Resolving again returns the stored result.
    ///
    /// # Errors 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`, `CONFLICT` if the customer
    /// wrote after the last turn that the agent has seen; 422 for a key that was used with another body.
    pub(crate) async fn release_case(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        ending: &ReleaseKind,
        key: Option<&RequestKey>,
    ) -> Result<Case> {
        let scope = &acting.scope;
        let key = self.action_key(scope, id, key).await?;
        let work = Box::pin(self.end_part(acting, id, ending, key.as_ref()));
        let reply_from = async |_: ClaimedEscalation| self.case(scope, id).await;
        let (case, replayed) = self.store.idempotency().once(scope, key.as_ref(), work, reply_from).await?;
        Ok(Case { replayed, ..case })
    }

    async fn end_part(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        ending: &ReleaseKind,
        key: Option<&RequestKey>,
    ) -> Result<Case> {
        let (scope, requests) = (&acting.scope, self.store.idempotency());
        let received_at = self.runtime.now();
        let deadline = self.deadline(received_at);
        let done = &ClaimedEscalation { escalation_id: id.clone() };
        let decide = || async move {
            let (escalation, open) = self.get_case_for_update(scope, id, CASE_TURNS).await?;
            if is_resolved(acting, &escalation, ending)? {
                requests.store_completed(scope, key, done).await?;
                return Ok(Decision::Keep(None));
            }
            if !is_claimed_by_agent(&escalation, &open.session) {
                return Ok(Decision::ReadAgain);
            }
            let asked = self.is_open(scope, &open, ending).await?;
            let agent = acting.agent(escalation.claimed_by.as_ref());
            let change = self.ended(agent, &escalation, &open, ending, !asked.is_empty())?;
            let after = change.after.clone();
            let record = requests.completed(scope, key, done)?;
            Ok(Decision::Write(acting.making(change).recording(record), Some(Box::new((open, asked, after)))))
        };
        let ended = self.store.sessions().update_reading(scope, id.as_str(), deadline, decide).await?;
        if let Some(ended) = ended {
            let (open, asked, after) = *ended;
            // It is an agent who has this answer made.
            let due = PendingAnswer { open, asked, received_at, allowance: &Allowance::unlimited() };
            self.answer_pending_turns_or_schedule(scope, due, after).await?;
        }
        self.case(scope, id).await
    }

    /// The customer's turns that the AI has to answer once it has the conversation back.
    ///
    /// # Errors
    /// 404 for a last turn that is not of this conversation, 409 `CONFLICT` if the customer wrote after it.
    async fn is_open(&self, scope: &Scope, open: &SessionWithTurns, ending: &ReleaseKind) -> Result<Vec<Turn>> {
        let (ReleaseKind::Handback(Handback { last_seen, .. }) | ReleaseKind::Resolve { last_seen, .. }) = ending
        else {
            return Ok(Vec::new());
        };
        let id = &open.session.session_id;
        if let Some(seen) = last_seen {
            let sessions = self.store.sessions();
            let turn = sessions.get_turn(scope, id, seen.turn_number()).await?;
            if turn.is_none_or(|turn| turn.message_id != *seen) {
                return Err(Error::not_found("message"));
            }
            let (is_seen, is_customers) =
                (|turn: &Turn| turn.number <= seen.turn_number(), |turn: &Turn| turn.role() == TurnRole::Customer);
            if !sessions.list_newest_until(scope, id, is_seen, is_customers, 1).await?.is_empty() {
                return Err(Error::new(Code::Conflict, "The customer has written since.")
                    .with_detail(DetailCode::NewerMessage, "read what the customer wrote after lastSeenMessageId"));
            }
        }
        match ending {
            ReleaseKind::Handback(_) => self.pending_turns(scope, &open.session).await,
            ReleaseKind::Resolve { .. } | ReleaseKind::Release => Ok(Vec::new()),
        }
    }

    fn ended(
        &self,
        agent: AgentRef,
        escalation: &Escalation,
        open: &SessionWithTurns,
        ending: &ReleaseKind,
        is_due: bool,
    ) -> Result<SessionChange> {
        let now = self.runtime.now();
        let Some(plan) = self.plan_release(open, ending, &agent)? else {
            return given_back(&self.runtime, agent, escalation, open, ReleaseReason::Released);
        };
        let change = self.apply_release(open, plan, agent, is_due, now)?;
        let mut after = escalation_after(escalation, ending, now)?;
        after.last_customer_message_at = change.after.last_customer_message_at;
        after.last_words.clone_from(&change.after.last_words);
        let escalation = Some(EscalationChange::Replace { version: escalation.version, after });
        Ok(SessionChange { escalation, ..change })
    }

    /// How a part ends that does not go back to the queue.
    fn plan_release(
        &self,
        open: &SessionWithTurns,
        ending: &ReleaseKind,
        agent: &AgentRef,
    ) -> Result<Option<ReleasePlan>> {
        let plan = |action, event| ReleasePlan { action, event, note: None, handover_note: None };
        Ok(Some(match ending {
            ReleaseKind::Handback(Handback { note: content, .. }) => ReleasePlan {
                note: content
                    .as_ref()
                    .map(|content| note(&self.runtime, &open.session, content, agent.clone()))
                    .transpose()?,
                handover_note: Some(pending_answer::handback_note(content.as_deref())),
                ..plan(SessionAction::Handback, SystemEvent::HandoverEnded)
            },
            ReleaseKind::Resolve { resolution, .. } => {
                // The AI may later answer from public entries alone, and the note stays.
                let public: Vec<Turn> =
                    open.recent.iter().filter(|turn| !turn.is_grounded_on_internal()).cloned().collect();
                let summary = message::summary(&public);
                ReleasePlan {
                    handover_note: Some(pending_answer::resolution_note(resolution.as_deref(), summary.as_deref())),
                    ..plan(SessionAction::Resolve, SystemEvent::Closed)
                }
            }
            ReleaseKind::Release => return Ok(None),
        }))
    }

    fn apply_release(
        &self,
        open: &SessionWithTurns,
        plan: ReleasePlan,
        agent: AgentRef,
        is_due: bool,
        now: Timestamp,
    ) -> Result<SessionChange> {
        let mut after = lifecycle::transition(&open.session, &plan.action, now, &open.settings)?;
        let mut turns: Vec<Turn> = plan.note.into_iter().collect();
        turns.iter().for_each(|note| append(&mut after, note, now));
        let system = system_turn(&self.runtime, &after, plan.event, Some(agent))?;
        append(&mut after, &system, now);
        turns.push(system);
        after.handover_note = plan.handover_note;
        match plan.action {
            SessionAction::Handback => self.set_answer_due(&mut after, is_due, now),
            // A resumed session starts new: the AI gets the resolution, and not the earlier turns.
            SessionAction::Resolve => after.ai_reads_after_turn = after.turn_count,
            _ => {}
        }
        let mut change = SessionChange::new(&open.session, after);
        change.turns = turns;
        Ok(change)
    }
}

/// The claim given back to the queue, where the customer keeps their place. A customer is told that an agent left, but
/// not that a claim lapsed: nobody left who did not say so.
pub(crate) fn given_back(
    runtime: &Runtime,
    agent: AgentRef,
    escalation: &Escalation,
    open: &SessionWithTurns,
    reason: ReleaseReason,
) -> Result<SessionChange> {
    let now = runtime.now();
    let mut after = lifecycle::transition(&open.session, &SessionAction::Release, now, &open.settings)?;
    let event = match reason {
        ReleaseReason::Lapsed => SystemEvent::ClaimLapsed,
        ReleaseReason::Released | ReleaseReason::AccessLost => SystemEvent::AgentLeft,
    };
    let left = system_turn(runtime, &after, event, Some(agent))?;
    append(&mut after, &left, now);
    let mut waiting = escalation_after(escalation, &ReleaseKind::Release, now)?;
    (waiting.former_agent, waiting.release_reason) = (escalation.claimed_by.clone(), Some(reason));
    waiting.last_customer_message_at = after.last_customer_message_at;
    waiting.last_words.clone_from(&after.last_words);
    waiting.notice_due_at = waiting.noticed_at.is_none().then(|| open.settings.notice_due_at(now)).flatten();
    let mut change = SessionChange::new(&open.session, after);
    change.turns = vec![left];
    change.escalation = Some(EscalationChange::Replace { version: escalation.version, after: waiting });
    Ok(change)
}

/// Whether it was resolved before and is to be resolved; refuses what cannot be done.
fn is_resolved(acting: &AgentAction, escalation: &Escalation, ending: &ReleaseKind) -> Result<bool> {
    let resolved = escalation.status == EscalationStatus::Resolved && matches!(ending, ReleaseKind::Resolve { .. });
    if escalation.status != EscalationStatus::Claimed && !resolved {
        return Err(not_claimed(escalation.status));
    }
    acting.can_act(escalation)?;
    Ok(resolved)
}

/// The request for a human after its agent left.
fn escalation_after(before: &Escalation, ending: &ReleaseKind, now: Timestamp) -> Result<Escalation> {
    let action = match ending {
        ReleaseKind::Handback(_) => EscalationAction::Handback,
        ReleaseKind::Resolve { .. } => EscalationAction::Resolve,
        ReleaseKind::Release => EscalationAction::Release,
    };
    let mut after = before.clone();
    after.status = before.status.after(action).ok_or_else(|| not_claimed(before.status))?;
    after.end_lease(now);
    after.answered = false;
    after.version += 1;
    match ending {
        ReleaseKind::Handback(_) => {
            after.outcome = Some(EscalationOutcome::HandedBack);
            after.closed_at = Some(now);
        }
        ReleaseKind::Resolve { resolution, .. } => {
            after.outcome = Some(EscalationOutcome::Resolved);
            after.resolved_at = Some(now);
            after.resolution.clone_from(resolution);
        }
        ReleaseKind::Release => {
            (after.claimed_at, after.claimed_by, after.claim_token, after.claimed_generation) =
                (None, None, None, None);
        }
    }
    Ok(after)
}

impl ConversationService {
    /// Claims a resolved request again; its session is the agent's once more.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is not resolved, and if its session was closed too long ago or somebody
    /// asked for a human since; 401 for a member who may not sign in any more; 422 for a key that was used with another
    /// body.
    pub(crate) async fn reopen_case(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
    ) -> Result<Case> {
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
        let mut after = lifecycle::transition(&open.session, &action, now, &open.settings)?;
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
    pub(crate) async fn transfer(
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
