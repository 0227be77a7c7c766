//! The attributes of a session besides its turns: tags, metadata, and the person behind it.

use std::collections::BTreeMap;

use super::{ConversationService, can_access_session};
use aws::store::Decision;
use aws::store::sessions::{EscalationChange, SessionChange};
use domain::access::Principal;
use domain::models::{Session, SessionId, Timestamp, Visitor};
use domain::{Error, Result};

/// What to replace; what is none stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionPatch {
    /// All tags.
    pub tags: Option<Vec<String>>,
    /// All of the metadata.
    pub metadata: Option<BTreeMap<String, serde_json::Value>>,
    /// The whole person, or none.
    pub user: Option<Option<Visitor>>,
}

impl SessionPatch {
    /// The session with what is replaced; none where it is so already.
    fn apply_to(&self, session: &Session, now: Timestamp) -> Option<Session> {
        let mut after = session.clone();
        if let Some(tags) = &self.tags {
            after.tags.clone_from(tags);
        }
        if let Some(metadata) = &self.metadata {
            after.metadata.clone_from(metadata);
        }
        if let Some(user) = &self.user {
            after.user.clone_from(user);
        }
        if after == *session {
            return None;
        }
        after.updated_at = now;
        Some(after)
    }
}

impl ConversationService {
    /// Changes the attributes of a session, in any state; returns the session afterwards.
    ///
    /// This is not activity: idle close and retention are not moved. An open escalation shows the new name.
    ///
    /// # Errors 404 for a session the caller may not see.
    pub async fn change_details(&self, caller: &Principal, id: &SessionId, patch: &SessionPatch) -> Result<Session> {
        let scope = caller.scope();
        let deadline = self.deadline(self.runtime.now());
        let session = self.session(caller, id).await?;
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            let Some(after) = patch.apply_to(&session, self.runtime.now()) else {
                return Ok(Decision::Keep(session));
            };
            let mut change = SessionChange::new(&session, after);
            change.escalation = rename_escalation(&session, &change.after);
            let after = change.after.clone();
            Ok(Decision::Write(change, after))
        };
        let Ok(session) = self.store.sessions().update(scope, session, deadline, decide).await?;
        Ok(session)
    }
}

/// What the open request for a human has to show of a change.
fn rename_escalation(before: &Session, after: &Session) -> Option<EscalationChange> {
    let name = |session: &Session| session.user.as_ref().and_then(|user| user.name.clone());
    let id = after.escalation_id.clone()?;
    (name(before) != name(after)).then(|| EscalationChange::CustomerNamed { id, name: name(after) })
}
