//! The operator's configuration of the desk: its address, the identity provider of its people, and the signing key of
//! its tokens.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Secret;
use domain::clock::Runtime;

use super::vars::{ConfigError, Vars};
use super::widget_key_set::{from_hex, from_pair};

/// The one provider of sign-ins (OpenID Connect), and this service as its client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskProvider {
    /// `DESK_ISSUER`, exactly as the provider names itself.
    pub issuer: String,
    /// `DESK_CLIENT_ID`.
    pub client_id: String,
    /// `DESK_CLIENT_SECRET`, if the client has one.
    pub client_secret: Option<Secret>,
    /// `DESK_AUTH_TIME=iat`: the time of issue in the place of `auth_time` if the provider never sends it.
    pub auth_time_is_iat: bool,
}

/// The private key that signs desk tokens: the number of an ECDSA key of P-256.
#[derive(Clone, PartialEq, Eq)]
pub struct DeskTokenKey {
    /// Its name in the token's header.
    pub kid: String,
    /// 32 bytes.
    secret: [u8; 32],
}

impl fmt::Debug for DeskTokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeskTokenKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// The beginning of a key of P-256 in PKCS #8 (RFC 5208, RFC 5915), before its 32 bytes.
const PKCS8_PREFIX: [u8; 35] = [
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
];

impl DeskTokenKey {
    /// A new key, whose name tells the time.
    ///
    /// # Errors
    /// An internal error if the system has no random bytes.
    pub fn generate(runtime: &Runtime) -> domain::Result<Self> {
        Ok(Self { kid: format!("d{}", runtime.now().as_seconds()), secret: runtime.bytes()? })
    }

    /// Parses the secret as Secrets Manager stores it: `{"kid", "secret"}`, the secret 64 hexadecimal digits, because
    /// CloudFormation can generate that.
    ///
    /// # Errors
    /// A sentence without any of the content.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let stored: Option<Stored> = serde_json::from_str(text).ok();
        let key = stored.and_then(|stored| from_hex(stored.kid, &stored.secret));
        let wrong = "The secret of DESK_TOKEN_SECRET_ARN is not a pair of kid and 64 hex digits.";
        key.and_then(|key| Self::of(key.kid, &key.secret)).ok_or_else(|| ConfigError(wrong.into()))
    }

    /// The secret as [`Self::parse`] reads it.
    #[must_use]
    pub fn to_secret(&self) -> Secret {
        let secret = hex::encode(self.secret);
        // Texts only: there is nothing in it that JSON cannot hold.
        Secret::new(serde_json::to_string(&Stored { kid: self.kid.clone(), secret }).unwrap_or_default())
    }

    /// The key as [`Self::parse_pair`] reads it.
    #[must_use]
    pub fn to_pair(&self) -> Secret {
        Secret::new(format!("{}:{}", self.kid, STANDARD.encode(self.secret)))
    }

    /// Parses `kid:base64` of 32 bytes.
    ///
    /// # Errors
    /// A sentence without any of the content.
    pub fn parse_pair(text: &str) -> Result<Self, ConfigError> {
        let key = from_pair(text).and_then(|key| Self::of(key.kid, &key.secret));
        key.ok_or_else(|| ConfigError("must be kid:base64 of 32 bytes.".into()))
    }

    fn of(kid: String, secret: &[u8]) -> Option<Self> {
        Some(Self { kid, secret: secret.try_into().ok()? })
    }

    /// The key in PKCS #8, for the one place that signs.
    #[must_use]
    pub fn to_pkcs8(&self) -> Vec<u8> {
        [&PKCS8_PREFIX[..], &self.secret].concat()
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    kid: String,
    secret: String,
}

/// The provider, if one is configured. With `has_secret_arn` the client's secret is read at startup.
pub(super) fn provider(vars: &Vars<'_>) -> Result<Option<DeskProvider>, ConfigError> {
    let Some(issuer) = vars.get("DESK_ISSUER") else { return Ok(None) };
    // Checked as an address, and kept as it is written: the provider must name itself so.
    vars.endpoint("DESK_ISSUER")?;
    for needed in ["DESK_CLIENT_ID", "DESK_URL"] {
        if vars.get(needed).is_none() {
            return Err(ConfigError(format!("DESK_ISSUER needs {needed}.")));
        }
    }
    Ok(Some(DeskProvider {
        issuer,
        client_id: vars.required("DESK_CLIENT_ID")?,
        client_secret: vars.get("DESK_CLIENT_SECRET").map(Secret::new),
        auth_time_is_iat: vars.choice("DESK_AUTH_TIME", &["claim", "iat"])? == "iat",
    }))
}

/// The address of the desk, as it is written.
pub(super) fn url(vars: &Vars<'_>) -> Result<Option<String>, ConfigError> {
    let Some(url) = vars.get("DESK_URL") else { return Ok(None) };
    vars.endpoint("DESK_URL")?;
    if url.contains(['?', '#']) {
        return Err(ConfigError("DESK_URL must have neither a query nor a fragment.".into()));
    }
    Ok(Some(url))
}

/// The key of desk tokens, if a variable holds it.
pub(super) fn token_key(vars: &Vars<'_>) -> Result<Option<DeskTokenKey>, ConfigError> {
    let Some(value) = vars.get("DESK_TOKEN_KEY") else { return Ok(None) };
    let key = DeskTokenKey::parse_pair(&value);
    key.map(Some).map_err(|wrong| ConfigError(format!("DESK_TOKEN_KEY {wrong}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_from_its_secret_and_is_shown_by_nothing() {
        let key = DeskTokenKey::generate(&Runtime::system()).unwrap();
        assert_eq!(DeskTokenKey::parse(key.to_secret().expose()).unwrap(), key);
        assert_eq!(DeskTokenKey::parse_pair(key.to_pair().expose()).unwrap(), key);
        assert!(!format!("{key:?}").contains("secret"));
        for bad in ["", "{}", r#"{"kid":"d1","secret":"00"}"#, r#"{"kid":"a b","secret":""}"#] {
            assert!(DeskTokenKey::parse(bad).is_err(), "{bad}");
        }
        assert!(DeskTokenKey::parse_pair("d1:AAAA").is_err());
    }
}
