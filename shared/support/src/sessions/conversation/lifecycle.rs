//! The life of a session: it is resumed, changed in its attributes (tags, metadata, and the person behind it), closed,
//! and deleted. Also when a session is due and for what, what the sweeper does about it, and its new state when it
//! changes hands, as the state table allows.

use std::collections::BTreeMap;

use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::{
    AuditAction, Escalation, EscalationAction, EscalationOutcome, Ownership, Scope, Session, SessionAction, SessionId,
    SessionState, Settings, SystemEvent, Timestamp, Turn, Visitor,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::dead_letters::LettersOfSessions;
use crate::edge::allowance::Allowance;
use crate::edge::table::RequestKey;
use crate::requester::Requester;
use crate::sessions::conversation::pending_answer::{HISTORY_TURNS, PendingAnswer, append, system_turn};
use crate::sessions::conversation::{ConversationService, can_access_session};
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::sessions::table::erasure::{Rest, Tombstone};
use crate::table::update::Decision;

/// How many turns a resumed session is shown with.
const RECENT_TURNS: u16 = 50;

/// The session to resume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResumeTarget {
    /// This one.
    Session(SessionId),
    /// The visitor's newest open one that the caller may see; without an open one, the newest.
    Visitor(String),
}

/// A resumed session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResumeResult {
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
    pub(crate) async fn resume(
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
    pub(crate) async fn expire(&self, scope: &Scope, session: &Session) -> Result<bool> {
        let SessionState::PendingHandover { escalation_id: awaited } = &session.state else { return Ok(false) };
        let Some(before) = self.store.escalations().get(scope, awaited).await? else { return Ok(false) };
        let Some(status) = before.status.after(EscalationAction::Cancel) else { return Ok(false) };
        let now = self.runtime.now();
        let settings = self.store.settings().get(scope).await?;
        let mut after = transition(session, &SessionAction::Expire, now, &settings)?;
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
        let mut after = transition(session, action, now, settings)?;
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

/// The fields to replace. A field that is none stays as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SessionPatch {
    /// All tags.
    pub tags: Option<Vec<String>>,
    /// All of the metadata.
    pub metadata: Option<BTreeMap<String, serde_json::Value>>,
    /// The whole person, or none.
    pub user: Option<Option<Visitor>>,
}

impl SessionPatch {
    /// The session with what is replaced; none if it is so already.
    fn apply_to(&self, session: &Session, now: Timestamp) -> Option<Session> {
        let mut after = session.clone();
        if let Some(tags) = &self.tags {
            after.set_tags(tags.clone());
        }
        if let Some(metadata) = &self.metadata {
            after.set_metadata(metadata.clone());
        }
        if let Some(user) = &self.user {
            after.user.clone_from(user);
        }
        if after == *session {
            return None;
        }
        after.updated_at = now;
        Some(after)
    }
}

impl ConversationService {
    /// Changes the attributes of a session, in any state; returns the session afterwards.
    ///
    /// This is not activity: idle close and retention are not moved. An open escalation shows the new name.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 403 for a widget beyond its own `user`.
    pub(crate) async fn change_details(
        &self,
        caller: &Principal,
        id: &SessionId,
        patch: &SessionPatch,
    ) -> Result<Session> {
        require_widget_scope(caller, patch)?;
        let scope = caller.scope();
        let deadline = self.deadline(self.runtime.now());
        let session = self.session(caller, id).await?;
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            require_unverified(caller, &session)?;
            let Some(after) = patch.apply_to(&session, self.runtime.now()) else {
                return Ok(Decision::Keep(session));
            };
            let mut change = SessionChange::new(&session, after);
            change.escalation = rename_escalation(&session, &change.after);
            let after = change.after.clone();
            Ok(Decision::Write(change, after))
        };
        self.store.sessions().update(scope, session, deadline, decide).await
    }
}

/// The change of the open request for a human that shows the customer's new name or verification; none if neither
/// changed.
fn rename_escalation(before: &Session, after: &Session) -> Option<EscalationChange> {
    let shown = |session: &Session| {
        let user = session.user.as_ref();
        (user.and_then(|user| user.name.clone()), user.is_some_and(|user| user.verified))
    };
    let id = after.escalation_id().cloned()?;
    let (name, verified) = shown(after);
    (shown(before) != (name.clone(), verified)).then_some(EscalationChange::CustomerNamed { id, name, verified })
}

/// A widget changes no `user` for whom the tenant vouches.
///
/// # Errors
/// 403 for a widget, if the session's is verified.
fn require_unverified(caller: &Principal, session: &Session) -> Result<()> {
    if session.user.as_ref().is_some_and(|user| user.verified) && caller.widget().is_some() {
        return Err(not_for_widgets("the user is verified"));
    }
    Ok(())
}

