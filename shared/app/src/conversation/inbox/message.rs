//! An agent's message to the customer, or an internal note.

use super::{Acting, LEASE_MS, not_claimed, with_a_person};
use crate::conversation::Conversation;
use crate::conversation::message::SentToken;
use crate::conversation::turns::{append, next_turn};
use aws::store::sessions::{Committed, EscalationChange, SentMarker, SessionChange};
use domain::models::{Escalation, EscalationId, EscalationStatus, Scope, Session, Timestamp, Turn, TurnRole};
use domain::{Error, Result};

/// What an agent writes.
#[derive(Debug, Clone)]
pub struct AgentMessage {
    /// 1-8,000 characters.
    pub content: String,
    /// For the tenant's people alone.
    pub internal: bool,
    /// What makes it the same message again.
    pub token: Option<SentToken>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The turn.
    pub turn: Turn,
    /// It was written before, by the same message.
    pub replayed: bool,
}

impl Conversation {
    /// Writes a turn of an agent, and renews their lease.
    ///
    /// # Errors 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`; 422 for a key that was used
    /// with another body.
    pub async fn agent_writes(&self, acting: &Acting, id: &EscalationId, message: &AgentMessage) -> Result<Written> {
        let scope = &acting.scope;
        let deadline = self.deadline(self.ctx.ambient.now());
        let holder = self.holder()?;
        let sessions = self.ctx.store.sessions();
        let mut contest = None;
        loop {
            let (escalation, open) = self.case_to_change(scope, id, 1).await?;
            if let Some(token) = &message.token
                && let Some(marker) = self.done_before(scope, &open.session, token).await?
            {
                return self.written_before(scope, &open.session, marker).await;
            }
            if escalation.status != EscalationStatus::Claimed {
                return Err(not_claimed(escalation.status));
            }
            acting.may_act(&escalation)?;
            if with_a_person(&escalation, &open.session) {
                let (change, turn) =
                    self.agent_turn(acting, &escalation, &open.session, message, (&holder, deadline))?;
                match sessions.commit(scope, &change, deadline).await? {
                    Committed::Done => return Ok(Written { turn, replayed: false }),
                    Committed::Moved(None) => return Err(Error::not_found("session")),
                    Committed::Moved(Some(_)) | Committed::EscalationMoved | Committed::Repeated(_) => {}
                    other => return Err(Error::internal(format!("an agent's message came to {other:?}"))),
                }
            }
            let line = || sessions.contest(scope, &escalation.session_id, deadline);
            contest.get_or_insert_with(line).lost().await?;
        }
    }

    fn agent_turn(
        &self,
        acting: &Acting,
        escalation: &Escalation,
        session: &Session,
        message: &AgentMessage,
        (holder, deadline): (&str, Timestamp),
    ) -> Result<(SessionChange, Turn)> {
        let mut turn = next_turn(&self.ctx.ambient, session, TurnRole::Agent, message.content.clone())?;
        turn.agent = Some(acting.agent(escalation.claimed_by.as_ref()));
        turn.internal = message.internal;
        let now = turn.created_at;
        let mut after = session.clone();
        append(&mut after, &turn, now);
        let mut renewed = escalation.clone();
        renewed.lease_expires_at = Some(now.plus_millis(LEASE_MS));
        if !message.internal {
            renewed.first_response_at = renewed.first_response_at.or(Some(now));
        }
        renewed.last_customer_message_at = after.last_customer_message_at;
        renewed.version += 1;
        let token = message.token.as_ref();
        let remembered = token.map(|token| token.remembered(turn.number, session.ownership, holder, deadline));
        let mut change = SessionChange::new(session, after);
        change.turns = vec![turn.clone()];
        change.tokens = remembered.into_iter().collect();
        change.escalation = Some(EscalationChange::Replace { version: escalation.version, after: renewed });
        Ok((change, turn))
    }

    async fn written_before(&self, scope: &Scope, session: &Session, marker: SentMarker) -> Result<Written> {
        let turn = self.ctx.store.sessions().turn(scope, &session.session_id, marker.turn).await?;
        let turn = turn.ok_or_else(|| Error::unavailable("a turn that exists was not found"))?;
        Ok(Written { turn, replayed: true })
    }

    /// A name of this request alone, by which it knows its own writes again.
    pub(super) fn holder(&self) -> Result<String> {
        Ok(format!("{:032x}", u128::from_be_bytes(self.ctx.ambient.bytes::<16>()?)))
    }
}
