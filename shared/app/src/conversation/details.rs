//! The attributes of a session besides its turns: tags, metadata, and the person behind it.

use std::collections::BTreeMap;

use super::{ConversationService, can_access_session};
use aws::store::Decision;
use aws::store::sessions::{EscalationChange, SessionChange};
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::{Session, SessionId, Timestamp, Visitor};
use domain::{Error, Result};

/// The fields to replace. A field that is none stays as it is.
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
    /// The session with what is replaced; none if it is so already.
    fn apply_to(&self, session: &Session, now: Timestamp) -> Option<Session> {
        let mut after = session.clone();
        if let Some(tags) = &self.tags {
            after.set_tags(tags.clone());
        }
        if let Some(metadata) = &self.metadata {
            after.set_metadata(metadata.clone());
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
    /// # Errors
    /// 404 for a session the caller may not see, 403 for a widget beyond its own `user`.
    pub async fn change_details(&self, caller: &Principal, id: &SessionId, patch: &SessionPatch) -> Result<Session> {
        require_widget_scope(caller, patch)?;
        let scope = caller.scope();
        let deadline = self.deadline(self.runtime.now());
        let session = self.session(caller, id).await?;
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            require_unverified(caller, &session)?;
            let Some(after) = patch.apply_to(&session, self.runtime.now()) else {
                return Ok(Decision::Keep(session));
            };
            let mut change = SessionChange::new(&session, after);
            change.escalation = rename_escalation(&session, &change.after);
            let after = change.after.clone();
            Ok(Decision::Write(change, after))
        };
        self.store.sessions().update(scope, session, deadline, decide).await
    }
}

/// The change of the open request for a human that shows the customer's new name or verification; none if neither
/// changed.
fn rename_escalation(before: &Session, after: &Session) -> Option<EscalationChange> {
    let shown = |session: &Session| {
        let user = session.user.as_ref();
        (user.and_then(|user| user.name.clone()), user.is_some_and(|user| user.verified))
    };
    let id = after.escalation_id().cloned()?;
    let (name, verified) = shown(after);
    (shown(before) != (name.clone(), verified)).then_some(EscalationChange::CustomerNamed { id, name, verified })
}

/// A widget changes no `user` for whom the tenant vouches.
///
/// # Errors
/// 403 for a widget, if the session's is verified.
fn require_unverified(caller: &Principal, session: &Session) -> Result<()> {
    if session.user.as_ref().is_some_and(|user| user.verified) && caller.widget().is_some() {
        return Err(not_for_widgets("the user is verified"));
    }
    Ok(())
}

/// A widget changes the `user` of a session alone, and only by a token that names none.
///
/// # Errors
/// 403 otherwise.
fn require_widget_scope(caller: &Principal, patch: &SessionPatch) -> Result<()> {
    let Some(widget) = caller.widget() else { return Ok(()) };
    if patch.tags.is_some() || patch.metadata.is_some() {
        return Err(not_for_widgets("tags and metadata are for API keys"));
    }
    if widget.user.is_some() {
        return Err(not_for_widgets("the token names the user"));
    }
    Ok(())
}

fn not_for_widgets(why: &'static str) -> Error {
    Error::new(Code::Forbidden, "A widget may not change this.").with_detail(DetailCode::TokenScope, why)
}