/// A widget changes the `user` of a session alone, and only by a token that names none.
///
/// # Errors
/// 403 otherwise.
fn require_widget_scope(caller: &Principal, patch: &SessionPatch) -> Result<()> {
    let Some(widget) = caller.widget() else { return Ok(()) };
    if patch.tags.is_some() || patch.metadata.is_some() {
        return Err(not_for_widgets("tags and metadata are for API keys"));
    }
    if widget.user.is_some() {
        return Err(not_for_widgets("the token names the user"));
    }
    Ok(())
}

fn not_for_widgets(why: &'static str) -> Error {
    Error::new(Code::Forbidden, "A widget may not change this.").with_detail(DetailCode::TokenScope, why)
}

/// After how long everything is erased once more, in milliseconds, by how often it was. Data derived from the stream
/// can arrive late, because the stream keeps a record for a day. So everything is erased three times: at once, after a
/// quarter of an hour, and when no record can be left. Then the tombstone is deleted.
const REPEAT_ERASURE_AFTER_MS: [i64; 2] = [900_000, 26 * 3_600_000];

impl ConversationService {
    /// Deletes a session in any state.
    ///
    /// It is unreadable at once, and its data is erased afterwards. Figures stay; they contain no personal data. A
    /// deletion emits no event, because an event would send out what is to be erased.
    ///
    /// # Errors 404 for one that the caller may not see, or that is deleted already; 503 if the table does not answer.
    pub async fn delete(&self, caller: &Principal, id: &SessionId) -> Result<()> {
        let scope = caller.scope();
        let now = self.runtime.now();
        let by = Requester::Caller(caller);
        let store = by.audited(&self.store, &scope.tenant, AuditAction::SessionDeleted, id.as_str(), now);
        let deadline = self.deadline(now);
        store.sessions().delete(scope, id, deadline, |session| can_access_session(caller, session)).await
    }

    /// Erases what belonged to a session that is gone.
    async fn erase_session_contents(
        &self,
        letters: &LettersOfSessions,
        scope: &Scope,
        id: &SessionId,
        tombstone: &Tombstone,
    ) -> Result<()> {
        let now = self.runtime.now();
        if tombstone.due_at > now {
            return Ok(());
        }
        // The session's items name its copies elsewhere, so they are deleted last.
        self.store.gaps().erase_session(scope, id).await?;
        self.store.drafts().erase_session(scope, id).await?;
        while !self.store.deliveries().erase_by_session(scope, id).await? {}
        letters.erase(&self.store, scope, id).await?;
        self.store.sessions().erase_contents(scope, id).await?;
        let pass = usize::try_from(tombstone.passes).unwrap_or(usize::MAX);
        let next = REPEAT_ERASURE_AFTER_MS.get(pass).map(|ms| now.plus_millis(*ms));
        self.store.sessions().record_erasure(scope, id, tombstone, next).await
    }
}

/// The last turn that a due answer is for; none if no answer is due.
pub(crate) fn pending_answer_turn(session: &Session) -> Option<u32> {
    session.is_answer_due().then_some(session.ai_since_turn)
}

/// Days after which an escalation that no agent took expires.
const PENDING_ESCALATION_DAYS: i64 = 14;

/// The action that a session is due for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deadline {
    /// No activity for `retentionDays`: it is erased.
    Retention,
    /// An answer to the customer is pending.
    Answer,
    /// No activity with the AI for `resumeWindowHours`: it is closed.
    Idle,
    /// No human came for 14 days: it is closed.
    Expiry,
}

/// The most serious deadline that has passed at `now`; none if none has passed.
pub(crate) fn due(session: &Session, settings: &Settings, now: Timestamp) -> Option<Deadline> {
    deadlines(session, settings).into_iter().flatten().find(|(at, _)| *at <= now).map(|(_, what)| what)
}

/// When a session must be looked at next.
///
/// A message writes no due time: the session keeps the one from when it last changed hands, and it is computed again
/// when that comes. So an active session writes the due index once a day, not once a message.
#[must_use]
pub(crate) fn next_due_at(session: &Session, settings: &Settings) -> Option<Timestamp> {
    deadlines(session, settings).into_iter().flatten().map(|(at, _)| at).min()
}

fn deadlines(session: &Session, settings: &Settings) -> [Option<(Timestamp, Deadline)>; 3] {
    let retained = session.last_activity_at.plus_hours(i64::from(settings.retention_days) * 24);
    let window_hours = i64::from(settings.resume_window_hours);
    let (pending, ends) = match session.state {
        SessionState::Ai { answer_due } => {
            let idle_since = session.last_activity_at.max(session.owner_since);
            // The first attempt has until here; before that the answer is in progress.
            let pending = answer_due.then(|| session.due_at.unwrap_or(session.owner_since));
            (pending, Some((idle_since.plus_hours(window_hours), Deadline::Idle)))
        }
        SessionState::PendingHandover { .. } => {
            (None, Some((session.owner_since.plus_hours(PENDING_ESCALATION_DAYS * 24), Deadline::Expiry)))
        }
        SessionState::Human { .. } | SessionState::Closed(_) => (None, None),
    };
    [Some((retained, Deadline::Retention)), pending.map(|at| (at, Deadline::Answer)), ends]
}

