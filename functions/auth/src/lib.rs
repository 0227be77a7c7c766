//! The auth function: widget tokens, API keys, settings.
//!
//! [`routes`] is the entry point. [`tokens`] issues widget tokens, [`keys`] creates, reads, lists and deletes API keys,
//! [`settings`] reads and changes a tenant's settings.

mod keys;
mod origin;
mod settings;
mod texts;
mod tokens;

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

edge::function!("auth", Auth: [
    tokens::IssueWidgetToken,
    keys::ListApiKeys,
    keys::CreateApiKey,
    keys::GetApiKey,
    keys::DeleteApiKey,
    settings::GetSettings,
    settings::UpdateSettings,
]);
