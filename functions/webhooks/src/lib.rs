//! The webhooks function: receivers of events, and their deliveries.
//!
//! [`routes`] is the entry point. [`register`] creates a receiver, [`manage`] lists, changes and deletes receivers,
//! [`rotate`] replaces a secret, [`deliveries`] shows deliveries, and [`again`] sends a test, one delivery again, or
//! everything that was missed.

mod again;
mod deliveries;
mod input;
mod manage;
mod register;
mod rotate;

use app::Ctx;
use axum::routing::{delete, get, patch, post};
use domain::models::{Scope, WebhookId};
use edge::Routes;

/// The function's name.
pub const NAME: &str = "webhooks";

/// How long a request sends what was held or missed, in milliseconds, before it leaves the rest to the sweeper.
const SENDING_MS: i64 = 3_000;

/// What the function serves.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new(NAME, ctx)
        .route("POST", "/api/v1/webhooks", post(register::register_webhook))
        .route("GET", "/api/v1/webhooks", get(manage::list_webhooks))
        .route("GET", "/api/v1/webhooks/{id}", get(manage::read_webhook))
        .route("PATCH", "/api/v1/webhooks/{id}", patch(manage::change_webhook))
        .route("DELETE", "/api/v1/webhooks/{id}", delete(manage::delete_webhook))
        .route("POST", "/api/v1/webhooks/{id}/rotate", post(rotate::rotate_secret))
        .route("POST", "/api/v1/webhooks/{id}/test", post(again::test_webhook))
        .route("GET", "/api/v1/webhooks/{id}/deliveries", get(deliveries::list_deliveries))
        .route("POST", "/api/v1/webhooks/{id}/deliveries/{delivery}/resend", post(again::resend_delivery))
        .route("POST", "/api/v1/webhooks/{id}/replay", post(again::replay_webhook))
}

/// Whose secret it is: what a sealed one is bound to.
fn owner(scope: &Scope, id: &WebhookId) -> String {
    domain::webhooks::secret_owner(scope, id)
}
