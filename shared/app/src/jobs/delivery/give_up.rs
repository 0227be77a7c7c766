//! Fails a delivery that ends its workers. The receiver's owner can send it again.

use super::Deliveries;
use domain::Result;
use domain::models::{Delivery, EventId, Scope, WebhookId};

/// Gives up a delivery that still waits; one that is done or gone is left alone.
///
/// # Errors
/// 503 while the table cannot be reached.
pub async fn give_up(service: &Deliveries, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<()> {
    while let Some(delivery) = service.store.deliveries().get(scope, webhook, event).await? {
        if fail_read_delivery(service, scope, &delivery).await? {
            break;
        }
    }
    Ok(())
}

/// The same for a delivery that was read; false if it changed meanwhile.
///
/// # Errors
/// As [`give_up`].
pub async fn fail_read_delivery(service: &Deliveries, scope: &Scope, delivery: &Delivery) -> Result<bool> {
    match delivery.clone().interrupted(service.runtime.now()) {
        Some(given_up) => service.store.deliveries().replace(scope, delivery, &given_up).await,
        None => Ok(true),
    }
}
