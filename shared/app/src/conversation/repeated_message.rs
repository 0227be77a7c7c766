//! A repeated message: never stored twice, never answered twice, and answered now if the first attempt died.

use super::attempt::AnswerAttempt;
use super::classification::TurnClassification;
use super::deadlines::is_due_since;
use super::transition::session_closed;
use super::turns::silent;
use super::{ConversationService, Reply};
use aws::store::sessions::StoredTurn;
use aws::store::{Remembered, in_progress_for};
use domain::models::{Disposition, Ownership, Session, SessionId};
use domain::{Error, Result};

impl ConversationService {
    pub(super) async fn repeated(
        &self,
        attempt: AnswerAttempt,
        id: &SessionId,
        before: Remembered<StoredTurn>,
    ) -> Result<Reply> {
        let sessions = self.store.sessions();
        let StoredTurn { turn: number, ownership } = before.record.result;
        let (session, turn) =
            tokio::try_join!(sessions.get(&attempt.scope, id), sessions.get_turn(&attempt.scope, id, number))?;
        let (Some(session), Some(turn)) = (session, turn) else {
            return Err(Error::not_found("session"));
        };
        // The reply to a repeated message stays that of the first attempt, also if the turn was answered later with
        // others.
        match turn.disposition {
            Some(Disposition::QueuedForHuman) => {
                let reply = silent(&turn, ownership, Disposition::QueuedForHuman);
                return Ok(Reply { replayed: true, ..reply });
            }
            Some(Disposition::Superseded) => {
                let reply = silent(&turn, ownership_after_handover(&session), Disposition::Superseded);
                return Ok(Reply { replayed: true, ..reply });
            }
            _ if turn.answered_by.is_some() => return self.find_stored_answer(&attempt, id, &turn).await,
            // The first attempt died, and then the session was closed: nobody is there to answer until it is resumed.
            _ if session.ownership == Ownership::Closed => return Err(session_closed()),
            // The first attempt died, and then the session was escalated or claimed.
            _ if session.ownership != Ownership::Ai => {
                let reply = silent(&turn, session.ownership, Disposition::QueuedForHuman);
                let escalation_id = reply.escalation_id.or(session.escalation_id);
                return Ok(Reply { replayed: true, escalation_id, ..reply });
            }
            // An answer to this turn and others is being made, or the sweeper makes it.
            _ if is_due_since(&session).is_some_and(|since| turn.number <= since) => {
                let left = session.due_at.map_or(0, |at| at.millis_since(self.runtime.now()));
                return Err(in_progress_for(left));
            }
            _ => {}
        }
        let requests = self.store.idempotency();
        requests.take_over(&attempt.scope, &before, &attempt.holder, attempt.deadline).await?;
        let recent = attempt.recent.into_iter().filter(|earlier| earlier.number < turn.number).collect();
        let attempt = AnswerAttempt { recent, ..attempt };
        let understanding = TurnClassification::of(&attempt, &session, &[&turn.content]);
        self.answer_turns(&attempt, session, vec![turn], understanding, None).await
    }
}

/// The ownership of a session that a human took during the answer, as far as it is still known.
const fn ownership_after_handover(session: &Session) -> Ownership {
    match session.ownership {
        Ownership::Ai => Ownership::PendingHandover,
        other => other,
    }
}
