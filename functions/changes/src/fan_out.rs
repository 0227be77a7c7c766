//! Creates the deliveries of events: one for each event and subscribed receiver, and queues it.
//!
//! A delivery is created once, however often the change is read. If it exists and is not done, the message is sent
//! again, because it may have been lost.

use app::jobs::delivery;
use domain::Result;
use domain::change::Change;
use domain::events::{Event, events_of};
use domain::models::Webhook;
use futures::future::try_join_all;

use crate::batch::Batch;
use crate::question;

/// Creates and queues the deliveries of a change.
pub(crate) async fn apply(batch: &Batch<'_>, change: &Change) -> Result<()> {
    for event in events_of(change) {
        let receivers = batch.receivers(&event.scope, event.kind).await?;
        if receivers.is_empty() {
            continue;
        }
        let event = question::with_question(batch.state, change, event).await?;
        try_join_all(receivers.iter().map(|webhook| deliver(batch, &event, webhook))).await?;
    }
    Ok(())
}

async fn deliver(batch: &Batch<'_>, event: &Event, webhook: &Webhook) -> Result<()> {
    let (state, scope) = (batch.state, &event.scope);
    let held = !webhook.is_active();
    let outgoing = event.outgoing(webhook.format, state.desk_url.as_deref());
    let created = state.store.deliveries().create(scope, outgoing, &webhook.webhook_id, held).await?;
    if !created.should_send() {
        return Ok(());
    }
    delivery::enqueue(&state.deliveries, scope, &webhook.webhook_id, &event.id, 0).await
}
