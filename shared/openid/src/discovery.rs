//! The provider's description of itself (OpenID Connect Discovery 1.0), as far as it is used and may be trusted.

use outbound::{OutboundPolicy, OutboundUrl};
use serde::Deserialize;
use url::Url;

use crate::OpenIdSettings;
use crate::error::SignInError;

/// The path of Cognito's authorization endpoint, which is on another host than the issuer.
const COGNITO_AUTHORIZE: &str = "/oauth2/authorize";

/// The metadata of the provider, from its discovery document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderMetadata {
    /// The issuer, equal to the configured one.
    pub issuer: String,
    /// Where a person is sent to sign in.
    pub authorization_endpoint: String,
    /// Where a person is sent to sign out at the provider too, with the parameters that lead back to the desk; `None`
    /// if the provider has no such page.
    pub end_session_url: Option<String>,
    pub(crate) token_endpoint: OutboundUrl,
    pub(crate) jwks_uri: OutboundUrl,
    pub(crate) secret_in_body: bool,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// Where the issuer describes itself.
pub(crate) fn address_of(issuer: &str, policy: &OutboundPolicy) -> Result<OutboundUrl, SignInError> {
    let issuer = issuer.strip_suffix('/').unwrap_or(issuer);
    checked_address(&format!("{issuer}/.well-known/openid-configuration"), policy)
        .ok_or_else(|| SignInError::unavailable("the configured issuer may not be called"))
}

/// An address that the service may call: over https, or on this machine if the policy allows it.
fn checked_address(text: &str, policy: &OutboundPolicy) -> Option<OutboundUrl> {
    OutboundUrl::parse(text, policy).ok().filter(OutboundUrl::is_confidential)
}

/// Reads a discovery document for these settings.
pub(crate) fn read(
    body: &[u8],
    settings: &OpenIdSettings,
    policy: &OutboundPolicy,
) -> Result<ProviderMetadata, SignInError> {
    let document: Document = serde_json::from_slice(body)
        .map_err(|_| SignInError::unavailable("its discovery document lacks a field or is not JSON"))?;
    if document.issuer != settings.issuer {
        return Err(SignInError::unavailable("its discovery document is another issuer's"));
    }
    let address = |field: &'static str, text: &str| {
        let refused = || SignInError::unavailable(format!("its {field} is not an address that may be called"));
        checked_address(text, policy).ok_or_else(refused)
    };
    let authorization = address("authorization_endpoint", &document.authorization_endpoint)?;
    // An address that a browser may not be sent to is none: signing out at the provider is not worth a lock-out.
    let end_session = document.end_session_endpoint.as_deref().and_then(|text| checked_address(text, policy));
    let end_session = end_session.or_else(|| cognito_logout(&authorization, settings, policy));
    Ok(ProviderMetadata {
        end_session_url: end_session.and_then(|endpoint| end_session_url(&endpoint, settings)),
        token_endpoint: address("token_endpoint", &document.token_endpoint)?,
        jwks_uri: address("jwks_uri", &document.jwks_uri)?,
        secret_in_body: takes_secret_in_body(document.token_endpoint_auth_methods_supported.as_deref()),
        authorization_endpoint: authorization.as_str().to_owned(),
        issuer: document.issuer,
    })
}

/// Whether the client's secret goes into the form rather than into a header. A provider that says nothing takes the
/// header (OpenID Connect Discovery 1.0, section 3); if both are possible, the form has one spelling only.
fn takes_secret_in_body(methods: Option<&[String]>) -> bool {
    methods.is_some_and(|methods| methods.iter().any(|method| method == "client_secret_post"))
}

/// The end-session page of a provider that names none, and whose authorization endpoint has Cognito's form: on a host
/// other than the issuer's.
fn cognito_logout(
    authorization: &OutboundUrl,
    settings: &OpenIdSettings,
    policy: &OutboundPolicy,
) -> Option<OutboundUrl> {
    let issuer = Url::parse(&settings.issuer).ok()?;
    let is_elsewhere = issuer.host_str().is_some_and(|host| host != authorization.host());
    let prefix = authorization.as_str().strip_suffix(COGNITO_AUTHORIZE).filter(|_| is_elsewhere)?;
    checked_address(&format!("{prefix}/logout"), policy)
}

/// The page with what leads back to the desk: `post_logout_redirect_uri` of the standard (OpenID Connect RP-Initiated
/// Logout 1.0) and `logout_uri`, which Cognito reads in its place.
fn end_session_url(endpoint: &OutboundUrl, settings: &OpenIdSettings) -> Option<String> {
    let mut url = Url::parse(endpoint.as_str()).ok()?;
    url.query_pairs_mut()
        .append_pair("client_id", &settings.client_id)
        .append_pair("post_logout_redirect_uri", &settings.redirect_uri)
        .append_pair("logout_uri", &settings.redirect_uri);
    Some(url.into())
}
