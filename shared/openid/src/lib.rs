//! The client of the one OpenID provider that the operator configures: discovery, keys, and the redemption of a code
//! for a verified identity (OpenID Connect Core 1.0, code flow with PKCE).
//!
//! [`OpenIdProvider`] is what a function holds, and remembers what it read of the provider. [`discovery`] reads what the
//! provider publishes. [`redemption`] redeems the code and judges the ID token. Nothing that the provider answers is
//! trusted: every address is checked like one that a tenant wrote, every answer has a limit of bytes and seconds, and no
//! redirect is followed.

mod discovery;
mod provider;
mod redemption;

use std::borrow::Cow;

use domain::Secret;

pub use self::discovery::ProviderMetadata;
pub use self::provider::OpenIdProvider;
pub use self::redemption::{MAX_CLAIM_BYTES, VerifiedIdentity, nonce_of};

/// The time at which a person authenticated, by the ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuthTimeRule {
    /// The claim `auth_time`, which is required.
    #[default]
    Claim,
    /// `iat` if the claim is absent: for a provider that never sends it, and says so to the operator alone.
    Iat,
}

/// The provider, and this service as its client.
#[derive(Debug, Clone)]
pub struct OpenIdSettings {
    /// The issuer, exactly as its discovery and its ID tokens name it.
    pub issuer: String,
    /// The client's id at the provider, which ID tokens name as their audience.
    pub client_id: String,
    /// The client's secret, if the provider gave one.
    pub client_secret: Option<Secret>,
    /// The page that the provider sends a person back to with a code: the desk's address.
    pub redirect_uri: String,
    /// How the time of the authentication is read.
    pub auth_time: AuthTimeRule,
}

/// Why there is no identity. The text is for the log: it names no code, token, secret or person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// The code is refused: 401 `SIGN_IN_REQUIRED`.
    #[error("the sign-in is refused: {0}")]
    Refused(Cow<'static, str>),
    /// The ID token that the provider gave for a good code is refused: 401 `SIGN_IN_REQUIRED`. As the provider made it, the
    /// operator must know why.
    #[error("the ID token is refused: {0}")]
    IdTokenRefused(&'static str),
    /// The ID token is not one that the desk asks for: 401 `SIGN_IN_REQUIRED`. Whoever sent the browser to the provider chose
    /// the parameters that it was made by, so it says nothing of the provider.
    #[error("the ID token is refused: {0}")]
    AskedOtherwise(&'static str),
    /// The provider is not reachable, or its discovery, keys or token answer is not usable: 503.
    #[error("the OpenID provider is not usable: {0}")]
    Unavailable(Cow<'static, str>),
}

impl SignInError {
    fn refused(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused(why.into())
    }

    fn unavailable(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(why.into())
    }
}
