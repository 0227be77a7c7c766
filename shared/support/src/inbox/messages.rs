//! The writing of agents: a message to the customer, an internal note, and a note about a session that is not closed,
//! whoever has it. Also the answer that the AI would give now, the priority of an escalation in the queue, and until when
//! its agent puts it off.

use answer::AnswerFailure;
use domain::error::DetailCode;
use domain::models::{
    AgentTurn, AnswerVisibility, Disposition, Escalation, EscalationId, EscalationStatus, Priority, Scope, Session,
    SessionId, SessionState, Settings, Source, Timestamp, Turn, TurnBody, TurnRole, Visibility,
};
use domain::wire::SourceOut;
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;
use text::sanitise;

use crate::edge::allowance::Allowance;
use crate::edge::table::RequestKey;
use crate::inbox::claim::{AgentAction, Case, change_of_case, is_claimed_by_agent, not_claimed};
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::answering::{AnswerAttempt, Handover, Verdict, asked_together};
use crate::sessions::conversation::lifecycle::session_closed;
use crate::sessions::conversation::pending_answer::{HISTORY_TURNS, append, before, next_turn, note};
use crate::sessions::table::changes::SessionChange;
use crate::sessions::table::{SessionWithTurns, StoredTurn};
use crate::table::update::Decision;

#[derive(Debug, Clone)]
pub(crate) struct AgentMessage {
    /// 1-8,000 characters.
    pub content: String,
    /// For the tenant's people alone.
    pub internal: bool,
    /// The key that recognises a repetition of the message.
    pub key: Option<RequestKey>,
}

/// The stored message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentMessageResult {
    pub turn: Turn,
    /// It was written before, by the same message.
    pub replayed: bool,
}

impl ConversationService {
    /// Writes a turn of an agent, whose claim it keeps: what is answered stays theirs until the customer writes.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`; 401 for a member who may not sign in
    /// any more; 422 for a key that was used with another body.
    pub(crate) async fn agent_writes(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        message: &AgentMessage,
    ) -> Result<AgentMessageResult> {
        let (scope, requests, sessions) = (&acting.scope, self.store.idempotency(), self.store.sessions());
        let key = &self.action_key(scope, id, message.key.as_ref()).await?;
        let deadline = self.deadline(self.runtime.now());
        let decide = || async move {
            let (escalation, open) = self.get_case_for_update(scope, id, 0).await?;
            if escalation.status != EscalationStatus::Claimed {
                return Err(not_claimed(escalation.status));
            }
            acting.can_act(&escalation)?;
            if !is_claimed_by_agent(&escalation, &open.session) {
                return Ok(Decision::ReadAgain);
            }
            let (change, turn) = self.agent_turn(acting, &escalation, &open.session, message)?;
            let record = requests.completed(scope, key.as_ref(), StoredTurn { turn: turn.number })?;
            Ok(Decision::Write(acting.making(change).recording(record), turn))
        };
        let work = Box::pin(sessions.update_reading(scope, id.as_str(), deadline, decide));
        let reply_from = async |stored: StoredTurn| {
            let (escalation, _) = self.get_case_for_update(scope, id, 0).await?;
            let turn = sessions.get_turn(scope, &escalation.session_id, stored.turn).await?;
            turn.ok_or_else(|| Error::unavailable("a turn that exists was not found"))
        };
        let (turn, replayed) = requests.once(scope, key.as_ref(), work, reply_from).await?;
        Ok(AgentMessageResult { turn, replayed })
    }

    fn agent_turn(
        &self,
        acting: &AgentAction,
        escalation: &Escalation,
        session: &Session,
        message: &AgentMessage,
    ) -> Result<(SessionChange, Turn)> {
        let agent = acting.agent(escalation.claimed_by.as_ref());
        let body = TurnBody::Agent(AgentTurn { agent, internal: message.internal });
        let turn = next_turn(&self.runtime, session, message.content.clone(), body)?;
        let now = turn.created_at;
        let mut renewed = escalation.clone();
        if message.internal {
            renewed.renew_lease(now);
        } else {
            renewed.answer(now);
            renewed.first_response_at = renewed.first_response_at.or(Some(now));
        }
        Ok((change_of_case(escalation, session, renewed, vec![turn.clone()]), turn))
    }
}

