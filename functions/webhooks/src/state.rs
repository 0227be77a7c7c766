//! The clients and settings that the function needs.

use app::ClientProvider;
use app::jobs::delivery::Deliveries;
use aws::cipher::Cipher;
use aws::store::Store;
use axum::extract::FromRef;
use domain::clock::Runtime;
use domain::models::{Delivery, EventId, Scope, Webhook, WebhookId};
use domain::{Error, Result};
use edge::auth::Authenticator;
use outbound::OutboundPolicy;

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
