//! The webhooks function: receivers of events, and their deliveries.
//!
//! - [`api`]: the endpoints of receivers and their secrets.
//! - [`deliveries`]: the endpoints that show deliveries and send again.
//! - [`queue`]: queues deliveries, also from the due index and by orders to send again.
//! - [`worker`]: sends deliveries.
//! - [`limiter`]: limits concurrent requests to a receiver.
//! - [`table`]: receivers and deliveries, as they are stored.

pub mod api;
pub mod deliveries;
pub mod limiter;
pub mod queue;
pub mod table;
pub mod worker;

use aws::cipher::Cipher;
use axum::extract::FromRef;
use domain::clock::Runtime;
use domain::models::{Delivery, EventId, Scope, Webhook, WebhookId};
use domain::{Error, Result};
use outbound::OutboundPolicy;

use crate::edge::ClientProvider;
use crate::edge::auth::Authenticator;
use crate::table::Store;
use crate::webhooks::queue::Deliveries;

/// The state of the handlers.
pub(crate) type FunctionState = Webhooks;

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
