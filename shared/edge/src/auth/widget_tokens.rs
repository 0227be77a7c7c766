//! Widget tokens as a function issues and verifies them: by the keys that are known now.

use std::sync::Arc;

use super::widget_token::{IssuedToken, TokenRequest, issue, read_kid, verify};
use app::ClientProvider;
use aws::widget_keys::WidgetKeys;
use domain::access::WidgetIdentity;
use domain::clock::Runtime;
use domain::{Error, Result};

/// Issues and verifies widget tokens; cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetTokenService {
    keys: WidgetKeys,
    issuer: Arc<str>,
    runtime: Runtime,
}

impl WidgetTokenService {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let issuer = provider.config().widget_token_issuer.as_str().into();
        Ok(Self { keys: provider.widget_keys().await?, issuer, runtime: provider.runtime() })
    }

    /// Makes a token, as [`issue`] does.
    ///
    /// # Errors
    /// As those of [`issue`].
    pub async fn issue(&self, request: &TokenRequest<'_>) -> Result<IssuedToken> {
        let keys = self.keys.for_signing(self.runtime.now()).await;
        issue(&self.issuer, &keys, &self.runtime, request)
    }

    /// Who a token is for, as [`verify`] says.
    pub(super) async fn verify(&self, token: &str) -> Result<WidgetIdentity> {
        let kid = read_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.runtime.now();
        let keys = self.keys.find_by_kid(&kid, now).await;
        verify(&self.issuer, &keys, now, token)
    }
}
