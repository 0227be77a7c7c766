//! The AI gets a conversation back, after a cancellation or a handback. The customer's unanswered turns get one answer
//! together, which is pending from the same transaction on.
//!
//! Also the creation of turns: the next number, the id that contains it, and the session afterwards.

use domain::access::Principal;
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{
    AgentRef, AgentTurn, EscalationAction, EscalationOutcome, LastWords, MessageId, Scope, Session, SessionAction,
    SessionId, SessionState, SystemEvent, SystemTurn, Timestamp, Turn, TurnBody, TurnRole,
};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::edge::allowance::Allowance;
use crate::edge::table::{Remembered, RequestKey};
use crate::sessions::conversation::answering::{AnswerAttempt, MAX_TURNS_PER_ANSWER, asked_together};
use crate::sessions::conversation::lifecycle::{self, pending_answer_turn};
use crate::sessions::conversation::{ConversationService, can_access_session};
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::table::update::Decision;

/// How many turns before the customer's a pending answer may use.
pub(crate) const HISTORY_TURNS: u16 = 12;
/// The AI's context after an escalation that no agent took.
const CANCELLED_NOTE: &str = "The customer asked for a person of the team, and then went on without one.";

/// The AI's context after an agent's part.
pub(crate) fn handback_note(note: Option<&str>) -> String {
    let what = "A person of the team took part in this conversation, and has handed it back to you.";
    note.map_or_else(|| what.to_owned(), |note| format!("{what} Their note: {note}"))
}

/// The AI's context of a conversation that an agent resolved and the customer resumed.
pub(crate) fn resolution_note(resolution: Option<&str>, summary: Option<&str>) -> String {
    let mut text = "A person of the team settled what was said before, and the customer has come back.".to_owned();
    if let Some(resolution) = resolution {
        text = format!("{text} The agent's resolution: {resolution}");
    }
    summary.map_or_else(|| text.clone(), |summary| format!("{text}\nIn short, what was said before:\n{summary}"))
}

/// Of the newest turns, those before the first question.
pub(crate) fn before(recent: Vec<Turn>, asked: &[Turn]) -> Vec<Turn> {
    let first = asked.first().map_or(u32::MAX, |turn| turn.number);
    recent.into_iter().filter(|turn| turn.number < first).collect()
}

/// The stored result of a request that cancelled an escalation: the session that it returned, once the pending answer
/// was tried, without the fields that people may change or clear later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Cancellation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<Session>,
}

impl Cancellation {
    fn of(session: &Session) -> Self {
        let Session { session_id, mode, channel, .. } = session.clone();
        Self { session: Some(with_labels(session.clone(), Session::new(session_id, mode, channel))) }
    }
}

/// A session with what another one is labelled with.
fn with_labels(session: Session, labels: Session) -> Session {
    let Session { user, external_user_id, metadata, tags, widget_sent, .. } = labels;
    Session { user, external_user_id, metadata, tags, widget_sent, ..session }
}

/// The answer that customer turns wait for.
pub(crate) struct PendingAnswer<'a> {
    /// The session, and the turns before them.
    pub(crate) open: SessionWithTurns,
    /// The turns.
    pub(crate) asked: Vec<Turn>,
    pub(crate) received_at: Timestamp,
    /// Of the visitor who has it made.
    pub(crate) allowance: &'a Allowance,
}

impl ConversationService {
    /// The customer cancels the escalation: the AI takes over again and answers unanswered turns. Says whether it is the
    /// result of an earlier request with the key `request`.
    ///
    /// The pending answer is recorded in the same transaction and tried at once. The session is returned in any case.
    ///
    /// # Errors 404 for a session the caller may not see, 409 `INVALID_STATE` or `SESSION_CLOSED` without a pending
    /// escalation, 409 `IDEMPOTENCY_IN_PROGRESS` while the first attempt still answers, 422 for a key that was used for
    /// another request.
    pub(crate) async fn cancel_escalation(
        &self,
        caller: &Principal,
        id: &SessionId,
        request: Option<RequestKey>,
        allowance: &Allowance,
    ) -> Result<(Session, bool)> {
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let key = request.map(|key| key.beside(id));
        let keys = key.as_slice();
        let received_at = self.runtime.now();
        let work = Box::pin(self.cancel_pending(caller, id, keys, self.deadline(received_at)));
        let reply_from = |before| self.cancelled_before(caller, id, before);
        let ((after, unanswered), replayed) = requests.once_leased(scope, keys, work, reply_from).await?;
        let Some((open, asked)) = unanswered else { return Ok((after, replayed)) };
        let due = PendingAnswer { open, asked, received_at, allowance };
        let session = self.answer_pending_turns_or_schedule(scope, due, after).await?;
        for key in keys {
            if let Err(error) = requests.update_result(scope, key, Cancellation::of(&session)).await {
                tracing::warn!(error = %error, session.id = %id, "failed to keep the result of a cancellation; a repetition gets the session as it is then");
            }
        }
        Ok((session, false))
    }

