//! Asking for a human, and no longer wanting one.

use super::answering::Attempt;
use super::turns::{append, deals_with_customer, owed, system_turn};
use super::{Conversation, may_see, transition, triggers};
use crate::auth::Principal;
use crate::clock::Ambient;
use crate::error::Code;
use crate::models::{
    Escalation, EscalationAction, EscalationId, EscalationOutcome, EscalationStatus, Ownership, Priority,
    ReasonCategory, RequestedBy, Scope, Session, SessionAction, SessionId, Settings, SystemEvent, Timestamp, Turn,
};
use crate::store::sessions::{Committed, EscalationChange, OpenSession, SessionChange};
use crate::{Error, Result};

/// How many turns before the customer's an owed answer may look at.
const HISTORY: u16 = 12;

/// A request for a human, as its caller reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Escalated {
    /// The request.
    pub escalation: Escalation,
    /// Who owns the session.
    pub ownership: Ownership,
    /// The place in the queue, from 1, exact up to 1,000; none where it is not in the queue.
    pub queue_position: Option<u32>,
}

/// A new request for a human about `session`.
pub(super) fn escalation(
    ambient: &Ambient,
    session: &Session,
    reason: &str,
    reason_category: ReasonCategory,
    requested_by: RequestedBy,
) -> Result<Escalation> {
    Ok(Escalation {
        escalation_id: EscalationId::generate(ambient)?,
        session_id: session.session_id.clone(),
        status: EscalationStatus::Pending,
        reason: reason.to_owned(),
        reason_category,
        requested_by,
        priority: Priority::Normal,
        created_at: ambient.now(),
        claimed_at: None,
        claimed_by: None,
        lease_expires_at: None,
        first_response_at: None,
        resolved_at: None,
        closed_at: None,
        outcome: None,
        resolution: None,
        summary: None,
        last_customer_message_at: session.last_customer_message_at,
        customer_external_user_id: session.external_user_id.clone(),
        customer_name: session.user.as_ref().and_then(|user| user.name.clone()),
        version: 1,
    })
}

impl Conversation {
    /// Asks for a human; asked again, it is the same request.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`.
    pub async fn escalate(&self, caller: &Principal, id: &SessionId, reason: &str) -> Result<Escalated> {
        let OpenSession { session, settings, .. } = self.ctx.store.sessions().open(caller.scope(), id, 1).await?;
        if !may_see(caller, &session) {
            return Err(Error::not_found("session"));
        }
        let by = if caller.widget().is_some() { RequestedBy::Customer } else { RequestedBy::Api };
        self.escalate_session(caller.scope(), session, &settings, reason, (ReasonCategory::Manual, by)).await
    }

    /// Asks for a human because of two rejected answers, where the AI still owns the session.
    pub(super) async fn escalate_rejected(&self, scope: &Scope, session: Session, settings: &Settings) -> Result<()> {
        let category = ReasonCategory::NegativeFeedback;
        let why = (category, RequestedBy::Ai);
        self.escalate_session(scope, session, settings, triggers::reason(category), why).await.map(drop)
    }

    async fn escalate_session(
        &self,
        scope: &Scope,
        mut session: Session,
        settings: &Settings,
        reason: &str,
        (category, by): (ReasonCategory, RequestedBy),
    ) -> Result<Escalated> {
        let deadline = self.deadline(self.ctx.ambient.now());
        let sessions = self.ctx.store.sessions();
        let mut contest = sessions.contest(scope, &session.session_id, deadline);
        loop {
            if let Some(open) = &session.escalation_id {
                let found = self.ctx.store.escalations().get(scope, open).await?;
                let found = found.ok_or_else(|| Error::internal("a session names an escalation that is not there"))?;
                return self.escalated(scope, found, session.ownership).await;
            }
            let now = self.ctx.ambient.now();
            let mut after = transition::transition(&session, SessionAction::Escalate, now, settings)?;
            let made = escalation(&self.ctx.ambient, &session, reason, category, by)?;
            let note = system_turn(&self.ctx.ambient, &after, SystemEvent::HandoverRequested)?;
            append(&mut after, &note, now);
            after.escalation_id = Some(made.escalation_id.clone());
            let mut change = SessionChange::new(&session, after);
            change.turns = vec![note];
            change.escalation = Some(EscalationChange::Create(made.clone()));
            match sessions.commit(scope, &change, deadline).await? {
                Committed::Done => return self.escalated(scope, made, Ownership::PendingHandover).await,
                Committed::Moved(None) => return Err(Error::not_found("session")),
                Committed::Moved(Some(now)) => session = *now,
                other => return Err(Error::internal(format!("escalating came to {other:?}"))),
            }
            contest.lost().await?;
        }
    }

