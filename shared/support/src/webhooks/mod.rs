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

use domain::models::{Delivery, EventId, Scope, Webhook, WebhookId};
use domain::{Error, Result};

use crate::table::Store;

/// A receiver.
///
/// # Errors
/// 404 if there is none.
pub(crate) async fn find(store: &Store, scope: &Scope, id: &WebhookId) -> Result<Webhook> {
    store.webhooks().get(scope, id).await?.ok_or_else(|| Error::not_found("webhook"))
}

/// The delivery of an event to a receiver.
///
/// # Errors
/// 404 if there is none.
pub(crate) async fn delivery(store: &Store, scope: &Scope, id: &WebhookId, event: &EventId) -> Result<Delivery> {
    let found = store.deliveries().get(scope, id, event).await?;
    found.ok_or_else(|| Error::not_found("delivery"))
}
