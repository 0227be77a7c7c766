//! Closes and resumes sessions.

use super::turns::{append, system_turn};
use super::{ConversationService, can_access_session, transition};
use aws::store::sessions::{EscalationChange, SessionChange};
use aws::store::{Decision, RequestKey};
use domain::access::Principal;
use domain::error::Code;
use domain::models::{
    Escalation, EscalationAction, EscalationOutcome, Scope, Session, SessionAction, SessionId, SessionState, Settings,
    SystemEvent, Turn,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

/// How many turns a resumed session is shown with.
const RECENT_TURNS: u16 = 50;

/// The session to resume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResumeTarget {
    /// This one.
    Session(SessionId),
    /// The visitor's newest open one that the caller may see; without an open one, the newest.
    Visitor(String),
}

/// A resumed session.
#[derive(Debug, Clone, PartialEq)]
pub struct ResumeResult {
    pub session: Session,
    /// It was closed, and is open again.
    pub resumed: bool,
    /// Its newest turns, oldest first.
    pub messages: Vec<Turn>,
    /// The request was carried out before.
    pub replayed: bool,
}

/// The stored result of a request that resumed a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResumedSession {
    session_id: SessionId,
    resumed: bool,
}

impl ConversationService {
    /// Takes up a session again: an open one as it is, a closed one inside its window. A repetition of an earlier
    /// request with the key `request` gets the session as it is now.
    ///
    /// # Errors
    /// 404 if there is none that the caller may see, 410 `RESUME_WINDOW_EXPIRED`, 422 for a key that was used for
    /// another request.
    pub async fn resume(
        &self,
        caller: &Principal,
        target: &ResumeTarget,
        request: Option<&RequestKey>,
    ) -> Result<ResumeResult> {
        let scope = caller.scope();
        let work = self.reopen(caller, target, request);
        let replay =
            async |before: ResumedSession| Ok((self.session(caller, &before.session_id).await?, before.resumed));
        let ((session, resumed), replayed) = self.store.idempotency().once(scope, request, work, replay).await?;
        let messages = self.store.sessions().list_last_turns(scope, &session.session_id, RECENT_TURNS).await?;
        Ok(ResumeResult { session, resumed, messages, replayed })
    }

    async fn reopen(
        &self,
        caller: &Principal,
        target: &ResumeTarget,
        request: Option<&RequestKey>,
    ) -> Result<(Session, bool)> {
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let now = self.runtime.now();
        let found = self.find(caller, target).await?;
        let settings = &self.store.settings().get(scope).await?;
        let kept = |session: &Session, resumed| ResumedSession { session_id: session.session_id.clone(), resumed };
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            if session.closing().is_none() {
                requests.store_completed(scope, request, kept(&session, false)).await?;
                return Ok(Decision::Keep((session, false)));
            }
            if !session.is_resumable(now) {
                return Err(Error::new(Code::ResumeWindowExpired, "The session was closed too long ago."));
            }
            let change = self.change_of_hands(&session, &SessionAction::Resume, SystemEvent::Resumed, settings)?;
            let after = change.after.clone();
            let record = requests.completed(scope, request, kept(&after, true))?;
            Ok(Decision::Write(change.recording(record), (after, true)))
        };
        self.store.sessions().update(scope, found, self.deadline(now), decide).await
    }

    /// Closes a session that was silent for too long; false if it has changed meanwhile.
    pub async fn close_idle_session(&self, scope: &Scope, session: &Session) -> Result<bool> {
        let settings = self.store.settings().get(scope).await?;
        let change = self.change_of_hands(session, &SessionAction::Idle, SystemEvent::Closed, &settings)?;
        let deadline = self.deadline(self.runtime.now());
        self.store.sessions().commit(scope, change, deadline).await
    }

    /// Closes a session for which no human came, and its request; false if either has changed meanwhile.
    pub(super) async fn expire(&self, scope: &Scope, session: &Session) -> Result<bool> {
        let SessionState::PendingHandover { escalation_id: awaited } = &session.state else { return Ok(false) };
        let Some(before) = self.store.escalations().get(scope, awaited).await? else { return Ok(false) };
        let Some(status) = before.status.after(EscalationAction::Cancel) else { return Ok(false) };
        let now = self.runtime.now();
        let settings = self.store.settings().get(scope).await?;
        let mut after = transition::transition(session, &SessionAction::Expire, now, &settings)?;
        let note = system_turn(&self.runtime, &after, SystemEvent::Closed, None)?;
        append(&mut after, &note, now);
        let ended = Escalation {
            status,
            outcome: Some(EscalationOutcome::Expired),
            closed_at: Some(now),
            notice_due_at: None,
            release_reason: None,
            version: before.version + 1,
            ..before.clone()
        };
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        change.escalation = Some(EscalationChange::Replace { version: before.version, after: ended });
        self.store.sessions().commit(scope, change, self.deadline(now)).await
    }

    /// One change of hands with its system turn.
    fn change_of_hands(
        &self,
        session: &Session,
        action: &SessionAction,
        event: SystemEvent,
        settings: &Settings,
    ) -> Result<SessionChange> {
        let now = self.runtime.now();
        let mut after = transition::transition(session, action, now, settings)?;
        let note = system_turn(&self.runtime, &after, event, None)?;
        append(&mut after, &note, now);
        if *action == SessionAction::Resume {
            after.last_activity_at = now;
            after.ai_since_turn = after.turn_count;
        }
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        Ok(change)
    }

    async fn find(&self, caller: &Principal, target: &ResumeTarget) -> Result<Session> {
        let visitor = match target {
            ResumeTarget::Session(id) => return self.session(caller, id).await,
            ResumeTarget::Visitor(visitor) => visitor,
        };
        let visible = |session: &Session| can_access_session(caller, session);
        let latest = self.store.sessions().latest_of_visitor(caller.scope(), visitor, visible).await?;
        latest.ok_or_else(|| Error::not_found("session"))
    }
}
