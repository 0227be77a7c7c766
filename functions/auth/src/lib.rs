//! The auth function: widget tokens, API keys, settings.
//!
//! [`routes`] is the entry point. [`tokens`] issues widget tokens, [`keys`] creates, reads, lists and deletes API keys,
//! [`settings`] reads and changes a tenant's settings.

mod keys;
mod origin;
mod settings;
mod texts;
mod tokens;

use app::Provider;
use aws::store::Store;
use axum::extract::FromRef;
use axum::routing::{delete, get, patch, post};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::{Authenticator, WidgetTokens};
use outbound::OutboundPolicy;

/// The function's name.
pub const NAME: &str = "auth";

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Auth {
    pub(crate) authenticator: Authenticator,
    pub(crate) widget_tokens: WidgetTokens,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) outbound: OutboundPolicy,
}

impl Auth {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            widget_tokens: WidgetTokens::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
            outbound: provider.config().outbound,
        })
    }
}

/// What the function serves.
#[must_use]
pub fn routes(state: Auth) -> Routes {
    Routes::new(NAME)
        .route("POST", "/api/v1/auth/widget-token", post(tokens::issue_widget_token))
        .route("GET", "/api/v1/api-keys", get(keys::list_api_keys))
        .route("POST", "/api/v1/api-keys", post(keys::create_api_key))
        .route("GET", "/api/v1/api-keys/{id}", get(keys::get_api_key))
        .route("DELETE", "/api/v1/api-keys/{id}", delete(keys::delete_api_key))
        .route("GET", "/api/v1/settings", get(settings::read_settings))
        .route("PATCH", "/api/v1/settings", patch(settings::change_settings))
        .with_state(state)
}
