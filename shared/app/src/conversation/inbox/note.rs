//! A note about a session, which its customer does not see.

use super::claim::change_of_case;
use super::{AgentAction, AgentMessageResult};
use crate::conversation::ConversationService;
use crate::conversation::transition::session_closed;
use crate::conversation::turns::{append, note};
use aws::store::sessions::{SessionChange, StoredTurn};
use aws::store::{Decision, RequestKey};
use domain::models::{Escalation, Session, SessionId, SessionState, Turn};
use domain::{Error, Result};

impl ConversationService {
    /// Writes a note into a session that is not closed, whoever has it. One of the agent who claimed it renews the
    /// claim, as every message of theirs.
    ///
    /// # Errors
    /// 404 for a session that does not exist, 409 `SESSION_CLOSED`, 401 for a member who may not sign in any more, 422 for
    /// a key that was used with another body.
    pub async fn write_note(
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
