//! The provider's public keys (RFC 7517): those that can sign an ID token here.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

use crate::error::SignInError;

/// Keys of a set; providers publish two to five.
const MAX_KEYS: usize = 100;

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
