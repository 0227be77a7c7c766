//! Escalation to a human: by the customer, the caller, or the AI.

use super::turns::{append, system_turn};
use super::{ConversationService, can_access_session, summary, transition, triggers};
use crate::allowance::{Allowance, LimitedAction};
use aws::store::sessions::{EscalationChange, SessionChange, SessionWithTurns};
use aws::store::{Decision, RequestKey};
use domain::access::Principal;
use domain::clock::Runtime;
use domain::models::{
    AgentRef, Escalation, EscalationId, EscalationStatus, Ownership, Presence, Priority, ReasonCategory, RequestedBy,
    Scope, Session, SessionAction, SessionId, SessionState, Settings, SystemEvent, Timestamp, Turn,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

/// How many turns the agent's summary uses.
const SUMMARY_TURNS: u16 = 50;

/// A request for a human, as its caller reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EscalationResult {
    /// The request.
    pub escalation_id: EscalationId,
    pub session_id: SessionId,
    /// The ownership of the session.
    pub ownership: Ownership,
    /// Where it stands.
    pub status: EscalationStatus,
    /// Why, in words.
    pub reason: String,
    /// The place in the queue, from 1, exact up to 1,000; none if it is not in the queue.
    pub queue_position: Option<u32>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// Whether somebody was there. Requests that were stored before this was told have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<Presence>,
}

/// The requester, reason and priority of an escalation.
struct EscalationRequest<'a> {
    reason: &'a str,
    category: ReasonCategory,
    by: RequestedBy,
    priority: Priority,
}

/// A new request for a human about `session`, in which `said` was said, oldest first; its priority is normal.
pub(super) fn new_escalation(
    runtime: &Runtime,
    settings: &Settings,
    session: &Session,
    reason: &str,
    reason_category: ReasonCategory,
    requested_by: RequestedBy,
    said: &[Turn],
) -> Result<Escalation> {
    let now = runtime.now();
    Ok(Escalation {
        escalation_id: EscalationId::generate(runtime)?,
        session_id: session.session_id.clone(),
        status: EscalationStatus::Pending,
        reason: reason.to_owned(),
        reason_category,
        requested_by,
        priority: Priority::Normal,
        created_at: now,
        claimed_at: None,
        claimed_by: None,
        claim_token: None,
        claimed_generation: None,
        lease_expires_at: None,
        answered: false,
        former_agent: None,
        release_reason: None,
        snoozed_until: None,
        was_snoozed_until: None,
        notice_due_at: settings.notice_due_at(now),
        noticed_at: None,
        first_response_at: None,
        rating: None,
        resolved_at: None,
        closed_at: None,
        outcome: None,
        resolution: None,
        summary: summary::summary(said)
            .or_else(|| (requested_by == RequestedBy::Customer).then(|| summary::of_reason(reason))),
        last_customer_message_at: session.last_customer_message_at,
        last_words: session.last_words.clone(),
        customer_external_user_id: session.external_user_id.clone(),
        customer_name: session.user.as_ref().and_then(|user| user.name.clone()),
        customer_verified: session.user.as_ref().is_some_and(|user| user.verified),
        tags: session.tags.clone(),
        earlier_parts: 0,
        earlier_parts_ms: 0,
        version: 1,
    })
}

/// The result of an escalation in a preview of the chat: nobody is there, and nobody is called.
fn not_queued(made: Escalation, ownership: Ownership) -> EscalationResult {
    EscalationResult {
        escalation_id: made.escalation_id,
        session_id: made.session_id,
        ownership,
        status: made.status,
        reason: made.reason,
        queue_position: None,
        created_at: made.created_at,
        presence: Some(Presence::NOBODY),
    }
}

impl ConversationService {
    /// Asks for a human; asked again, it is the same request, with the priority that it has. Says whether it is the
    /// result of an earlier request with the key `request`.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`, 422 for a key that was used for another request,
    /// 429 for a visitor's request that is one too many.
    pub async fn escalate(
        &self,
        caller: &Principal,
        id: &SessionId,
        reason: &str,
        priority: Priority,
        request: Option<RequestKey>,
        allowance: &Allowance,
    ) -> Result<(EscalationResult, bool)> {
        let scope = caller.scope();
        let open = self.store.sessions().get_with_turns(scope, id, SUMMARY_TURNS).await?;
        if !can_access_session(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let key = request.map(|key| key.beside(id));
        let by = if caller.widget().is_some() { RequestedBy::Customer } else { RequestedBy::Api };
        let request = EscalationRequest { reason, category: ReasonCategory::Manual, by, priority };
        let work = self.escalate_session(scope, open, request, key.as_ref(), allowance);
        self.store.idempotency().once(scope, key.as_ref(), work, async |escalated| Ok(escalated)).await
    }

    /// The place in the queue of a session that awaits a human, from 1, exact up to 1,000; none for any other.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn queue_position(&self, scope: &Scope, session: &Session) -> Result<Option<u32>> {
        let SessionState::PendingHandover { escalation_id: id } = &session.state else { return Ok(None) };
        let escalations = self.store.escalations();
        match escalations.get(scope, id).await? {
            Some(escalation) => escalations.get_queue_position(scope, &escalation).await,
            None => Ok(None),
        }
    }

