//! One customer message: stored first, then answered.

use super::answering::Attempt;
use super::turns::{append, next_turn};
use super::understanding::Understanding;
use super::{Conversation, Reply, may_see};
use aws::store::sessions::{Committed, EscalationChange, SentMarker, SessionChange, Token};
use domain::access::Principal;
use domain::error::Code;
use domain::models::{AnswerVisibility, Disposition, Ownership, Session, SessionId, Timestamp, Turn, TurnRole};
use domain::{Error, Result};

/// How many turns before the message an answer may look at.
const RECENT_TURNS: u16 = 12;

/// A received message.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// What the customer wrote, 1-8,000 characters.
    pub content: String,
    /// `clientMessageId` and `Idempotency-Key`, as far as given: what makes the message the same message again.
    pub tokens: Vec<SentToken>,
    /// When the request came in.
    pub received_at: Timestamp,
}

/// What makes a message the same message again, and what must be the same in it then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentToken {
    token: String,
    /// Lower-case hex of SHA-256.
    fingerprint: String,
}

impl SentToken {
    /// The client's own id of a message: the same within its session, for the same content.
    #[must_use]
    pub fn client_message_id(id: &str, content: &str) -> Self {
        Self { token: format!("client:{id}"), fingerprint: domain::sha256_hex(content.as_bytes()) }
    }

    /// The header of a request: the same for its caller, for the same body.
    #[must_use]
    pub fn idempotency_key(caller: &Principal, key: &str, content: &str, client_message_id: Option<&str>) -> Self {
        let body = format!("{}\0{content}", client_message_id.unwrap_or_default());
        Self { token: format!("key:{}:{key}", caller.name()), fingerprint: domain::sha256_hex(body.as_bytes()) }
    }

    /// Anything that is done once under `token`, where `body` is what must be the same in it.
    pub(super) fn new(token: String, body: &str) -> Self {
        Self { token, fingerprint: domain::sha256_hex(body.as_bytes()) }
    }

    /// The marker of the token: its turn, and its author.
    pub(super) fn remembered(&self, turn: u32, ownership: Ownership, holder: &str, until: Timestamp) -> Token {
        let marker = SentMarker {
            turn,
            fingerprint: self.fingerprint.clone(),
            ownership,
            lease_until: until,
            holder: holder.to_owned(),
        };
        Token { token: self.token.clone(), marker }
    }

    /// Whether a message that is remembered is this one.
    pub(super) fn same_as(&self, marker: &SentMarker) -> bool {
        self.fingerprint == marker.fingerprint
    }

    pub(super) fn as_str(&self) -> &str {
        &self.token
    }
}

/// What storing the customer's turn came to.
pub(super) enum Stored {
    /// The session with the turn.
    New(Box<(Session, Turn)>),
    /// The message was sent before, under this token.
    Before { token: SentToken, marker: SentMarker },
}

