//! The auth function: widget tokens, API keys, settings.
//!
//! [`routes`] is the entry point. [`tokens`] issues widget tokens, [`keys`] creates, reads, lists and deletes API keys,
//! [`settings`] reads and changes a tenant's settings.

mod keys;
mod origin;
mod settings;
mod texts;
mod tokens;

use app::Ctx;
use axum::routing::{delete, get, patch, post};
use edge::Routes;

/// The function's name.
pub const NAME: &str = "auth";

/// What the function serves.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new(NAME, ctx)
        .route("POST", "/api/v1/auth/widget-token", post(tokens::issue_widget_token))
        .route("GET", "/api/v1/api-keys", get(keys::list_api_keys))
        .route("POST", "/api/v1/api-keys", post(keys::create_api_key))
        .route("GET", "/api/v1/api-keys/{id}", get(keys::get_api_key))
        .route("DELETE", "/api/v1/api-keys/{id}", delete(keys::delete_api_key))
        .route("GET", "/api/v1/settings", get(settings::read_settings))
        .route("PATCH", "/api/v1/settings", patch(settings::change_settings))
}