impl ConversationService {
    /// Writes a note into a session that is not closed, whoever has it. One of the agent who claimed it renews the
    /// claim, as every message of theirs.
    ///
    /// # Errors
    /// 404 for a session that does not exist, 409 `SESSION_CLOSED`, 401 for a member who may not sign in any more, 422 for
    /// a key that was used with another body.
    pub(crate) async fn write_note(
        &self,
        acting: &AgentAction,
        id: &SessionId,
        content: &str,
        key: Option<RequestKey>,
    ) -> Result<AgentMessageResult> {
        let (scope, requests, sessions) = (&acting.scope, self.store.idempotency(), self.store.sessions());
        let deadline = self.deadline(self.runtime.now());
        let key = &key.map(|key| key.beside(id));
        let found = sessions.get(scope, id).await?.ok_or_else(|| Error::not_found("session"))?;
        let decide = |session: Session| async move {
            if session.closing().is_some() {
                return Err(session_closed());
            }
            let turn = note(&self.runtime, &session, content, acting.agent(None))?;
            let change = match self.own_claim(acting, &session).await? {
                Some(claim) => {
                    let mut renewed = claim.clone();
                    renewed.renew_lease(turn.created_at);
                    change_of_case(&claim, &session, renewed, vec![turn.clone()])
                }
                None => with_note(&session, &turn),
            };
            let record = requests.completed(scope, key.as_ref(), StoredTurn { turn: turn.number })?;
            Ok(Decision::Write(acting.making(change).recording(record), turn))
        };
        let work = Box::pin(sessions.update(scope, found, deadline, decide));
        let reply_from = async |stored: StoredTurn| {
            let turn = sessions.get_turn(scope, id, stored.turn).await?;
            turn.ok_or_else(|| Error::not_found("session"))
        };
        let (turn, replayed) = requests.once(scope, key.as_ref(), work, reply_from).await?;
        Ok(AgentMessageResult { turn, replayed })
    }

    /// The claim that the acting agent has on the session.
    async fn own_claim(&self, acting: &AgentAction, session: &Session) -> Result<Option<Escalation>> {
        let SessionState::Human { escalation_id: id, .. } = &session.state else { return Ok(None) };
        let claim = self.store.escalations().get(&acting.scope, id).await?;
        Ok(claim.filter(|claim| acting.has_claimed(claim)))
    }
}

fn with_note(session: &Session, note: &Turn) -> SessionChange {
    let mut after = session.clone();
    append(&mut after, note, note.created_at);
    SessionChange { turns: vec![note.clone()], ..SessionChange::new(session, after) }
}

/// The answer that the AI would give.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Suggestion {
    /// Markdown; empty where the customer wrote nothing.
    answer: String,
    /// The nearest entries, those that it was made from first, at most 3.
    sources: Vec<SuggestionSource>,
    /// How likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// The outcome that it would have.
    disposition: Disposition,
}

/// An entry near what the customer asks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
struct SuggestionSource {
    #[serde(flatten)]
    source: SourceOut,
    /// Who may read it.
    visibility: Option<Visibility>,
}

impl From<Source> for SuggestionSource {
    fn from(source: Source) -> Self {
        Self { visibility: source.visibility, source: source.into() }
    }
}

impl ConversationService {
    /// The AI's answer to all that the customer wrote since the last answer, or else to the customer's last message.
    /// Its sources are the entries that may ground an answer in this session, or, `with_internal`, all entries. Nothing is
    /// stored, counted or emitted for it, except the calls of a language model.
    ///
    /// # Errors
    /// 404 if there is no such request for a human; 503 if the index does not answer.
    pub(crate) async fn suggest(&self, scope: &Scope, id: &EscalationId, with_internal: bool) -> Result<Suggestion> {
        let received_at = self.runtime.now();
        let (_, open) = self.get_case_for_update(scope, id, HISTORY_TURNS).await?;
        let mut asked = self.pending_turns(scope, &open.session).await?;
        if asked.is_empty() {
            asked.extend(open.recent.iter().rfind(|turn| turn.role() == TurnRole::Customer).cloned());
        }
        if asked.is_empty() {
            let disposition = Disposition::NoAnswer;
            return Ok(Suggestion { answer: String::new(), sources: Vec::new(), confidence: 0.0, disposition });
        }
        let SessionWithTurns { session, recent, settings } = open;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(received_at),
            received_at,
            settings: if with_internal { over_all_entries(settings) } else { settings },
            recent: before(recent, &asked).into_iter().filter(|turn: &Turn| !turn.is_internal()).collect(),
            allows_human_request: false,
            allowance: Allowance::unlimited(),
            redacts: false,
        };
        let understanding = asked_together(&attempt, &session, &asked);
        let found = self.retrieve(&attempt, &session, &understanding).await;
        let (answer, _) = self.make_answer(&attempt, &session, &understanding, found).await;
        if answer.failure == Some(AnswerFailure::Search) {
            return Err(Error::unavailable("the index did not answer a suggestion"));
        }
        let voice = understanding.voice(&session, &attempt.settings, self.runtime.now());
        let verdict = Verdict::new(answer, understanding, voice);
        let (words, _) = verdict.fixed_texts(Handover::None);
        Ok(Suggestion {
            answer: sanitise::shown(&words),
            disposition: verdict.disposition(Handover::None),
            sources: verdict.answer.sources.into_iter().map(SuggestionSource::from).collect(),
            confidence: verdict.answer.confidence,
        })
    }
}