    /// The agent who had the part of this session that ended last, if nobody was asked for since.
    pub(super) async fn former_agent(&self, scope: &Scope, session: &Session) -> Result<Option<AgentRef>> {
        let Some(ended) = &session.last_human_part else { return Ok(None) };
        let ended = self.store.escalations().get(scope, ended).await?;
        Ok(ended.and_then(|ended| ended.claimed_by))
    }

    /// Asks for a human because of two rejected answers, if the AI still owns the session.
    pub(super) async fn escalate_after_reactions(
        &self,
        scope: &Scope,
        open: SessionWithTurns,
        allowance: &Allowance,
    ) -> Result<()> {
        let category = ReasonCategory::NegativeFeedback;
        let reason = triggers::reason(category);
        let request = EscalationRequest { reason, category, by: RequestedBy::Ai, priority: Priority::Normal };
        self.escalate_session(scope, open, request, None, allowance).await.map(drop)
    }

    async fn escalate_session(
        &self,
        scope: &Scope,
        open: SessionWithTurns,
        request: EscalationRequest<'_>,
        key: Option<&RequestKey>,
        allowance: &Allowance,
    ) -> Result<EscalationResult> {
        let SessionWithTurns { session, recent, settings } = open;
        let deadline = self.deadline(self.runtime.now());
        let (request, recent, settings, requests) = (&request, &recent, &settings, self.store.idempotency());
        let counting = allowance.trying(LimitedAction::Escalation);
        let counted = &counting;
        let decide = |session: Session| async move {
            if let Some(open) = session.escalation_id() {
                let found = self.store.escalations().get(scope, open).await?;
                let found = found.ok_or_else(|| Error::not_found("session"))?;
                let escalated = self.escalated(scope, settings, found, session.ownership()).await?;
                requests.store_completed(scope, key, escalated.clone()).await?;
                return Ok(Decision::Keep((escalated, false)));
            }
            let former_agent = self.former_agent(scope, &session).await?;
            let (change, made) = self.escalation_of(&session, request, recent, settings, former_agent)?;
            if session.is_preview() {
                let told = not_queued(made, session.ownership());
                requests.store_completed(scope, key, told.clone()).await?;
                return Ok(Decision::Keep((told, false)));
            }
            counted.count().await?;
            // The place is counted before the request is queued, so that the same transaction stores the result.
            let escalated = self.escalated(scope, settings, made, Ownership::PendingHandover).await?;
            let record = requests.completed(scope, key, escalated.clone())?;
            Ok(Decision::Write(change.recording(record), (escalated, true)))
        };
        let updated = self.store.sessions().update(scope, session, deadline, decide).await;
        counting.end(matches!(updated, Ok((_, true)))).await;
        updated.map(|(escalated, _)| escalated)
    }

    async fn escalated(
        &self,
        scope: &Scope,
        settings: &Settings,
        escalation: Escalation,
        ownership: Ownership,
    ) -> Result<EscalationResult> {
        let escalations = self.store.escalations();
        let place = escalations.get_queue_position(scope, &escalation);
        let (queue_position, presence) = tokio::try_join!(place, self.presence(scope, settings))?;
        Ok(EscalationResult {
            escalation_id: escalation.escalation_id,
            session_id: escalation.session_id,
            ownership,
            status: escalation.status,
            reason: escalation.reason,
            queue_position,
            created_at: escalation.created_at,
            presence: Some(presence),
        })
    }

    fn escalation_of(
        &self,
        session: &Session,
        request: &EscalationRequest<'_>,
        recent: &[Turn],
        settings: &Settings,
        former_agent: Option<AgentRef>,
    ) -> Result<(SessionChange, Escalation)> {
        let now = self.runtime.now();
        let made =
            new_escalation(&self.runtime, settings, session, request.reason, request.category, request.by, recent)?;
        let made = Escalation { priority: request.priority, former_agent, ..made };
        let action = SessionAction::Escalate(made.escalation_id.clone());
        let mut after = transition::transition(session, &action, now, settings)?;
        let note = system_turn(&self.runtime, &after, SystemEvent::HandoverRequested, None)?;
        append(&mut after, &note, now);
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        change.escalation = Some(EscalationChange::Create(made.clone()));
        Ok((change, made))
    }
}
