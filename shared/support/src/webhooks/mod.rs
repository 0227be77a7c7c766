//! The webhooks function: receivers of events, and their deliveries.
//!
//! [`routes`] is the entry point. [`register`] creates a receiver, [`manage`] lists, changes and deletes receivers,
//! [`rotate`] replaces a secret, [`deliveries`] shows deliveries, and [`resend`] sends a test, one delivery again, or
//! everything that was missed.
//!
//! The clients and settings that the function needs.

pub mod api;
pub mod deliveries;
pub mod limiter;
pub mod queue;
pub mod worker;

use aws::cipher::Cipher;
use aws::store::Store;
use axum::extract::FromRef;
use domain::clock::Runtime;
use domain::models::{Delivery, EventId, Scope, Webhook, WebhookId};
use domain::{Error, Result};
use edge::ClientProvider;
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

use crate::webhooks::queue::Deliveries;

edge::function!("webhooks", Webhooks: [
    api::CreateWebhook,
    api::ListWebhooks,
    api::GetWebhook,
    api::UpdateWebhook,
    api::DeleteWebhook,
    api::RotateWebhookSecret,
    deliveries::TestWebhook,
    deliveries::ListDeliveries,
    deliveries::GetDelivery,
    deliveries::ResendDelivery,
    deliveries::ReplayWebhook,
]);

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Webhooks {
    pub(crate) authenticator: Authenticator,
    pub(crate) deliveries: Deliveries,
    pub(crate) cipher: Cipher,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) outbound: OutboundPolicy,
}

impl Webhooks {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            cipher: provider.cipher()?,
            store: provider.store(),
            runtime: provider.runtime(),
            outbound: provider.config().outbound,
        })
    }

    /// A receiver.
    ///
    /// # Errors
    /// 404 if there is none.
    pub(crate) async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Webhook> {
        self.store.webhooks().get(scope, id).await?.ok_or_else(|| Error::not_found("webhook"))
    }

    /// The delivery of an event to a receiver.
    ///
    /// # Errors
    /// 404 if there is none.
    pub(crate) async fn delivery(&self, scope: &Scope, id: &WebhookId, event: &EventId) -> Result<Delivery> {
        let found = self.store.deliveries().get(scope, id, event).await?;
        found.ok_or_else(|| Error::not_found("delivery"))
    }
}
