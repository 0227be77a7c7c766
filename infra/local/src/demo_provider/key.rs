//! The key that signs ID tokens: ES256, made once and kept in the data folder.

use std::path::Path;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::{Error, Result};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::Value;

use crate::StartError;
use crate::config::read_or_create;

/// The key with its public part.
pub(crate) struct DemoKey {
    private: EncodingKey,
    public: Jwk,
    kid: String,
}

impl DemoKey {
    /// The key in a file, which is made if it is missing.
    ///
    /// # Errors
    /// The file cannot be used, or holds no key.
    pub(crate) fn read_or_create(path: &Path) -> Result<Self, StartError> {
        let text = read_or_create(path, || Ok(STANDARD.encode(new_pkcs8()?)))?;
        let key = STANDARD.decode(&text).ok().and_then(|der| Self::parse(&der));
        key.ok_or_else(|| StartError::KeyFile {
            path: path.to_owned(),
            expected: "base64 of an ES256 key as PKCS #8",
            consequence: "people of the demo sign in again",
        })
    }

    fn parse(der: &[u8]) -> Option<Self> {
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der).ok()?;
        let private = EncodingKey::from_ec_der(der);
        let mut public = Jwk::from_encoding_key(&private, Algorithm::ES256).ok()?;
        let kid = public.thumbprint(ThumbprintHash::SHA256).ok()?;
        public.common.key_id = Some(kid.clone());
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        Some(Self { private, public, kid })
    }

    /// The public part, for the key set.
    pub(super) const fn public(&self) -> &Jwk {
        &self.public
    }

    /// A token of these claims.
    pub(super) fn sign(&self, claims: &Value) -> Result<String> {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(self.kid.clone());
        encode(&header, claims, &self.private)
            .map_err(|e| Error::internal(format!("an ID token cannot be signed: {:?}", e.kind())))
    }
}

fn new_pkcs8() -> Result<Vec<u8>> {
    let failed = |_| Error::internal("an ES256 key cannot be made");
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?;
    Ok(pair.to_pkcs8v1().map_err(failed)?.as_ref().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_kept_and_a_damaged_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("demo-provider.key");
        let kid = || DemoKey::read_or_create(&path).map(|key| key.kid);
        let first = kid().unwrap();
        assert_eq!(kid().unwrap(), first);
        std::fs::write(&path, "AAAA").unwrap();
        assert!(kid().unwrap_err().to_string().contains("demo-provider.key"));
    }
}
