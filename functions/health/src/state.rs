//! The clients of the handlers of this function.

use std::sync::Arc;

use app::ClientProvider;
use axum::extract::FromRef;
use domain::Result;
use edge::auth::Authenticator;

use crate::cache::Cached;
use crate::clients::Clients;
use crate::report::Report;

/// The clients, and the latest report of this process.
#[derive(Debug, Clone, FromRef)]
pub struct Health {
    pub(crate) authenticator: Authenticator,
    pub(crate) clients: Clients,
    pub(crate) report: Cached<Arc<Report>>,
}

impl Health {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            clients: Clients::new(provider).await?,
            authenticator: Authenticator::new(provider).await?,
            report: Cached::default(),
        })
    }
}
