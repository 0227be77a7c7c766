//! The clients and settings that the function needs.

use app::Provider;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Ambient;
use edge::auth::{Authenticator, WidgetTokens};
use outbound::OutboundPolicy;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Auth {
    pub(crate) authenticator: Authenticator,
    pub(crate) widget_tokens: WidgetTokens,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) outbound: OutboundPolicy,
}

impl Auth {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            widget_tokens: WidgetTokens::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
            outbound: provider.config().outbound,
        })
    }
}
