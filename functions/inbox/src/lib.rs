//! The inbox function: agents list waiting customers, take over, write, and hand back.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod act;
mod case;
mod list;
mod patch;
mod takeover;

use app::Provider;
use app::conversation::Conversation;
use aws::store::Store;
use axum::extract::FromRef;
use axum::routing::{get, patch, post};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::Authenticator;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Inbox {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: Conversation,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
}

impl Inbox {
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
pub fn routes(state: Inbox) -> Routes {
    Routes::new("inbox")
        .route("GET", "/api/v1/inbox", get(list::list_escalations))
        .route("POST", "/api/v1/inbox/takeover", post(takeover::take_over))
        .route("GET", "/api/v1/inbox/{id}", get(case::get_escalation))
        .route("PATCH", "/api/v1/inbox/{id}", patch(patch::change_escalation))
        .route("POST", "/api/v1/inbox/{id}/message", post(act::send_message))
        .route("POST", "/api/v1/inbox/{id}/handback", post(act::hand_back))
        .route("POST", "/api/v1/inbox/{id}/resolve", post(act::resolve))
        .route("POST", "/api/v1/inbox/{id}/release", post(act::release))
        .with_state(state)
}