    /// The session after it and, if an answer is due, the session before it with what the AI has to answer.
    async fn cancel_pending(
        &self,
        caller: &Principal,
        id: &SessionId,
        keys: &[RequestKey],
        deadline: Timestamp,
    ) -> Result<(Session, Option<(SessionWithTurns, Vec<Turn>)>)> {
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let sessions = self.store.sessions();
        let decide = || async move {
            // The session before its turns: what is written between the two reads changes the session, and the commit
            // is then refused.
            let open = sessions.get_with_turns(scope, id, HISTORY_TURNS).await?;
            if !can_access_session(caller, &open.session) {
                return Err(Error::not_found("session"));
            }
            let asked = self.pending_turns(scope, &open.session).await?;
            let change = self.cancel_change(scope, &open, !asked.is_empty()).await?;
            let after = change.after.clone();
            // If an answer is due, the result is known once it was tried.
            let result = if after.is_answer_due() { Cancellation { session: None } } else { Cancellation::of(&after) };
            let record = |key| requests.started(scope, key, deadline, &result);
            let records = keys.iter().map(record).collect::<Result<Vec<_>>>()?;
            let unanswered = after.is_answer_due().then_some((open, asked));
            Ok(Decision::Write(change.recording(records), (after, unanswered)))
        };
        sessions.update_reading(scope, id.as_str(), deadline, decide).await
    }

    /// The session that the first attempt returned, with what it is labelled with now, while the caller may read it; as
    /// it is now if that attempt died while it answered.
    async fn cancelled_before(
        &self,
        caller: &Principal,
        id: &SessionId,
        before: Remembered<Cancellation>,
    ) -> Result<(Session, Option<(SessionWithTurns, Vec<Turn>)>)> {
        let now = self.session(caller, id).await?;
        if before.result.session.is_none() {
            // Of this very request: it was done, and its reply was lost. The sweeper makes an answer that is due.
            self.store.idempotency().check_lease(&before)?;
        }
        let session = match before.result.session {
            Some(first) => with_labels(first, now),
            None => now,
        };
        Ok((session, None))
    }

    /// The customer's turns since the AI or an agent last dealt with them: the newest ones, as many as one answer deals
    /// with. While an answer is due, the AI's answers to later messages do not count as answers to them, nor does what it
    /// answered while they waited for a person.
    pub(crate) async fn pending_turns(&self, scope: &Scope, session: &Session) -> Result<Vec<Turn>> {
        let (sessions, due) = (self.store.sessions(), pending_answer_turn(session));
        let is_end = |turn: &Turn| {
            is_reply_to_customer(turn) && !turn.is_said_while_waiting() && due.is_none_or(|since| turn.number <= since)
        };
        sessions.list_newest_until(scope, &session.session_id, is_end, is_unanswered, MAX_TURNS_PER_ANSWER).await
    }

    async fn cancel_change(&self, scope: &Scope, open: &SessionWithTurns, is_due: bool) -> Result<SessionChange> {
        let now = self.runtime.now();
        let session = &open.session;
        let SessionState::PendingHandover { escalation_id: awaited } = &session.state else {
            return Err(lifecycle::refused(session.ownership()));
        };
        let mut after = lifecycle::transition(session, &SessionAction::Cancel, now, &open.settings)?;
        let found = self.store.escalations().get(scope, awaited).await?;
        // Session and request are deleted together.
        let before = found.ok_or_else(|| Error::not_found("session"))?;
        let Some(status) = before.status.after(EscalationAction::Cancel) else {
            return Err(Error::new(Code::InvalidState, "The escalation is no longer pending."));
        };
        let mut ended = before.clone();
        ended.status = status;
        ended.outcome = Some(EscalationOutcome::Cancelled);
        ended.closed_at = Some(now);
        (ended.notice_due_at, ended.release_reason) = (None, None);
        ended.version += 1;
        let note = system_turn(&self.runtime, &after, SystemEvent::HandoverEnded, None)?;
        append(&mut after, &note, now);
        after.handover_note = after.handover_note.or_else(|| Some(CANCELLED_NOTE.to_owned()));
        self.set_answer_due(&mut after, is_due, now);
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        change.escalation = Some(EscalationChange::Replace { version: before.version, after: ended });
        Ok(change)
    }

