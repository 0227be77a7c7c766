//! The clients and settings that the function needs.

use answer::search::SearchIndex;
use app::Provider;
use app::jobs::indexing::Indexing;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use edge::auth::Authenticator;
use std::sync::Arc;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Wiki {
    pub(crate) authenticator: Authenticator,
    pub(crate) indexing: Indexing,
    pub(crate) store: Store,
    pub(crate) index: Arc<dyn SearchIndex>,
}

impl Wiki {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            indexing: Indexing::new(provider)?,
            store: provider.store(),
            index: provider.index()?,
        })
    }
}
