//! A customer's turn from receipt to storage, and everything else that changes the ownership of a session. The turn is
//! durable, under the session's next number, before a model is called. The answer is stored on the condition that the
//! session has not changed hands. The acts of agents are in `inbox`, as methods of [`ConversationService`].
//!
//! - [`message`]: one customer message, the reply to it, and the summary of a conversation.
//! - [`classification`]: the question in customer turns, and the language of the reply.
//! - [`answering`]: makes an answer, decides about the message, and stores both.
//! - [`pending_answer`]: the answer that is owed if the AI gets a conversation back.
//! - [`handover`]: requests for a human, and whether somebody is there.
//! - [`feedback`]: reactions to answers, and ratings of people.
//! - [`lifecycle`]: closes, resumes, changes and deletes sessions, and does what is due about them.

pub mod answering;
pub mod classification;
pub mod feedback;
pub mod handover;
pub mod lifecycle;
pub mod message;
pub mod pending_answer;

use answer::AnswerEngine;
use domain::access::Principal;
use domain::clock::Runtime;
use domain::models::{Session, SessionId, Timestamp};
use domain::{Error, Result};

use crate::edge::{ClientProvider, answer_engine};
use crate::table::Store;

/// Takes conversations forward.
#[derive(Debug, Clone)]
pub struct ConversationService {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) request_timeout_ms: i64,
    pub(crate) engine: AnswerEngine,
}

impl ConversationService {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self::with(provider, answer_engine(provider).await?))
    }

    pub(crate) fn with(provider: &impl ClientProvider, engine: AnswerEngine) -> Self {
        let request_timeout_ms = i64::try_from(provider.config().request_timeout_ms).unwrap_or(i64::MAX);
        Self { store: provider.store(), runtime: provider.runtime(), request_timeout_ms, engine }
    }

    /// A session that the caller may see.
    ///
    /// # Errors 404 for one that does not exist, and the same for a foreign one.
    pub async fn session(&self, caller: &Principal, id: &SessionId) -> Result<Session> {
        let found = self.store.sessions().get(caller.scope(), id).await?;
        found.filter(|session| can_access_session(caller, session)).ok_or_else(|| Error::not_found("session"))
    }

    pub(crate) fn deadline(&self, from: Timestamp) -> Timestamp {
        from.plus_millis(self.request_timeout_ms)
    }
}

/// A widget sees its own visitor's widget sessions, and with a session token that one alone; a key sees all of its
/// scope.
#[must_use]
pub(crate) fn can_access_session(caller: &Principal, session: &Session) -> bool {
    caller.widget().is_none_or(|widget| widget.reaches(session))
}
