//! Permits of a slow receiver: a limited number of deliveries may run for it at once, over all workers, so that they
//! stay free for others.

use super::Webhooks;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::permits::Permits;
use domain::error::Code;
use domain::models::{Scope, Timestamp, WebhookId};
use domain::webhooks::RECEIVER_CONCURRENCY;
use domain::{Error, Result};

impl Webhooks<'_> {
    /// Takes a place with a receiver for `holder`, who gives it back or loses it at `until`; false if none is free.
    pub async fn acquire_permit(&self, scope: &Scope, id: &WebhookId, holder: &str, until: Timestamp) -> Result<bool> {
        let refuse = |others: &[&str]| match others.len() < RECEIVER_CONCURRENCY {
            true => Ok(()),
            false => Err(Error::new(Code::RateLimited, "Too many deliveries run for this receiver.")),
        };
        match self.0.acquire_permit(&permits(scope, id), (holder, until), refuse).await {
            Err(error) if error.code() == Code::RateLimited => Ok(false),
            taken => taken.map(|()| true),
        }
    }

    /// Gives a place back.
    pub async fn release_permit(&self, scope: &Scope, id: &WebhookId, holder: &str) -> Result<()> {
        self.0.release_permit(&permits(scope, id), holder).await
    }
}

fn permits(scope: &Scope, id: &WebhookId) -> Permits {
    Permits { key: keys::webhook_permits(scope, id), kind: ItemKind::WebhookPermits }
}
