//! Widget tokens as a function issues and verifies them: by the keys that are known now and not revoked.

use std::sync::Arc;

use super::revoked_keys::RevokedKeys;
use super::widget_token::{IssuedToken, TokenRequest, issue, read_kid, verify};
use crate::ClientProvider;
use aws::widget_keys::WidgetKeys;
use domain::access::WidgetIdentity;
use domain::clock::Runtime;
use domain::{Error, Result};

/// Issues and verifies widget tokens; cheap to clone.
#[derive(Debug, Clone)]
pub struct WidgetTokenService {
    keys: WidgetKeys,
    revoked: RevokedKeys,
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
        let (revoked, runtime) = (RevokedKeys::new(provider.store()), provider.runtime());
        Ok(Self { keys: provider.widget_keys().await?, revoked, issuer, runtime })
    }

    /// The keys, of which cursors take their code.
    pub(super) fn keys(&self) -> WidgetKeys {
        self.keys.clone()
    }

    /// Makes a token, as [`issue`] does.
    ///
    /// # Errors
    /// As those of [`issue`]; 503 if no key is known that may sign.
    pub async fn issue(&self, request: &TokenRequest<'_>) -> Result<IssuedToken> {
        let now = self.runtime.now();
        let keys = self.keys.for_signing(&self.revoked.list(now).await?, now).await?;
        issue(&self.issuer, &keys.current, &self.runtime, request)
    }

    /// The visitor of a token, as [`verify`] says; 401 if its key is revoked.
    pub(super) async fn verify(&self, token: &str) -> Result<WidgetIdentity> {
        let kid = read_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.runtime.now();
        let revoked = self.revoked.list(now).await?;
        let keys = self.keys.find_by_kid(&kid, &revoked, now).await?;
        let is_revoked = keys.keys().any(|key| key.kid == kid && revoked.contains(&key.fingerprint()));
        if is_revoked {
            return Err(Error::unauthorized().context("widget token: its key is revoked"));
        }
        verify(&self.issuer, &keys, now, token)
    }
}
