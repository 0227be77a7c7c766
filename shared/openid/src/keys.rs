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
    kid: String,
    algorithm: Algorithm,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

impl SigningKeys {
    /// Reads a set. Keys of other kinds, for other uses or without a name are passed over.
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

    /// Whether a key has this name.
    pub(crate) fn names(&self, kid: &str) -> bool {
        self.0.iter().any(|key| key.kid == kid)
    }

    /// The one key of this name and algorithm; `None` where there is none or more than one.
    pub(crate) fn find(&self, kid: &str, algorithm: Algorithm) -> Option<&DecodingKey> {
        let mut fitting = self.0.iter().filter(|key| key.kid == kid && key.algorithm == algorithm);
        let found = fitting.next()?;
        fitting.next().is_none().then_some(&found.key)
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
        let kid = common.key_id.clone().filter(|_| signs)?;
        Some(Self { kid, algorithm, key: DecodingKey::from_jwk(&jwk).ok()? })
    }
}
