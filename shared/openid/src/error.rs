//! Why a sign-in does not succeed.

use std::borrow::Cow;

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
    pub(crate) fn refused(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused(why.into())
    }

    pub(crate) fn unavailable(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(why.into())
    }
}
