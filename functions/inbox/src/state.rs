//! The clients and settings that the function needs.

use app::Provider;
use app::conversation::Conversation;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Ambient;
use edge::auth::Authenticator;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Inbox {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: Conversation,
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
}

impl Inbox {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            conversation: Conversation::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
        })
    }
}
