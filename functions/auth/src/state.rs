//! The clients and settings that the function needs.

use app::ClientProvider;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::{Authenticator, WidgetTokenService};
use outbound::OutboundPolicy;

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Auth {
    pub(crate) authenticator: Authenticator,
    pub(crate) widget_tokens: WidgetTokenService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) outbound: OutboundPolicy,
}

impl Auth {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            widget_tokens: WidgetTokenService::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
            outbound: provider.config().outbound,
        })
    }
}
