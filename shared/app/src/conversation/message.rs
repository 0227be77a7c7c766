//! One customer message: stored first, then answered. A repeated one is neither stored nor answered twice, and answered
//! now if the first attempt died.

use super::attempt::AnswerAttempt;
use super::classification::TurnClassification;
use super::deadlines::pending_answer_turn;
use super::transition::session_closed;
use super::turns::{append, next_turn};
use super::{ConversationService, Reply, can_access_session};
use crate::allowance::{Allowance, LimitedAction};
use aws::store::sessions::{EscalationChange, SessionChange, StoredTurn};
use aws::store::{Decision, Remembered, RequestKey, in_progress_for};
use domain::access::Principal;
use domain::models::{
    AnswerVisibility, CustomerTurn, Escalation, Ownership, Presence, Session, SessionId, Silence, SilenceReason,
    Timestamp, Turn, TurnBody,
};
use domain::{Error, Result};

/// How many turns before the message an answer may look at.
const RECENT_TURNS: u16 = 12;

/// A received message.
#[derive(Debug, Clone)]
pub struct IncomingMessage {
    /// The customer's text, 1-8,000 characters.
    pub content: String,
    /// Of `clientMessageId`, which is valid as long as the session is there, and of `Idempotency-Key`.
    pub keys: Vec<RequestKey>,
    /// When the request came in.
    pub received_at: Timestamp,
}

/// The outcome of storing the customer's turn.
enum StoreOutcome {
    /// The session with the turn.
    New(Box<(Session, Turn)>),
    /// The message was sent before.
    Before(Remembered<StoredTurn>),
}

impl ConversationService {
    /// Takes one customer message: stores it, and answers it if the AI owns the session.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`, 409 `IDEMPOTENCY_IN_PROGRESS` and
    /// 422 `IDEMPOTENCY_KEY_REUSED` for a repeated token, 429 for a visitor's message that is one too many, 503 when the
    /// table does not answer.
    pub async fn answer(
        &self,
        caller: &Principal,
        id: &SessionId,
        incoming: IncomingMessage,
        allowance: &Allowance,
    ) -> Result<Reply> {
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let refused = allowance.check(LimitedAction::Message).err();
        let refused = match refused {
            // Before anything else is read.
            Some(refused) if incoming.keys.is_empty() => return Err(refused),
            refused => refused,
        };
        let sessions = self.store.sessions();
        let open = Box::pin(sessions.get_with_turns(scope, id, RECENT_TURNS));
        let (open, before) = tokio::join!(open, requests.find(scope, &incoming.keys));
        let open = open?;
        if !can_access_session(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let widgets_see = open.settings.widget_answer_visibility;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(incoming.received_at),
            received_at: incoming.received_at,
            settings: open.settings,
            recent: open.recent,
            allows_human_request: true,
            allowance: allowance.clone(),
            redacts: caller.widget().is_some() && widgets_see == AnswerVisibility::Public,
        };
        if let Some(before) = before? {
            return Box::pin(self.repeated(attempt, id, before)).await;
        }
        if let Some(refused) = refused {
            return Err(refused);
        }
        let understanding = TurnClassification::of(&attempt, &open.session, &[&incoming.content]);
        let small_talk = understanding.small_talk.is_some();
        // The search runs in parallel with the first write: it calls no language model, and its result is used only
        // once the message is durable. If the session becomes the AI's while the message is being stored, it runs
        // afterwards.
        let (stored, found) =
            tokio::join!(self.store_customer_turn(&attempt, open.session.clone(), &incoming, small_talk), async {
                match open.session.ownership() {
                    Ownership::Ai => self.retrieve(&attempt, &open.session, &understanding).await,
                    Ownership::PendingHandover | Ownership::Human | Ownership::Closed => None,
                }
            });
        match stored? {
            StoreOutcome::Before(before) => Box::pin(self.repeated(attempt, id, before)).await,
            StoreOutcome::New(new) => match (Reply::of(&new.1), *new) {
                (Some(queued), (session, turn)) => {
                    Ok(Box::pin(self.answer_while_waiting(&attempt, session, turn, understanding, queued)).await)
                }
                (None, (session, turn)) => self.answer_turns(&attempt, session, vec![turn], understanding, found).await,
            },
        }
    }