impl ConversationService {
    /// Does what is due about a session; nothing if it is not due, or changes at this moment. What `letters`
    /// hold about a session that is erased is erased with it.
    ///
    /// It makes the pending answer, closes an idle session, erases an expired one, or sets the next due time.
    /// Everything is read here and written on condition, so a lagging index, or two sweeps at once, do nothing early
    /// and nothing twice.
    ///
    /// # Errors
    /// 503 if table or index do not answer; then it is due still.
    pub(crate) async fn handle_due_session(
        &self,
        letters: &LettersOfSessions,
        scope: &Scope,
        id: &SessionId,
    ) -> Result<()> {
        match self.store.sessions().get_item_state(scope, id).await? {
            None => Ok(()),
            Some(Rest::Tombstone(tombstone)) => self.erase_session_contents(letters, scope, id, &tombstone).await,
            Some(Rest::Session(session)) => self.handle_deadline(scope, *session).await,
        }
    }

    async fn handle_deadline(&self, scope: &Scope, session: Session) -> Result<()> {
        let now = self.runtime.now();
        if session.due_at.is_none_or(|at| at > now) {
            return Ok(());
        }
        let settings = self.store.settings().get(scope).await?;
        match due(&session, &settings, now) {
            Some(Deadline::Retention) => {
                self.store.sessions().soft_delete(scope, &session, self.deadline(now)).await.map(drop)
            }
            Some(Deadline::Answer) => self.send_pending_answer(scope, session, settings).await,
            Some(Deadline::Idle) => self.close_idle_session(scope, &session).await.map(drop),
            Some(Deadline::Expiry) => self.expire(scope, &session).await.map(drop),
            None => match next_due_at(&session, &settings) {
                Some(at) => self.store.sessions().set_due(scope, &session, at).await,
                None => Ok(()),
            },
        }
    }

    /// Makes the pending answer of a cancelled or ended handover, if there is none yet.
    async fn send_pending_answer(&self, scope: &Scope, session: Session, settings: Settings) -> Result<()> {
        let now = self.runtime.now();
        let sessions = self.store.sessions();
        let asked = self.pending_turns(scope, &session).await?;
        if asked.is_empty() {
            let mut after = session.clone();
            after.state = SessionState::AI;
            after.due_at = next_due_at(&after, &settings);
            return sessions.commit(scope, SessionChange::new(&session, after), self.deadline(now)).await.map(drop);
        }
        let recent = sessions.list_last_turns(scope, &session.session_id, HISTORY_TURNS).await?;
        let open = SessionWithTurns { session, recent, settings };
        let due = PendingAnswer { open, asked, received_at: now, allowance: &Allowance::unlimited() };
        self.answer_pending_turns(scope, due).await
    }
}

/// The session after `action` at `now`; its `epoch` is one more, so that an answer in the making is dropped.
///
/// # Errors
/// 409 `SESSION_CLOSED` or `INVALID_STATE` if the table does not allow it.
pub(crate) fn transition(
    session: &Session,
    action: &SessionAction,
    now: Timestamp,
    settings: &Settings,
) -> Result<Session> {
    let resumable_until = now.plus_hours(i64::from(settings.resume_window_hours));
    // The code that returns the session to the AI decides again whether an answer is pending.
    let Some(state) = session.state.after(action, now, resumable_until) else {
        return Err(refused(session.ownership()));
    };
    let mut after = Session { state, epoch: session.epoch + 1, updated_at: now, owner_since: now, ..session.clone() };
    match after.ownership() {
        Ownership::Ai => {
            after.ai_since_turn = session.turn_count;
            after.ai_turns = 0;
            after.no_answer_streak = 0;
        }
        // Also if nobody asked for a human, and one stepped in.
        Ownership::PendingHandover | Ownership::Human => after.ever_escalated = true,
        Ownership::Closed => {}
    }
    match action {
        SessionAction::Resolve | SessionAction::Handback => after.last_human_part = session.escalation_id().cloned(),
        SessionAction::Escalate(_) | SessionAction::StepIn(_) => after.last_human_part = None,
        _ => {}
    }
    after.due_at = next_due_at(&after, settings);
    Ok(after)
}

/// 409 for what nobody takes until the session is resumed.
pub(crate) fn session_closed() -> Error {
    Error::new(Code::SessionClosed, "The session is closed.")
}

/// Why an action is not allowed from here.
pub(crate) fn refused(ownership: Ownership) -> Error {
    match ownership {
        Ownership::Closed => session_closed(),
        Ownership::Ai | Ownership::PendingHandover | Ownership::Human => {
            Error::new(Code::InvalidState, format!("This is not possible while the session is `{ownership}`."))
        }
    }
}
