//! One customer message: stored first, then answered.

use super::attempt::AnswerAttempt;
use super::classification::TurnClassification;
use super::transition::session_closed;
use super::turns::{append, next_turn, silent};
use super::{ConversationService, Reply, can_access_session};
use crate::allowance::{Act, Allowance};
use aws::store::sessions::{EscalationChange, SessionChange, StoredTurn};
use aws::store::{Decision, Remembered, RequestKey};
use domain::access::Principal;
use domain::models::{AnswerVisibility, Disposition, Ownership, Scope, Session, SessionId, Timestamp, Turn, TurnRole};
use domain::{Error, Result};

/// How many turns before the message an answer may look at.
const RECENT_TURNS: u16 = 12;

/// A received message.
#[derive(Debug, Clone)]
pub struct IncomingMessage {
    /// What the customer wrote, 1-8,000 characters.
    pub content: String,
    /// Of `clientMessageId`, which is valid as long as the session is there.
    pub client_key: Option<RequestKey>,
    /// Of `Idempotency-Key`, which is valid for a day.
    pub key: Option<RequestKey>,
    /// When the request came in.
    pub received_at: Timestamp,
}

/// What storing the customer's turn came to.
pub(super) enum StoreOutcome {
    /// The session with the turn.
    New(Box<(Session, Turn)>),
    /// The message was sent before.
    Before(Remembered<StoredTurn>),
}

impl ConversationService {
    /// Takes one customer message: stores it, and answers it where the AI owns the session.
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
        let scope = caller.scope();
        let refused = allowance.check(Act::Message).err();
        let refused = match refused {
            // Before anything else is read.
            Some(refused) if incoming.client_key.is_none() && incoming.key.is_none() => return Err(refused),
            refused => refused,
        };
        let open = self.store.sessions().get_with_turns(scope, id, RECENT_TURNS).await?;
        if !can_access_session(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let widgets_see = open.settings.widget_answer_visibility;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(incoming.received_at),
            received_at: incoming.received_at,
            holder: self.store.idempotency().new_holder()?,
            settings: open.settings,
            recent: open.recent,
            heeds_requests: true,
            allowance: allowance.clone(),
            redacts: caller.widget().is_some() && widgets_see == AnswerVisibility::Public,
        };
        if let Some(refused) = refused {
            // What was sent before still gets its first result.
            let before = self.find_sent_message(scope, &incoming, refused).await?;
            return self.repeated(attempt, id, before).await;
        }
        let understanding = TurnClassification::of(&attempt, &open.session, &[&incoming.content]);
        let small_talk = understanding.small_talk.is_some();
        // The search runs in parallel with the first write: it calls no language model, and its result is used only
        // once the message is durable. If the session becomes the AI's while the message is being stored, it runs
        // afterwards.
        let (stored, found) =
            tokio::join!(self.store_customer_turn(&attempt, open.session.clone(), &incoming, small_talk), async {
                match open.session.ownership {
                    Ownership::Ai => self.retrieve(&attempt, &open.session, &understanding).await,
                    Ownership::PendingHandover | Ownership::Human | Ownership::Closed => None,
                }
            });
        match stored? {
            StoreOutcome::Before(before) => self.repeated(attempt, id, before).await,
            StoreOutcome::New(new) => match *new {
                (session, turn) if session.ownership == Ownership::Ai => {
                    self.answer_turns(&attempt, session, vec![turn], understanding, found).await
                }
                (session, turn) => Ok(silent(&turn, session.ownership, Disposition::QueuedForHuman)),
            },
        }
    }

    async fn store_customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        incoming: &IncomingMessage,
        small_talk: bool,
    ) -> Result<StoreOutcome> {
        let counting = attempt.allowance.trying(Act::Message);
        let counted = &counting;
        let decide = |session: Session| async move {
            if session.ownership == Ownership::Closed {
                let before = self.find_sent_message(&attempt.scope, incoming, session_closed()).await?;
                return Ok(Decision::Keep(StoreOutcome::Before(before)));
            }
            if let Err(refused) = counted.count().await {
                let before = self.find_sent_message(&attempt.scope, incoming, refused).await?;
                return Ok(Decision::Keep(StoreOutcome::Before(before)));
            }
            let (change, turn) = self.customer_turn(attempt, &session, incoming, small_talk)?;
            let stored = StoreOutcome::New(Box::new((change.after.clone(), turn)));
            Ok(Decision::Write(change, stored))
        };
        let stored = self.store.sessions().update(&attempt.scope, session, attempt.deadline, decide).await;
        let stored = stored.map(|stored| stored.unwrap_or_else(StoreOutcome::Before));
        counting.end(matches!(stored, Ok(StoreOutcome::New(_)))).await;
        stored
    }

    fn customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        incoming: &IncomingMessage,
        small_talk: bool,
    ) -> Result<(SessionChange<Vec<Remembered<StoredTurn>>>, Turn)> {
        let mut turn = next_turn(&self.runtime, session, TurnRole::Customer, incoming.content.clone())?;
        if session.ownership != Ownership::Ai {
            turn.disposition = Some(Disposition::QueuedForHuman);
            turn.latency_ms = Some(attempt.latency_ms(self.runtime.now()));
            turn.escalation_id.clone_from(&session.escalation_id);
        }
        let mut after = session.clone();
        append(&mut after, &turn, turn.created_at);
        // What is written to people counts whatever it is.
        after.has_customer_message |= !small_talk || session.ownership != Ownership::Ai;
        let mut change = SessionChange::new(session, after);
        change.turns = vec![turn.clone()];
        // The inbox shows that the customer wrote.
        let open = session.escalation_id.clone();
        change.escalation = open.map(|id| EscalationChange::CustomerWrote { id, at: turn.created_at });
        let stored = StoredTurn { turn: turn.number, ownership: session.ownership };
        let remember = |key: RequestKey| key.remember(&attempt.holder, attempt.deadline, stored.clone());
        let client = incoming.client_key.clone().map(remember);
        let header = incoming.key.clone().map(|key| remember(key).for_a_day(turn.created_at));
        Ok((change.claiming(client.into_iter().chain(header).collect()), turn))
    }

    /// No message is taken, but one that was sent before still gets its first result.
    ///
    /// # Errors
    /// `refused` where it was not.
    async fn find_sent_message(
        &self,
        scope: &Scope,
        incoming: &IncomingMessage,
        refused: Error,
    ) -> Result<Remembered<StoredTurn>> {
        for key in incoming.client_key.iter().chain(&incoming.key) {
            if let Some(before) = self.store.idempotency().find(scope, key).await? {
                return Ok(before);
            }
        }
        Err(refused)
    }
}
