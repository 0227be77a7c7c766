//! The key that signs desk tokens, as the one function knows it that may read it. It reads the key again when it is old,
//! and when its public key was ended: so a rotation is known to every process within minutes.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use tokio::sync::Mutex;

use crate::config::DeskTokenKey;
use domain::models::Timestamp;
use domain::{Error, Result};

/// How old the key may be, in milliseconds.
const MAX_AGE_MS: i64 = 5 * 60_000;
/// How far apart two readings are at least, in milliseconds.
const MIN_INTERVAL_MS: i64 = 5_000;

/// Where the key is kept.
#[async_trait]
pub trait DeskKeySource: fmt::Debug + Send + Sync {
    /// Reads it.
    async fn read(&self) -> Result<DeskTokenKey>;
}

/// A key, ready to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskSigningKey {
    /// Its name in the token's header.
    pub kid: String,
    /// The private key in PKCS #8.
    pub pkcs8: Vec<u8>,
    /// The public key, an uncompressed point of 65 bytes.
    pub public_key: Vec<u8>,
}

impl DeskSigningKey {
    /// The key of a number.
    ///
    /// # Errors
    /// An internal error if the number is none of P-256, which a random one is not once in four billion times.
    pub fn new(key: &DeskTokenKey) -> Result<Self> {
        let pkcs8 = key.to_pkcs8();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &pkcs8)
            .map_err(|_| Error::internal("the key of desk tokens is no key of P-256; make another one"))?;
        Ok(Self { kid: key.kid.clone(), pkcs8, public_key: pair.public_key().as_ref().to_vec() })
    }
}

/// The key of desk tokens. Cheap to clone.
#[derive(Debug, Clone)]
pub struct DeskKeys(Arc<Mutex<Known>>);

#[derive(Debug)]
struct Known {
    key: Arc<DeskSigningKey>,
    source: Option<Arc<dyn DeskKeySource>>,
    read_at: Timestamp,
    tried_at: Timestamp,
}

impl DeskKeys {
    /// Starts with `key`, which was read at `read_at`; without a source it never changes.
    ///
    /// # Errors
    /// As those of [`DeskSigningKey::new`].
    pub fn new(key: &DeskTokenKey, read_at: Timestamp, source: Option<Arc<dyn DeskKeySource>>) -> Result<Self> {
        let key = Arc::new(DeskSigningKey::new(key)?);
        Ok(Self(Arc::new(Mutex::new(Known { key, source, read_at, tried_at: read_at }))))
    }

    /// The key that signs now; it is read again if it is old, or is not `wanted`. If that fails, the known one is
    /// returned.
    pub async fn for_signing(&self, now: Timestamp, wanted: impl Fn(&DeskSigningKey) -> bool) -> Arc<DeskSigningKey> {
        let mut known = self.0.lock().await;
        let is_recent = |at: Timestamp, ms: i64| (0..ms).contains(&now.millis_since(at));
        let is_fine = is_recent(known.read_at, MAX_AGE_MS) && wanted(&known.key);
        let Some(source) = known.source.clone().filter(|_| !is_fine) else { return Arc::clone(&known.key) };
        let is_first = known.tried_at == known.read_at && !is_recent(known.read_at, MIN_INTERVAL_MS);
        if is_first || !is_recent(known.tried_at, MIN_INTERVAL_MS) {
            known.tried_at = now;
            match source.read().await.and_then(|key| DeskSigningKey::new(&key)) {
                Ok(key) => (known.key, known.read_at) = (Arc::new(key), now),
                Err(error) => tracing::warn!(
                    error = %error,
                    "failed to read the key of desk tokens again; the known key stays in use"
                ),
            }
        }
        Arc::clone(&known.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::clock::Runtime;

    #[test]
    fn a_random_number_is_a_key_whose_public_key_is_a_point() {
        let key = DeskTokenKey::generate(&Runtime::system()).unwrap();
        let signing = DeskSigningKey::new(&key).unwrap();
        assert_eq!((signing.public_key.len(), signing.public_key[0]), (65, 4));
        let zero = DeskTokenKey::parse(&format!(r#"{{"kid":"d0","secret":"{}"}}"#, "0".repeat(64))).unwrap();
        assert!(DeskSigningKey::new(&zero).is_err());
    }
}