/// The settings of a session that may be answered with every entry.
fn over_all_entries(settings: Settings) -> Settings {
    let all = AnswerVisibility::All;
    Settings { answer_visibility: all, widget_answer_visibility: all, ..settings }
}

/// How long a claim may be put off, in milliseconds: seven days.
const MAX_SNOOZE_MS: i64 = 7 * 86_400_000;

/// The fields to change. A field that is none stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CasePatch {
    /// The priority in the queue.
    pub priority: Option<Priority>,
    /// Until when a claim is put off, or that it is so no longer.
    pub snooze: Option<Option<Timestamp>>,
}

impl ConversationService {
    /// Gives a request for a human another priority, or puts it off; what is so already stays as it is. Within a
    /// priority the queue keeps the order in which humans were asked for; a claimed request takes its place when it is
    /// released.
    ///
    /// # Errors
    /// 404 for one that does not exist, 409 `INVALID_STATE` for one that has ended, 401 for a member who may not sign in
    /// any more. For a snooze also 400 for a time that is past or more than seven days away, 409 `INVALID_STATE` for a
    /// pending one and `CLAIMED_BY_OTHER`.
    pub(crate) async fn change_case(&self, acting: &AgentAction, id: &EscalationId, patch: CasePatch) -> Result<Case> {
        match patch.snooze {
            Some(snooze) => self.snooze(acting, id, snooze, patch.priority).await?,
            None => self.set_priority(acting, id, patch.priority).await?,
        }
        self.case(&acting.scope, id).await
    }

    async fn set_priority(&self, acting: &AgentAction, id: &EscalationId, priority: Option<Priority>) -> Result<()> {
        let deadline = self.deadline(self.runtime.now());
        let decide = |seen: &Escalation| match seen.status {
            EscalationStatus::Pending | EscalationStatus::Claimed => Ok(prioritized(seen, priority)),
            EscalationStatus::Resolved | EscalationStatus::Closed => Err(not_claimed(seen.status)),
        };
        let changed = self.store.escalations().update(&acting.scope, id, acting.member(), deadline, decide).await?;
        changed.map(drop).ok_or_else(|| Error::not_found("escalation"))
    }

    async fn snooze(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        until: Option<Timestamp>,
        priority: Option<Priority>,
    ) -> Result<()> {
        let (scope, now) = (&acting.scope, self.runtime.now());
        until.map_or(Ok(()), |until| check_time(until, now))?;
        let decide = || async move {
            let (before, open) = self.get_case_for_update(scope, id, 0).await?;
            match before.status {
                EscalationStatus::Claimed => acting.can_act(&before)?,
                EscalationStatus::Pending if until.is_none() => {}
                _ => return Err(not_claimed(before.status)),
            }
            if before.status == EscalationStatus::Claimed && !is_claimed_by_agent(&before, &open.session) {
                return Ok(Decision::ReadAgain);
            }
            let mut after = prioritized(&before, priority);
            match until {
                Some(until) => after.snooze(until),
                None if before.snoozed_until.is_some() => after.renew_lease(self.runtime.now()),
                None => {}
            }
            if after == before {
                return Ok(Decision::Keep(()));
            }
            let change = change_of_case(&before, &open.session, after, Vec::new());
            Ok(Decision::Write(acting.making(change), ()))
        };
        self.store.sessions().update_reading(scope, id.as_str(), self.deadline(now), decide).await
    }
}

fn prioritized(seen: &Escalation, priority: Option<Priority>) -> Escalation {
    Escalation { priority: priority.unwrap_or(seen.priority), ..seen.clone() }
}

/// # Errors
/// 400 for a time that is past, or too far away.
fn check_time(until: Timestamp, now: Timestamp) -> Result<()> {
    if until <= now {
        return Err(Error::invalid("snoozedUntil", DetailCode::InThePast, "must be in the future"));
    }
    if until.millis_since(now) > MAX_SNOOZE_MS {
        return Err(Error::invalid("snoozedUntil", DetailCode::OutOfRange, "must be at most seven days away"));
    }
    Ok(())
}
