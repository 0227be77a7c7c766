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

use app::Provider;
use app::delivery::Deliveries;
use aws::cipher::Cipher;
use aws::store::Store;
use axum::extract::FromRef;
use axum::routing::{delete, get, patch, post};
use domain::Result;
use domain::clock::Ambient;
use edge::Routes;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

/// The function's name.
pub const NAME: &str = "webhooks";

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Webhooks {
    pub(crate) authenticator: Authenticator,
    pub(crate) deliveries: Deliveries,
    pub(crate) cipher: Cipher,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) outbound: OutboundPolicy,
}

impl Webhooks {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            cipher: provider.cipher()?,
            store: provider.store(),
            ambient: provider.ambient(),
            outbound: provider.config().outbound,
        })
    }
}

/// What the function serves.
#[must_use]
pub fn routes(state: Webhooks) -> Routes {
    Routes::new(NAME)
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
        .with_state(state)
}
