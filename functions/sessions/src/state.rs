//! The clients and settings that the function needs.

use app::ClientProvider;
use app::conversation::ConversationService;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::auth::Authenticator;

/// The state of this function's handlers.
#[derive(Debug, Clone, FromRef)]
pub struct Sessions {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: ConversationService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
}

impl Sessions {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            conversation: ConversationService::new(provider).await?,
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
        })
    }
}
