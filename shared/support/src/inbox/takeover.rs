//! Takeover: the first escalation of the queue, or a named one, goes to exactly one agent. An agent may also take a
//! session that the AI has, or that waits for a human.
//!
//! Candidates come from the index, which may lag. Each is read again from the table, consistently, and claimed on the
//! condition that it is unchanged. The claim carries a token of its request, by which the request recognises its own
//! claim after a lost reply. What a request with a key claims is remembered in the same transaction, so its repetition
//! gets the same customer, not the next one.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::error::{Code, DetailCode};
use domain::models::{
    AgentRef, Escalation, EscalationAction, EscalationId, EscalationStatus, Ownership, ReasonCategory, RequestedBy,
    Scope, SessionAction, SessionId, SessionState, SystemEvent, Timestamp,
};
use domain::{Error, Result};

use crate::edge::table::RequestKey;
use crate::inbox::claim::{self, AgentAction, CASE_TURNS, Case};
use crate::sessions::conversation::lifecycle::{self, session_closed};
use crate::sessions::conversation::pending_answer::{append, system_turn};
use crate::sessions::conversation::{ConversationService, handover, message};
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::sessions::table::escalations::{ClaimedEscalation, InboxFilter};
use crate::table::update::Decision;

/// How many of the queue are read at a time: the first one, and others in case an index that lags names some that are
/// gone.
const CANDIDATES_PER_READ: usize = 10;

/// One request to take over.
pub(crate) struct TakeoverRequest<'a> {
    pub(crate) acting: &'a AgentAction,
    pub(crate) key: Option<RequestKey>,
    /// By which this request knows its own claim again.
    pub(crate) token: String,
    pub(crate) deadline: Timestamp,
}

/// The outcome of the attempt to claim one candidate.
enum ClaimOutcome {
    Won(Box<Case>),
    /// Claimed, or no longer waiting.
    Gone {
        status: EscalationStatus,
        claimed_by: Option<AgentRef>,
    },
}

impl ClaimOutcome {
    const fn gone(status: EscalationStatus, claimed_by: Option<AgentRef>) -> Self {
        Self::Gone { status, claimed_by }
    }
}

impl ConversationService {
    /// Gives the first of the queue, or the one that is named, to the acting agent. `key` is that of the request.
    ///
    /// # Errors
    /// 404 for an empty queue (`QUEUE_EMPTY`) and for one that does not exist, 409 `ALREADY_CLAIMED` and
    /// `INVALID_STATE` for a named one, 422 for a key that was used with another wish.
    pub(crate) async fn takeover(
        &self,
        acting: &AgentAction,
        named: Option<&EscalationId>,
        key: Option<RequestKey>,
    ) -> Result<Case> {
        let deadline = self.deadline(self.runtime.now());
        // Several agents may share an API key.
        let key = key.map(|key| key.of(&acting.agent.id));
        let request = TakeoverRequest { acting, key, token: self.runtime.token()?, deadline };
        let work = async {
            match named {
                Some(id) => self.take_over_named(&request, id).await,
                None => self.take_over_next(&request).await,
            }
        };
        let reply_from = async |claimed: ClaimedEscalation| self.case(&acting.scope, &claimed.escalation_id).await;
        let requests = self.store.idempotency();
        let (case, replayed) = requests.once(&acting.scope, request.key.as_ref(), work, reply_from).await?;
        Ok(Case { replayed, ..case })
    }

    async fn take_over_named(&self, request: &TakeoverRequest<'_>, id: &EscalationId) -> Result<Case> {
        match self.try_claim(request, id, None).await? {
            ClaimOutcome::Won(case) => Ok(*case),
            ClaimOutcome::Gone { status: EscalationStatus::Claimed, claimed_by } => {
                Err(already_claimed(request.acting, claimed_by.as_ref()))
            }
            ClaimOutcome::Gone { status, .. } => Err(claim::not_claimed(status)),
        }
    }

