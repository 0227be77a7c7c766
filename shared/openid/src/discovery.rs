//! What the provider publishes of itself, as far as it is used and may be trusted: its metadata (OpenID Connect Discovery
//! 1.0), and the public keys that can sign an ID token here (RFC 7517).

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use outbound::{OutboundPolicy, OutboundUrl};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::{OpenIdSettings, SignInError};

/// The path of Cognito's authorization endpoint, which is on another host than the issuer.
const COGNITO_AUTHORIZE: &str = "/oauth2/authorize";
/// Keys of a set; providers publish two to five.
const MAX_KEYS: usize = 100;

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
    end_session_endpoint: Option<String>,
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
pub(crate) fn read_metadata(
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

/// The keys of the provider's set that may verify an ID token.
pub(crate) struct SigningKeys(Vec<SigningKey>);

struct SigningKey {
    kid: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

impl SigningKeys {
    /// Reads a set. Keys of other kinds or for other uses are passed over.
    pub(crate) fn read(body: &[u8]) -> Result<Self, SignInError> {
        let set: Set = serde_json::from_slice(body).map_err(|_| SignInError::unavailable("its key set is not one"))?;
        if set.keys.len() > MAX_KEYS {
            return Err(SignInError::unavailable("its key set has too many keys"));
        }
        let keys: Vec<_> = set.keys.into_iter().filter_map(SigningKey::read).collect();
        if keys.is_empty() {
            return Err(SignInError::unavailable("its key set has no key of RS256 or ES256"));
        }
        Ok(Self(keys))
    }

    /// Whether a key has the name that a token gives.
    pub(crate) fn names(&self, kid: Option<&str>) -> bool {
        kid.is_some() && self.0.iter().any(|key| key.kid.as_deref() == kid)
    }

    /// The one key of the algorithm that fits a token: the key that it names; a key without a name if it names none of
    /// the set; any key if it gives no name (RFC 7515, section 4.1.4).
    ///
    /// # Errors
    /// [`SignInError::IdTokenRefused`] if no key fits, or more than one.
    pub(crate) fn find(&self, kid: Option<&str>, algorithm: Algorithm) -> Result<&DecodingKey, SignInError> {
        let is_named = self.names(kid);
        let fits = |key: &&SigningKey| match (kid, &key.kid) {
            (Some(_), _) if is_named => key.kid.as_deref() == kid,
            (Some(_), given) => given.is_none(),
            (None, _) => true,
        };
        let mut fitting = self.0.iter().filter(|key| key.algorithm == algorithm).filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(&only.key),
            (Some(_), Some(_)) => Err(SignInError::IdTokenRefused(
                "several keys of the provider fit it: the provider must name its keys, and one of them in the token",
            )),
            (None, _) => {
                Err(SignInError::IdTokenRefused("it names no key of the provider, or one of another algorithm"))
            }
        }
    }
}

impl SigningKey {
    fn read(value: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        let (algorithm, name) = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
            AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
                (Algorithm::ES256, KeyAlgorithm::ES256)
            }
            _ => return None,
        };
        let common = &jwk.common;
        let signs = common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature)
            && common.key_operations.as_ref().is_none_or(|all| all.contains(&KeyOperations::Verify))
            && common.key_algorithm.is_none_or(|said| said == name);
        let key = DecodingKey::from_jwk(&jwk).ok().filter(|_| signs)?;
        Some(Self { kid: common.key_id.clone(), algorithm, key })
    }
}
