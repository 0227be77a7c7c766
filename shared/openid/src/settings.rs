//! The operator's configuration of the provider.

use domain::Secret;

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
