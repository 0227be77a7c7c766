//! One attempt: the permit of the receiver, the lease, the request, the record.

use crate::state::WebhookWorker;
use domain::Result;
use domain::models::{Delivery, DeliveryLease, Scope, Webhook};

use crate::limiter::Permit;
use crate::outcome::Processed;
use crate::record::record;
use crate::sending;
use crate::waiting::defer;

/// The duration of a delivery's lease, in milliseconds: longer than a request can take with its reads and writes.
const LEASE_MS: i64 = 30_000;

/// Sends a delivery that is due, if the receiver has a permit left and no other worker holds the lease.
pub(crate) async fn send(
    state: &WebhookWorker,
    scope: &Scope,
    receiver: &Webhook,
    delivery: Delivery,
) -> Result<Processed> {
    let lease = lease(state)?;
    let Some(permit) = Permit::acquire(state, scope, receiver, &lease).await? else {
        return defer(state, scope, &delivery).await;
    };
    let leased = delivery.clone().leased(lease.clone());
    let done = match state.store.deliveries().replace(scope, &delivery, &leased).await {
        Ok(true) => send_leased(state, scope, receiver, leased).await,
        Ok(false) => Ok(Processed::Changed),
        Err(error) => Err(error),
    };
    permit.release(state, scope, &receiver.webhook_id).await;
    done
}

fn lease(state: &WebhookWorker) -> Result<DeliveryLease> {
    let holder = state.runtime.token()?;
    Ok(DeliveryLease { holder, until: state.runtime.now().plus_millis(LEASE_MS) })
}

async fn send_leased(state: &WebhookWorker, scope: &Scope, receiver: &Webhook, leased: Delivery) -> Result<Processed> {
    match sending::send(state, scope, receiver, &leased).await {
        Ok(sent) => record(state, scope, receiver, &leased, &sent).await.map(|()| Processed::Done),
        Err(error) => {
            // No attempt was made, and the lease must not look like that of a worker that died.
            let (webhook, event) = (&receiver.webhook_id, &leased.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %event, error = %error, "failed to prepare a delivery; it is rescheduled");
            defer(state, scope, &leased).await
        }
    }
}