    /// The reply to a repeated message: that of the first attempt, also if the turn was answered later with others. If
    /// the first attempt died, the message is answered.
    async fn repeated(&self, attempt: AnswerAttempt, id: &SessionId, before: Remembered<StoredTurn>) -> Result<Reply> {
        let (sessions, scope) = (self.store.sessions(), attempt.scope.clone());
        let StoredTurn { turn: number } = before.result;
        let (session, turn) = tokio::try_join!(sessions.get(&scope, id), sessions.get_turn(&scope, id, number))?;
        let (Some(session), Some(turn)) = (session, turn) else {
            return Err(Error::not_found("session"));
        };
        let (requests, replayed) = (self.store.idempotency(), !before.is_own());
        if let Some(reply) = self.reply_from(&attempt, id, &turn).await? {
            requests.store_others(&scope, &before).await?;
            return Ok(Reply { replayed, ..reply });
        }
        match session.ownership() {
            Ownership::Ai => {}
            // The session was closed: nobody is there to answer until it is resumed.
            Ownership::Closed => return Err(session_closed()),
            // The session was escalated or claimed.
            Ownership::PendingHandover | Ownership::Human => {
                let presence = self.presence(&scope, &attempt.settings).await?;
                let silence = queued(&session, 0, presence);
                return Ok(Reply { replayed, ..Reply::silence(&turn, &silence) });
            }
        }
        // An answer to this turn and others is being made, or the sweeper makes it.
        if pending_answer_turn(&session).is_some_and(|since| turn.number <= since) {
            let left = session.due_at.map_or(0, |at| at.millis_since(self.runtime.now()));
            return Err(in_progress_for(left));
        }
        if replayed {
            requests.take_over(&scope, &before, attempt.deadline).await?;
        }
        let recent = attempt.recent.into_iter().filter(|earlier| earlier.number < turn.number).collect();
        let attempt = AnswerAttempt { recent, ..attempt };
        let understanding = TurnClassification::of(&attempt, &session, &[&turn.content]);
        self.answer_turns(&attempt, session, vec![turn], understanding, None).await
    }

    async fn store_customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        incoming: &IncomingMessage,
        small_talk: bool,
    ) -> Result<StoreOutcome> {
        let counting = attempt.allowance.trying(LimitedAction::Message);
        let counted = &counting;
        let decide = |session: Session| async move {
            if session.ownership() == Ownership::Closed {
                return Err(session_closed());
            }
            counted.count().await?;
            let presence = match session.ownership() {
                Ownership::Ai => None,
                _ => Some(self.presence(&attempt.scope, &attempt.settings).await?),
            };
            let (change, turn) = self.customer_turn(attempt, &session, incoming, small_talk, presence)?;
            let stored = StoreOutcome::New(Box::new((change.after.clone(), turn)));
            Ok(Decision::Write(change, stored))
        };
        let (sessions, requests) = (self.store.sessions(), self.store.idempotency());
        let work = Box::pin(sessions.update(&attempt.scope, session, attempt.deadline, decide));
        let before = async |before: Remembered<StoredTurn>| Ok(StoreOutcome::Before(before));
        let stored = requests.once_leased(&attempt.scope, &incoming.keys, work, before).await;
        counting.end(matches!(stored, Ok((_, false)))).await;
        stored.map(|(stored, _)| stored)
    }

    fn customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        incoming: &IncomingMessage,
        small_talk: bool,
        presence: Option<Presence>,
    ) -> Result<(SessionChange, Turn)> {
        let latency_ms = attempt.latency_ms(self.runtime.now());
        let silence = presence.map(|presence| queued(session, latency_ms, presence));
        let body = TurnBody::Customer(CustomerTurn { answered_by: None, silence });
        let turn = next_turn(&self.runtime, session, incoming.content.clone(), body)?;
        let mut after = session.clone();
        append(&mut after, &turn, turn.created_at);
        // A message to people counts, small talk included.
        after.has_customer_message |= !small_talk || session.ownership() != Ownership::Ai;
        after.set_snoozed(false);
        let mut change = SessionChange::new(session, after);
        change.turns = vec![turn.clone()];
        // The inbox shows that the customer wrote; what its agent answered or put off waits for that agent again.
        let (open, at) = (session.escalation_id().cloned(), turn.created_at);
        let lease = (session.ownership() == Ownership::Human).then(|| Escalation::lease_after_message(at));
        let words = change.after.last_words.clone();
        let wakes = session.is_snoozed();
        change.escalation = open.map(|id| EscalationChange::CustomerWrote { id, at, words, lease, wakes });
        let requests = self.store.idempotency();
        let record = |key| requests.started(&attempt.scope, key, attempt.deadline, StoredTurn { turn: turn.number });
        change.requests = incoming.keys.iter().map(record).collect::<Result<_>>()?;
        Ok((change, turn))
    }
}

/// The reply to a message while people have the session, or are awaited.
fn queued(session: &Session, latency_ms: u64, presence: Presence) -> Silence {
    Silence {
        reason: SilenceReason::QueuedForHuman,
        ownership: session.ownership(),
        latency_ms,
        escalation_id: session.escalation_id().cloned(),
        presence: Some(presence),
    }
}