    /// Records in a session that is the AI's again, from its last turn on, whether an answer is pending.
    pub(crate) fn set_answer_due(&self, after: &mut Session, is_due: bool, now: Timestamp) {
        after.ai_since_turn = after.turn_count;
        if is_due {
            after.state = SessionState::Ai { answer_due: true };
            after.due_at = Some(self.deadline(now));
        }
    }

    /// Tries to make the pending answer at once; if that fails, the sweeper makes it.
    pub(crate) async fn answer_pending_turns_or_schedule(
        &self,
        scope: &Scope,
        due: PendingAnswer<'_>,
        after: Session,
    ) -> Result<Session> {
        if !after.is_answer_due() {
            return Ok(after);
        }
        let id = after.session_id.clone();
        let open = SessionWithTurns { session: after.clone(), ..due.open };
        if let Err(error) = self.answer_pending_turns(scope, PendingAnswer { open, ..due }).await {
            tracing::warn!(error = %error, session.id = %id, "failed to answer at once; the answer is pending and the sweeper retries");
        }
        Ok(self.store.sessions().get(scope, &id).await?.unwrap_or(after))
    }

    /// Makes one answer to all unanswered turns.
    pub(crate) async fn answer_pending_turns(&self, scope: &Scope, due: PendingAnswer<'_>) -> Result<()> {
        let PendingAnswer { open, asked, received_at, allowance } = due;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(received_at),
            received_at,
            settings: open.settings,
            recent: before(open.recent, &asked),
            allows_human_request: false,
            allowance: allowance.clone(),
            redacts: false,
        };
        let understanding = asked_together(&attempt, &open.session, &asked);
        self.answer_turns(&attempt, open.session, asked, understanding, None).await.map(drop)
    }
}

/// A turn under the session's next number.
pub(crate) fn next_turn(runtime: &Runtime, session: &Session, content: String, body: TurnBody) -> Result<Turn> {
    let number = session.turn_count + 1;
    let message_id = MessageId::for_turn(runtime, number)?;
    Ok(Turn { message_id, number, content, created_at: runtime.now(), body })
}

/// A note of `agent` for the tenant's people, under the session's next number.
pub(crate) fn note(runtime: &Runtime, session: &Session, content: &str, agent: AgentRef) -> Result<Turn> {
    next_turn(runtime, session, content.to_owned(), TurnBody::Agent(AgentTurn { agent, internal: true }))
}

/// A system turn under the session's next number; with the person who did it.
pub(crate) fn system_turn(
    runtime: &Runtime,
    session: &Session,
    event: SystemEvent,
    agent: Option<AgentRef>,
) -> Result<Turn> {
    next_turn(runtime, session, String::new(), TurnBody::System(SystemTurn { event, agent }))
}

/// Moves the session on to `turn`.
pub(crate) fn append(session: &mut Session, turn: &Turn, now: Timestamp) {
    session.turn_count = turn.number;
    session.last_message_id = Some(turn.message_id.clone());
    if !turn.is_internal() {
        session.last_public_message_id = Some(turn.message_id.clone());
    }
    match turn.body {
        TurnBody::Customer(_) => {
            session.last_activity_at = now;
            session.last_customer_message_at = Some(now);
        }
        TurnBody::Ai(_) | TurnBody::Agent(AgentTurn { internal: false, .. }) => session.last_activity_at = now,
        TurnBody::Agent(_) | TurnBody::System(_) => {}
    }
    session.last_words = LastWords::after(turn, session.last_words.take());
    session.updated_at = now;
}

/// Whether a turn is addressed to the customer, so that no answer to earlier ones is pending.
pub(crate) const fn is_reply_to_customer(turn: &Turn) -> bool {
    matches!(turn.body, TurnBody::Ai(_) | TurnBody::Agent(AgentTurn { internal: false, .. }))
}

/// Whether a turn is the customer's and has no answer.
fn is_unanswered(turn: &Turn) -> bool {
    turn.role() == TurnRole::Customer && turn.answered_by().is_none()
}
