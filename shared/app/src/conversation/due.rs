//! What the sweeper does with a session: makes the pending answer, closes an idle session, erases an expired one, or
//! sets the next due time.
//!
//! Everything is read here and written on condition. So a lagging index, or two sweeps at once, do nothing early and
//! nothing twice.

use super::Conversation;
use super::deadlines::{Deadline, due, next_look};
use super::returning::HISTORY;
use aws::set_aside::SetAside;
use aws::store::sessions::{OpenSession, Rest, SessionChange};
use domain::Result;
use domain::models::{Scope, Session, SessionId, Settings};

impl Conversation {
    /// Does what is due about a session; nothing where it is not due, or changes at this moment. What `set_aside` keeps
    /// about a session that is erased is erased with it.
    ///
    /// # Errors
    /// 503 where table or index do not answer; then it is due still.
    pub async fn session_due(&self, set_aside: &SetAside, scope: &Scope, id: &SessionId) -> Result<()> {
        match self.ctx.store.sessions().rest(scope, id).await? {
            None => Ok(()),
            Some(Rest::Tombstone(tombstone)) => self.erase_rest(set_aside, scope, id, &tombstone).await,
            Some(Rest::Session(session)) => self.look_at(scope, *session).await,
        }
    }

    async fn look_at(&self, scope: &Scope, session: Session) -> Result<()> {
        let now = self.ctx.ambient.now();
        if session.due_at.is_none_or(|at| at > now) {
            return Ok(());
        }
        let settings = self.ctx.store.settings().get(scope).await?;
        match due(&session, &settings, now) {
            Some(Deadline::Retention) => {
                self.ctx.store.sessions().bury(scope, &session, self.deadline(now)).await.map(drop)
            }
            Some(Deadline::Answer) => self.give_owed_answer(scope, session, settings).await,
            Some(Deadline::Idle) => self.close_idle(scope, &session).await.map(drop),
            Some(Deadline::Expiry) => self.expire(scope, &session).await.map(drop),
            None => match next_look(&session, &settings) {
                Some(at) => self.ctx.store.sessions().arm(scope, &session, at).await,
                None => Ok(()),
            },
        }
    }

    /// Makes the pending answer of a cancelled or ended handover, if there is none yet.
    async fn give_owed_answer(&self, scope: &Scope, session: Session, settings: Settings) -> Result<()> {
        let now = self.ctx.ambient.now();
        let sessions = self.ctx.store.sessions();
        let asked = self.owed_turns(scope, &session.session_id).await?;
        if asked.is_empty() {
            let mut after = session.clone();
            after.answer_due = false;
            after.due_at = next_look(&after, &settings);
            return sessions.commit(scope, &SessionChange::new(&session, after), self.deadline(now)).await.map(drop);
        }
        let recent = sessions.last_turns(scope, &session.session_id, HISTORY).await?;
        self.give_owed(scope, OpenSession { session, recent, settings }, asked, now).await
    }
}
