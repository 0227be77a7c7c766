//! The action of the sweeper on a session: it makes the pending answer, closes an idle session, erases an expired one,
//! or sets the next due time.
//!
//! Everything is read here and written on condition. So a lagging index, or two sweeps at once, do nothing early and
//! nothing twice.

use super::ConversationService;
use super::deadlines::{Deadline, due, next_due_at};
use super::pending_answer::{HISTORY_TURNS, PendingAnswer};
use crate::allowance::Allowance;
use crate::jobs::dead_letters::LettersOfSessions;
use aws::store::sessions::{Rest, SessionChange, SessionWithTurns};
use domain::Result;
use domain::models::{Scope, Session, SessionId, SessionState, Settings};

impl ConversationService {
    /// Does what is due about a session; nothing if it is not due, or changes at this moment. What `letters`
    /// hold about a session that is erased is erased with it.
    ///
    /// # Errors
    /// 503 if table or index do not answer; then it is due still.
    pub async fn handle_due_session(&self, letters: &LettersOfSessions, scope: &Scope, id: &SessionId) -> Result<()> {
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