    /// Goes through the queue until one is won, or the whole queue was read and nobody in it was waiting.
    async fn take_over_next(&self, request: &TakeoverRequest<'_>) -> Result<Case> {
        let (escalations, pending) = (self.store.escalations(), EscalationStatus::Pending);
        let mut gone: HashSet<EscalationId> = HashSet::new();
        let (mut from, mut known) = (None, 0);
        loop {
            let scope = &request.acting.scope;
            let page =
                escalations.list(scope, pending, InboxFilter::default(), from.as_ref(), CANDIDATES_PER_READ).await?;
            match page.items.into_iter().find(|candidate| !gone.contains(&candidate.escalation_id)) {
                Some(candidate) => {
                    match self.try_claim(request, &candidate.escalation_id, Some(&candidate.session_id)).await? {
                        ClaimOutcome::Won(case) => return Ok(*case),
                        // Others are taking over: the rest of this page is as old as the candidate, so it is read again.
                        ClaimOutcome::Gone { .. } => {
                            gone.insert(candidate.escalation_id);
                        }
                    }
                }
                None if page.next.is_some() => from = page.next,
                // Somebody may have joined the head of the queue while this read on.
                None if gone.len() > known => (from, known) = (None, gone.len()),
                None => {
                    let empty = Error::new(Code::NotFound, "No customer is waiting.");
                    return Err(empty.with_detail(DetailCode::QueueEmpty, "the queue is empty"));
                }
            }
        }
    }

    /// Claims one candidate, however often it changes meanwhile, until it is won or gone. `session` is what the index
    /// names as its session.
    async fn try_claim(
        &self,
        request: &TakeoverRequest<'_>,
        id: &EscalationId,
        session: Option<&SessionId>,
    ) -> Result<ClaimOutcome> {
        let is_retry = AtomicBool::new(false);
        let decide = || async {
            // Mostly another agent has it by now: then the escalation alone says so.
            if is_retry.swap(true, Ordering::Relaxed)
                && let Some(gone) = self.gone(request, id).await?
            {
                return Ok(Decision::Keep(gone));
            }
            self.decide_claim(request, id, session).await
        };
        let sessions = self.store.sessions();
        match sessions.update_reading(&request.acting.scope, id.as_str(), request.deadline, decide).await {
            // The index still names what has been erased.
            Err(error) if session.is_some() && error.code() == Code::NotFound => {
                Ok(ClaimOutcome::gone(EscalationStatus::Closed, None))
            }
            tried => tried,
        }
    }

    /// The outcome for an escalation that no longer waits and that this request has not claimed.
    async fn gone(&self, request: &TakeoverRequest<'_>, id: &EscalationId) -> Result<Option<ClaimOutcome>> {
        let now = self.store.escalations().get(&request.acting.scope, id).await?;
        let gone = now
            .filter(|now| now.status != EscalationStatus::Pending && now.claim_token.as_ref() != Some(&request.token));
        Ok(gone.map(|now| ClaimOutcome::gone(now.status, now.claimed_by)))
    }

    async fn decide_claim(
        &self,
        request: &TakeoverRequest<'_>,
        id: &EscalationId,
        session: Option<&SessionId>,
    ) -> Result<Decision<SessionChange, ClaimOutcome>> {
        let scope = &request.acting.scope;
        let (before, open) = self.candidate(scope, id, session).await?;
        if before.claim_token.as_ref() == Some(&request.token) {
            // Of this very request, whose reply was lost.
            return Ok(Decision::Keep(ClaimOutcome::Won(Box::new(self.case(scope, id).await?))));
        }
        if before.status != EscalationStatus::Pending {
            return Ok(Decision::Keep(ClaimOutcome::gone(before.status, before.claimed_by)));
        }
        let awaited =
            open.session.ownership() == Ownership::PendingHandover && open.session.escalation_id() == Some(id);
        if !awaited {
            return Ok(Decision::ReadAgain);
        }
        let (change, claimed) = self.claim(request, &before, &open)?;
        let case = self.claimed_case(scope, open, &change, claimed).await?;
        Ok(Decision::Write(change, ClaimOutcome::Won(Box::new(case))))
    }

