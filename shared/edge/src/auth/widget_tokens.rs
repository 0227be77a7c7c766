//! Widget tokens as a function issues and verifies them: by the keys that are known now.

use std::sync::Arc;

use super::widget_token::{IssuedToken, TokenRequest, issue, read_kid, verify};
use app::Provider;
use aws::widget_keys::WidgetKeys;
use domain::access::WidgetIdentity;
use domain::clock::Ambient;
use domain::{Error, Result};

/// Issues and verifies widget tokens; cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetTokens {
    keys: WidgetKeys,
    issuer: Arc<str>,
    ambient: Ambient,
}

impl WidgetTokens {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        let issuer = provider.config().widget_token_issuer.as_str().into();
        Ok(Self { keys: provider.widget_keys().await?, issuer, ambient: provider.ambient() })
    }

    /// Makes a token, as [`issue`] does.
    ///
    /// # Errors
    /// As those of [`issue`].
    pub async fn issue(&self, request: &TokenRequest<'_>) -> Result<IssuedToken> {
        let keys = self.keys.for_signing(self.ambient.now()).await;
        issue(&self.issuer, &keys, &self.ambient, request)
    }

    /// Who a token is for, as [`verify`] says.
    pub(super) async fn verify(&self, token: &str) -> Result<WidgetIdentity> {
        let kid = read_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.ambient.now();
        let keys = self.keys.naming(&kid, now).await;
        verify(&self.issuer, &keys, now, token)
    }
}
