//! The part that all acts on a claim share, and the act that only renews a claim.

use super::{AgentAction, Case, is_claimed_by_agent, not_claimed};
use crate::conversation::ConversationService;
use crate::conversation::turns::append;
use aws::store::sessions::{ClaimedEscalation, EscalationChange, SessionChange, SessionWithTurns};
use aws::store::{Decision, RequestKey};
use domain::Result;
use domain::models::{Escalation, EscalationId, EscalationStatus, Session, Turn};

impl ConversationService {
    /// Gives a claim a new lease; one that was put off is so no longer.
    ///
    /// # Errors
    /// 404; 409 `INVALID_STATE` if it is unclaimed or ended, `CLAIMED_BY_OTHER`; 401 for a member who may not sign in
    /// any more; 422 for a key that was used with another body.
    pub async fn renew(&self, acting: &AgentAction, id: &EscalationId, key: Option<&RequestKey>) -> Result<Case> {
        let act = |escalation: Escalation, session: Session| async move {
            let mut renewed = escalation.clone();
            renewed.renew_lease(self.runtime.now());
            Ok(change_of_case(&escalation, &session, renewed, Vec::new()))
        };
        self.act_on_claim(acting, id, key, act).await
    }

    /// Changes by `act` a case that the acting agent claimed, or another one if an admin acts.
    pub(super) async fn act_on_claim<F>(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
        act: impl Fn(Escalation, Session) -> F,
    ) -> Result<Case>
    where
        F: Future<Output = Result<SessionChange>>,
    {
        let act = &act;
        let act_on_claim = |escalation: Escalation, open: SessionWithTurns| async move {
            if escalation.status != EscalationStatus::Claimed {
                return Err(not_claimed(escalation.status));
            }
            acting.can_act(&escalation)?;
            if !is_claimed_by_agent(&escalation, &open.session) {
                return Ok(None);
            }
            act(escalation, open.session).await.map(Some)
        };
        self.act_on_case(acting, id, key, act_on_claim).await
    }

    /// Changes a case by `act`, which says none if it has to be read again. A repetition gets the case as it is now.
    pub(super) async fn act_on_case<F>(
        &self,
        acting: &AgentAction,
        id: &EscalationId,
        key: Option<&RequestKey>,
        act: impl Fn(Escalation, SessionWithTurns) -> F,
    ) -> Result<Case>
    where
        F: Future<Output = Result<Option<SessionChange>>>,
    {
        let (scope, requests) = (&acting.scope, self.store.idempotency());
        let key = &self.action_key(scope, id, key).await?;
        let deadline = self.deadline(self.runtime.now());
        let (act, done) = (&act, &ClaimedEscalation { escalation_id: id.clone() });
        let decide = || async move {
            let (escalation, open) = self.get_case_for_update(scope, id, 1).await?;
            let Some(change) = act(escalation, open).await? else { return Ok(Decision::ReadAgain) };
            let record = requests.completed(scope, key.as_ref(), done)?;
            Ok(Decision::Write(acting.making(change).recording(record), ()))
        };
        let work = async {
            self.store.sessions().update_reading(scope, id.as_str(), deadline, decide).await?;
            self.case(scope, id).await
        };
        let reply_from = async |_: ClaimedEscalation| self.case(scope, id).await;
        let (case, replayed) = requests.once(scope, key.as_ref(), Box::pin(work), reply_from).await?;
        Ok(Case { replayed, ..case })
    }
}

/// The change of a case whose session does not change hands: `turns` more, and what its escalation becomes.
pub(super) fn change_of_case(
    before: &Escalation,
    session: &Session,
    after: Escalation,
    turns: Vec<Turn>,
) -> SessionChange {
    let mut session_after = session.clone();
    turns.iter().for_each(|turn| append(&mut session_after, turn, turn.created_at));
    session_after.set_snoozed(after.snoozed_until.is_some());
    let last_customer_message_at = session_after.last_customer_message_at;
    let last_words = session_after.last_words.clone();
    let after = Escalation { last_customer_message_at, last_words, version: before.version + 1, ..after };
    let escalation = Some(EscalationChange::Replace { version: before.version, after });
    SessionChange { turns, escalation, ..SessionChange::new(session, session_after) }
}
