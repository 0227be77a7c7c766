//! Deletes a session: it is unreadable at once, and its data is erased afterwards.
//!
//! Data derived from the stream can arrive late, because the stream keeps a record for a day. So everything is erased
//! three times: at once, after a quarter of an hour, and when no record can be left. Then the tombstone is deleted.
//! Figures stay; they contain no personal data. A deletion emits no event, because an event would send out what is to
//! be erased.

use super::{ConversationService, can_access_session};
use crate::Requester;
use crate::jobs::dead_letters::LettersOfSessions;
use aws::store::sessions::Tombstone;
use domain::Result;
use domain::access::Principal;
use domain::models::{AuditAction, Scope, SessionId};

/// After how long everything is erased once more, in milliseconds, by how often it was.
const REPEAT_ERASURE_AFTER_MS: [i64; 2] = [900_000, 26 * 3_600_000];

impl ConversationService {
    /// Deletes a session in any state.
    ///
    /// # Errors 404 for one that the caller may not see, or that is deleted already; 503 if the table does not answer.
    pub async fn delete(&self, caller: &Principal, id: &SessionId) -> Result<()> {
        let scope = caller.scope();
        let now = self.runtime.now();
        let by = Requester::Caller(caller);
        let store = by.audited(&self.store, &scope.tenant, AuditAction::SessionDeleted, id.as_str(), now);
        let deadline = self.deadline(now);
        store.sessions().delete(scope, id, deadline, |session| can_access_session(caller, session)).await
    }

    /// Erases what belonged to a session that is gone.
    pub(super) async fn erase_session_contents(
        &self,
        letters: &LettersOfSessions,
        scope: &Scope,
        id: &SessionId,
        tombstone: &Tombstone,
    ) -> Result<()> {
        let now = self.runtime.now();
        if tombstone.due_at > now {
            return Ok(());
        }
        // The session's items name its copies elsewhere, so they are deleted last.
        self.store.gaps().erase_session(scope, id).await?;
        self.store.drafts().erase_session(scope, id).await?;
        while !self.store.deliveries().erase_by_session(scope, id).await? {}
        letters.erase(&self.store, scope, id).await?;
        self.store.sessions().erase_contents(scope, id).await?;
        let pass = usize::try_from(tombstone.passes).unwrap_or(usize::MAX);
        let next = REPEAT_ERASURE_AFTER_MS.get(pass).map(|ms| now.plus_millis(*ms));
        self.store.sessions().record_erasure(scope, id, tombstone, next).await
    }
}