impl Conversation {
    /// Takes one customer message: stores it, and answers it where the AI owns the session.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`, 409 `IDEMPOTENCY_IN_PROGRESS` and
    /// 422 `IDEMPOTENCY_KEY_REUSED` for a repeated token, 503 when the table does not answer.
    pub async fn answer(&self, caller: &Principal, id: &SessionId, incoming: Incoming) -> Result<Reply> {
        let scope = caller.scope();
        let open = self.ctx.store.sessions().open(scope, id, RECENT_TURNS).await?;
        if !may_see(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let widgets_see = open.settings.widget_answer_visibility;
        let attempt = Attempt {
            scope: scope.clone(),
            deadline: self.deadline(incoming.received_at),
            received_at: incoming.received_at,
            holder: format!("{:032x}", u128::from_be_bytes(self.ctx.ambient.bytes::<16>()?)),
            settings: open.settings,
            recent: open.recent,
            heeds_requests: true,
            redacts: caller.widget().is_some() && widgets_see == AnswerVisibility::Public,
        };
        let understanding = Understanding::of(&attempt, &open.session, &[&incoming.content]);
        let small_talk = understanding.small_talk.is_some();
        // The search runs in parallel with the first write: it calls no language model, and its result is used only
        // once the message is durable. If the session becomes the AI's while the message is being stored, it runs
        // afterwards.
        let (stored, found) =
            tokio::join!(self.store_turn(&attempt, open.session.clone(), &incoming, small_talk), async {
                match open.session.ownership {
                    Ownership::Ai => self.retrieve(&attempt, &open.session, &understanding).await,
                    Ownership::PendingHandover | Ownership::Human | Ownership::Closed => None,
                }
            });
        match stored? {
            Stored::Before { token, marker } => self.repeated(attempt, id, &token, marker).await,
            Stored::New(new) => match *new {
                (session, turn) if session.ownership == Ownership::Ai => {
                    self.answer_turns(&attempt, session, vec![turn], understanding, found).await
                }
                (session, turn) => Ok(silent(&turn, session.ownership, Disposition::QueuedForHuman)),
            },
        }
    }

    async fn store_turn(
        &self,
        attempt: &Attempt,
        mut session: Session,
        incoming: &Incoming,
        small_talk: bool,
    ) -> Result<Stored> {
        let sessions = self.ctx.store.sessions();
        let mut contest = sessions.contest(&attempt.scope, &session.session_id, attempt.deadline);
        loop {
            if session.ownership == Ownership::Closed {
                return self.sent_before(attempt, &session.session_id, incoming).await;
            }
            let (change, turn) = self.customer_turn(attempt, &session, incoming, small_talk)?;
            match sessions.commit(&attempt.scope, &change, attempt.deadline).await? {
                Committed::Done => return Ok(Stored::New(Box::new((change.after, turn)))),
                Committed::Moved(None) => return Err(Error::not_found("session")),
                Committed::Moved(Some(now)) => session = *now,
                Committed::Repeated(marker) => {
                    return self.which_token(attempt, &session.session_id, incoming, marker).await;
                }
                other @ (Committed::AlreadyAnswered | Committed::EscalationMoved | Committed::ClaimedBefore(_)) => {
                    return Err(Error::internal(format!("storing a message came to {other:?}")));
                }
            }
            contest.lost().await?;
        }
    }

    fn customer_turn(
        &self,
        attempt: &Attempt,
        session: &Session,
        incoming: &Incoming,
        small_talk: bool,
    ) -> Result<(SessionChange, Turn)> {
        let mut turn = next_turn(&self.ctx.ambient, session, TurnRole::Customer, incoming.content.clone())?;
        if session.ownership != Ownership::Ai {
            turn.disposition = Some(Disposition::QueuedForHuman);
            turn.latency_ms = Some(self.latency_ms(attempt));
            turn.escalation_id.clone_from(&session.escalation_id);
        }
        let mut after = session.clone();
        append(&mut after, &turn, turn.created_at);
        // What is written to people counts whatever it is.
        after.has_customer_message |= !small_talk || session.ownership != Ownership::Ai;
        let mut change = SessionChange::new(session, after);
        let marker = |token: &SentToken| SentMarker {
            turn: turn.number,
            fingerprint: token.fingerprint.clone(),
            ownership: session.ownership,
            lease_until: attempt.deadline,
            holder: attempt.holder.clone(),
        };
        change.tokens =
            incoming.tokens.iter().map(|token| Token { token: token.token.clone(), marker: marker(token) }).collect();
        change.turns = vec![turn.clone()];
        // The inbox shows that the customer wrote.
        let open = session.escalation_id.clone();
        change.escalation = open.map(|id| EscalationChange::CustomerWrote { id, at: turn.created_at });
        Ok((change, turn))
    }

    /// A closed session takes no message, but a repeated one still gets its first result.
    async fn sent_before(&self, attempt: &Attempt, id: &SessionId, incoming: &Incoming) -> Result<Stored> {
        for token in &incoming.tokens {
            if let Some(marker) = self.ctx.store.sessions().marker(&attempt.scope, id, token.as_str()).await? {
                return Ok(Stored::Before { token: token.clone(), marker });
            }
        }
        Err(Error::new(Code::SessionClosed, "The session is closed."))
    }

    async fn which_token(
        &self,
        attempt: &Attempt,
        id: &SessionId,
        incoming: &Incoming,
        seen: SentMarker,
    ) -> Result<Stored> {
        match self.sent_before(attempt, id, incoming).await {
            Ok(before) => Ok(before),
            Err(_) => match incoming.tokens.first() {
                Some(token) => Ok(Stored::Before { token: token.clone(), marker: seen }),
                None => Err(Error::internal("a token was repeated that was never given")),
            },
        }
    }

    pub(super) fn latency_ms(&self, attempt: &Attempt) -> u64 {
        u64::try_from(self.ctx.ambient.now().millis_since(attempt.received_at)).unwrap_or(0)
    }
}

/// The reply where the AI says nothing to a customer's turn, from what is stored with it.
pub(super) fn silent(turn: &Turn, ownership: Ownership, what: Disposition) -> Reply {
    Reply {
        message_id: turn.message_id.clone(),
        answer: String::new(),
        sources: Vec::new(),
        confidence: 0.0,
        ownership,
        disposition: what,
        unanswered: false,
        turn: turn.number,
        latency_ms: turn.latency_ms.unwrap_or(0),
        escalation_id: turn.escalation_id.clone(),
        replayed: false,
    }
}
