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

use std::ops::Deref;

use answer::AnswerEngine;
use axum::extract::FromRequestParts;
use domain::access::Principal;
use domain::models::{Session, SessionId, Timestamp};
use domain::{Error, Result};
use http::request::Parts;
use schemars::SchemaGenerator;

use crate::edge::describe::{Input, Operation};
use crate::edge::{ApiError, ApiResult, App};

/// Takes conversations forward.
#[derive(Debug, Clone)]
pub struct ConversationService {
    pub(crate) app: App,
    pub(crate) engine: AnswerEngine,
}

impl Deref for ConversationService {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}

impl FromRequestParts<App> for ConversationService {
    type Rejection = ApiError;

    async fn from_request_parts(_: &mut Parts, app: &App) -> ApiResult<Self> {
        Ok(Self::new(app)?)
    }
}

impl Input for ConversationService {
    fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
}

impl ConversationService {
    /// With the engine of `app`.
    ///
    /// # Errors
    /// An internal error if the function has no index.
    pub fn new(app: &App) -> Result<Self> {
        Ok(Self { app: app.clone(), engine: app.engine()? })
    }

    /// A session that the caller may see.
    ///
    /// # Errors 404 for one that does not exist, and the same for a foreign one.
    pub async fn session(&self, caller: &Principal, id: &SessionId) -> Result<Session> {
        let found = self.store.sessions().get(caller.scope(), id).await?;
        found.filter(|session| can_access_session(caller, session)).ok_or_else(|| Error::not_found("session"))
    }

    pub(crate) fn deadline(&self, from: Timestamp) -> Timestamp {
        from.plus_millis(i64::try_from(self.config.request_timeout_ms).unwrap_or(i64::MAX))
    }
}

/// A widget sees its own visitor's widget sessions, and with a session token that one alone; a key sees all of its
/// scope.
#[must_use]
pub(crate) fn can_access_session(caller: &Principal, session: &Session) -> bool {
    caller.widget().is_none_or(|widget| widget.reaches(session))
}