    /// A candidate and its session, read in parallel if the index names the session.
    async fn candidate(
        &self,
        scope: &Scope,
        id: &EscalationId,
        session: Option<&SessionId>,
    ) -> Result<(Escalation, SessionWithTurns)> {
        let Some(session) = session else { return self.get_case_for_update(scope, id, CASE_TURNS).await };
        let (escalations, sessions) = (self.store.escalations(), self.store.sessions());
        let (found, open) =
            tokio::try_join!(escalations.get(scope, id), sessions.get_with_turns(scope, session, CASE_TURNS))?;
        Ok((found.ok_or_else(|| Error::not_found("escalation"))?, open))
    }

    pub(crate) fn claim(
        &self,
        request: &TakeoverRequest<'_>,
        before: &Escalation,
        open: &SessionWithTurns,
    ) -> Result<(SessionChange, Escalation)> {
        let now = self.runtime.now();
        let mut after = lifecycle::transition(&open.session, &SessionAction::Takeover, now, &open.settings)?;
        let agent = Some(request.acting.agent(None));
        let joined = system_turn(&self.runtime, &after, SystemEvent::AgentJoined, agent)?;
        append(&mut after, &joined, now);
        let Some(status) = before.status.after(EscalationAction::Takeover) else {
            return Err(claim::not_claimed(before.status));
        };
        let mut claimed = Escalation { status, ..before.clone() };
        request.acting.claim(&mut claimed, Some(request.token.clone()), now);
        claimed.last_customer_message_at = after.last_customer_message_at;
        claimed.last_words.clone_from(&after.last_words);
        claimed.summary = message::summary(&open.recent).or(claimed.summary);
        claimed.version += 1;
        let mut change = SessionChange::new(&open.session, after);
        change.turns = vec![joined];
        change.escalation = Some(EscalationChange::Replace { version: before.version, after: claimed.clone() });
        let done = ClaimedEscalation { escalation_id: before.escalation_id.clone() };
        let record = self.store.idempotency().completed(&request.acting.scope, request.key.as_ref(), done)?;
        Ok((request.acting.making(change).recording(record), claimed))
    }

    /// The case as it is once the claim is committed. If a turn came since the session was read, the turns are read again.
    async fn claimed_case(
        &self,
        scope: &Scope,
        open: SessionWithTurns,
        change: &SessionChange,
        escalation: Escalation,
    ) -> Result<Case> {
        let complete = open.recent.last().map_or(0, |turn| turn.number) == open.session.turn_count;
        let mut messages = open.recent;
        if !complete {
            messages = self.store.sessions().list_last_turns(scope, &change.after.session_id, CASE_TURNS).await?;
        }
        messages.extend(change.turns.iter().cloned());
        let surplus = messages.len().saturating_sub(usize::from(CASE_TURNS));
        messages.drain(..surplus);
        Ok(Case { escalation, session: change.after.clone(), messages, replayed: false })
    }
}

/// 409 for a conversation that an agent has claimed: the acting one, or another.
fn already_claimed(acting: &AgentAction, by: Option<&AgentRef>) -> Error {
    let message = match by {
        Some(claimer) if claimer.id == acting.agent.id => "You have already claimed this conversation.",
        _ => "Another agent has claimed this conversation.",
    };
    Error::new(Code::AlreadyClaimed, message)
}

impl ConversationService {
    /// Gives a session to the acting agent: one that the AI has, by an escalation of their own, for `reason`; one that
    /// waits for a human, by the escalation that it waits with.
    ///
    /// # Errors
    /// 404 for a session that does not exist; 409 `ALREADY_CLAIMED` for one that an agent has, `SESSION_CLOSED`; 401 for
    /// a member who may not sign in any more; 422 for a key that was used with another wish.
    pub(crate) async fn step_in(
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
        let reason = reason.unwrap_or_else(|| handover::reason(category));
        let mut made =
            handover::new_escalation(&self.runtime, &open.settings, &open.session, reason, category, by, &open.recent)?;
        // It is claimed as it is made.
        let made_at = made.created_at;
        acting.claim(&mut made, Some(request.token.clone()), made_at);
        let action = SessionAction::StepIn(made.escalation_id.clone());
        let mut after = lifecycle::transition(&open.session, &action, now, &open.settings)?;
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
