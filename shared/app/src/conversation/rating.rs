//! Ratings of the people who helped.

use super::{ConversationService, can_access_session};
use aws::store::sessions::{EscalationChange, SessionChange};
use aws::store::{Decision, RequestKey};
use domain::access::Principal;
use domain::error::Code;
use domain::models::{Escalation, EscalationId, Ownership, Rating, Scope, Session, SessionId};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

/// How long after its end a human part may be rated, in milliseconds: 14 days.
const RATING_WINDOW_MS: i64 = 14 * 86_400_000;

/// A rating as it was stored, and of which human part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RatingResult {
    /// The request for a human.
    pub escalation_id: EscalationId,
    pub rating: Rating,
}

impl ConversationService {
    /// Rates the newest human part of a session; a rating that is there is replaced. Says whether it is the result of an
    /// earlier `request`.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `INVALID_STATE` if no person took part or the last one left more
    /// than 14 days ago, 422 for a key that was used for another request.
    pub async fn rate(
        &self,
        caller: &Principal,
        id: &SessionId,
        score: u32,
        comment: Option<String>,
        request: Option<RequestKey>,
    ) -> Result<(RatingResult, bool)> {
        let session = self.session(caller, id).await?;
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let request = request.map(|key| key.beside(id));
        let (key, comment) = (request.as_ref(), &comment);
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            let rated = self.rated_part(scope, &session).await?;
            let now = self.runtime.now();
            let rating = Rating { score, comment: comment.clone(), at: now };
            let result = RatingResult { escalation_id: rated.escalation_id.clone(), rating: rating.clone() };
            let mut after = session.clone();
            after.updated_at = now;
            let mut change = SessionChange::new(&session, after);
            let version = rated.version;
            let rated = Escalation { rating: Some(rating), version: version + 1, ..rated };
            change.escalation = Some(EscalationChange::Replace { version, after: rated });
            let record = requests.completed(scope, key, result.clone())?;
            Ok(Decision::Write(change.recording(record), result))
        };
        let deadline = self.deadline(self.runtime.now());
        let sessions = self.store.sessions();
        let work = Box::pin(sessions.update(scope, session, deadline, decide));
        requests.once(scope, key, work, async |rated| Ok(rated)).await
    }

    /// The part of a session that a person took last, while it may be rated: by an agent who has it now, else that which
    /// began last. A request that was reopened is older than one that was made after it.
    async fn rated_part(&self, scope: &Scope, session: &Session) -> Result<Escalation> {
        let (escalations, taken) =
            (self.store.escalations(), |escalation: &Escalation| escalation.human_part_began_at().is_some());
        let mut parts = Vec::new();
        for id in [session.escalation_id(), session.last_human_part.as_ref()].into_iter().flatten() {
            parts.extend(escalations.get(scope, id).await?.filter(taken));
        }
        if session.ownership() != Ownership::Human {
            parts.extend(escalations.newest_of_session(scope, &session.session_id, taken).await?);
        }
        let newest = parts.into_iter().max_by_key(Escalation::human_part_began_at);
        let refused = |why: &'static str| Error::new(Code::InvalidState, why);
        let part = newest.ok_or_else(|| refused("No person has taken part in this session yet."))?;
        let last_moment = part.ended_at().map(|ended| ended.plus_millis(RATING_WINDOW_MS));
        if last_moment.is_some_and(|last| self.runtime.now() > last) {
            return Err(refused("The human part of this session ended more than 14 days ago."));
        }
        Ok(part)
    }
}