    async fn escalated(&self, scope: &Scope, escalation: Escalation, ownership: Ownership) -> Result<Escalated> {
        let queue_position = self.ctx.store.escalations().queue_position(scope, &escalation).await?;
        Ok(Escalated { escalation, ownership, queue_position })
    }

    /// The customer no longer wants a human: the AI takes over again and answers what nobody answered.
    ///
    /// That an answer is owed is written in the same transaction; it is tried at once, and whatever becomes of that the
    /// session is returned.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `INVALID_STATE` or `SESSION_CLOSED` when no human is awaited.
    pub async fn cancel_escalation(&self, caller: &Principal, id: &SessionId) -> Result<Session> {
        let scope = caller.scope();
        let received_at = self.ctx.ambient.now();
        let deadline = self.deadline(received_at);
        let sessions = self.ctx.store.sessions();
        let mut contest = sessions.contest(scope, id, deadline);
        loop {
            // The session before its turns: what is written between the two reads changes the session, and the commit
            // is then refused.
            let open = sessions.open(scope, id, HISTORY).await?;
            if !may_see(caller, &open.session) {
                return Err(Error::not_found("session"));
            }
            let asked = self.owed_turns(scope, id).await?;
            let change = self.cancellation(scope, &open, !asked.is_empty()).await?;
            match sessions.commit(scope, &change, deadline).await? {
                Committed::Done => return self.answer_owed(scope, open, asked, change.after, received_at).await,
                Committed::Moved(None) => return Err(Error::not_found("session")),
                Committed::Moved(Some(_)) | Committed::EscalationMoved => {}
                other => return Err(Error::internal(format!("cancelling came to {other:?}"))),
            }
            contest.lost().await?;
        }
    }

    /// What the customer wrote since the AI or an agent last dealt with them, however much it is.
    pub(super) async fn owed_turns(&self, scope: &Scope, id: &SessionId) -> Result<Vec<Turn>> {
        let since = self.ctx.store.sessions().turns_since(scope, id, deals_with_customer).await?;
        Ok(owed(since))
    }

    async fn cancellation(&self, scope: &Scope, open: &OpenSession, owes: bool) -> Result<SessionChange> {
        let now = self.ctx.ambient.now();
        let session = &open.session;
        let mut after = transition::transition(session, SessionAction::Cancel, now, &open.settings)?;
        let Some(awaited) = &session.escalation_id else {
            return Err(Error::internal("a session awaits a human without an escalation"));
        };
        let found = self.ctx.store.escalations().get(scope, awaited).await?;
        let before = found.ok_or_else(|| Error::internal("a session names an escalation that is not there"))?;
        let Some(status) = before.status.after(EscalationAction::Cancel) else {
            return Err(Error::new(Code::InvalidState, "The request for a human is no longer pending."));
        };
        let mut ended = before.clone();
        ended.status = status;
        ended.outcome = Some(EscalationOutcome::Cancelled);
        ended.closed_at = Some(now);
        ended.version += 1;
        let note = system_turn(&self.ctx.ambient, &after, SystemEvent::HandoverEnded)?;
        append(&mut after, &note, now);
        after.ai_since_turn = after.turn_count;
        if owes {
            after.answer_due = true;
            after.due_at = Some(self.deadline(now));
        }
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        change.escalation = Some(EscalationChange::Replace { version: before.version, after: ended });
        Ok(change)
    }

    /// Tries at once to give the answer that is owed; where it does not come, the sweeper makes it.
    async fn answer_owed(
        &self,
        scope: &Scope,
        open: OpenSession,
        asked: Vec<Turn>,
        after: Session,
        received_at: Timestamp,
    ) -> Result<Session> {
        if !after.answer_due {
            return Ok(after);
        }
        let id = after.session_id.clone();
        let attempt = Attempt {
            scope: scope.clone(),
            deadline: self.deadline(received_at),
            received_at,
            holder: String::new(),
            settings: open.settings,
            recent: open.recent,
            redacts: false,
        };
        if let Err(error) = self.answer_turns(&attempt, after.clone(), asked, None).await {
            tracing::warn!(error = %error, session.id = %id, "the owed answer was not made at once");
        }
        Ok(self.ctx.store.sessions().get(scope, &id).await?.unwrap_or(after))
    }
}
