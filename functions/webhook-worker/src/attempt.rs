//! One delivery: read, leased, sent, recorded.
//!
//! | the worker dies after | what happens then |
//! |---|---|
//! | the lease | the lease expires, a sweep finds the delivery in the due index, and it is sent |
//! | the request | the same: the receiver gets it twice, with the same `webhook-id` |
//! | the record | nothing is lost: the next attempt is in the due index |

use crate::state::WebhookWorker;
use domain::models::{EventId, Scope, WebhookId};
use domain::{Error, Result};

use crate::dispatch;
use crate::outcome::Processed;
use crate::waiting::hold_delivery;

/// The maximum number of reads of a delivery that changes between the read and the lease.
const MAX_ATTEMPTS: u32 = 5;

/// Tries a delivery, if it is due and not leased, and stores the result.
///
/// # Errors
/// The table or the keys cannot be reached; the message must be delivered again.
pub(crate) async fn attempt_delivery(
    state: &WebhookWorker,
    scope: &Scope,
    webhook: &WebhookId,
    event: &EventId,
) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        match process(state, scope, webhook, event).await? {
            Processed::Done => return Ok(()),
            Processed::Changed => {}
        }
    }
    Err(Error::unavailable("a delivery changed at every attempt to lease it"))
}

async fn process(state: &WebhookWorker, scope: &Scope, webhook: &WebhookId, event: &EventId) -> Result<Processed> {
    let deliveries = state.store.deliveries();
    let webhooks = state.store.webhooks();
    let read = futures::try_join!(deliveries.get(scope, webhook, event), webhooks.get(scope, webhook))?;
    match read {
        (None, _) => Ok(Processed::Done),
        (Some(_), None) => deliveries.delete(scope, webhook, event).await.map(|()| Processed::Done),
        (Some(delivery), Some(_)) if !delivery.is_ready(state.runtime.now()) => Ok(Processed::Done),
        (Some(delivery), Some(_)) if delivery.has_too_many_interruptions() => {
            let Some(failed) = delivery.clone().interrupted(state.runtime.now()) else { return Ok(Processed::Done) };
            let (given_up, id) = (deliveries.replace(scope, &delivery, &failed).await?, &failed.event.event_id);
            tracing::error!(webhook.id = %webhook, event.id = %id, "a delivery failed for good: its workers ended without a result");
            Ok(Processed::from_replaced(given_up))
        }
        (Some(delivery), Some(receiver)) if !receiver.is_active() => hold_delivery(state, scope, &delivery).await,
        (Some(delivery), Some(receiver)) => dispatch::send(state, scope, &receiver, delivery).await,
    }
}
