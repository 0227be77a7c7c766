//! The sessions function: create, read, change, ask, react, escalate, resume.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod create;
mod delete;
mod details;
mod handover;
mod list;
mod message;
mod reaction;
mod read;
mod resume;

use app::Provider;
use app::conversation::Conversation;
use aws::store::Store;
use axum::extract::FromRef;
use axum::routing::{delete, get, patch, post};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::Authenticator;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Sessions {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: Conversation,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
}

impl Sessions {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            conversation: Conversation::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
        })
    }
}

/// The routes of this function.
#[must_use]
pub fn routes(state: Sessions) -> Routes {
    Routes::new("sessions")
        .route("POST", "/api/v1/sessions", post(create::create_session))
        .route("GET", "/api/v1/sessions", get(list::list_sessions))
        .route("POST", "/api/v1/sessions/resume", post(resume::resume_session))
        .route("GET", "/api/v1/sessions/{id}", get(read::get_session))
        .route("PATCH", "/api/v1/sessions/{id}", patch(details::change_session))
        .route("DELETE", "/api/v1/sessions/{id}", delete(delete::delete_session))
        .route("POST", "/api/v1/sessions/{id}/messages", post(message::send_message))
        .route("GET", "/api/v1/sessions/{id}/messages", get(read::list_messages))
        .route("POST", "/api/v1/sessions/{id}/reaction", post(reaction::add_reaction))
        .route("POST", "/api/v1/sessions/{id}/escalate", post(handover::escalate_session))
        .route("POST", "/api/v1/sessions/{id}/cancel-escalation", post(handover::cancel_escalation))
        .with_state(state)
}
