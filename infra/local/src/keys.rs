//! The keys in the data folder, which are made once and kept over restarts: those of widget tokens and desk tokens, which are
//! read again while the service runs, that of webhook secrets, and that of the demo's OpenID provider.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use async_trait::async_trait;
use aws::config::{DeskTokenKey, WidgetKeySet};
use aws::desk_keys::DeskKeySource;
use aws::widget_keys::WidgetKeySource;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::clock::Runtime;
use domain::models::Timestamp;
use domain::{Error, Result, Secret};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::Value;

use crate::StartError;
use crate::data_dir::write_private;

/// The keys that sign widget tokens.
pub(crate) fn widget_token_keys(path: &Path, runtime: &Runtime) -> Result<WidgetKeySet, StartError> {
    read_or_create(path, || new_pair(runtime))?;
    read_widget_keys(path).map_err(|_| StartError::KeyFile {
        path: path.to_owned(),
        expected: "a kid:base64 pair of 32 bytes, and perhaps the previous one after a comma",
        consequence: "widget tokens that were issued are refused",
    })
}

fn new_pair(runtime: &Runtime) -> Result<String> {
    Ok(format!("local:{}", STANDARD.encode(runtime.bytes::<32>()?)))
}

/// The key that encrypts webhook secrets, as base64.
pub(crate) fn secrets_key(path: &Path, runtime: &Runtime) -> Result<String, StartError> {
    let text = read_or_create(path, || Ok(STANDARD.encode(runtime.bytes::<32>()?)))?;
    if STANDARD.decode(&text).is_ok_and(|key| key.len() == 32) {
        return Ok(text);
    }
    let consequence = "secrets of webhooks cannot be read any more: rotate each of them";
    Err(StartError::KeyFile { path: path.to_owned(), expected: "base64 of 32 bytes", consequence })
}

/// The key that signs desk tokens, as a pair.
pub(crate) fn desk_token_key(path: &Path, runtime: &Runtime) -> Result<String, StartError> {
    let text = read_or_create(path, || new_pair(runtime))?;
    if DeskTokenKey::parse_pair(&text).is_ok() {
        return Ok(text);
    }
    let consequence = "desk tokens that were issued are refused";
    Err(StartError::KeyFile { path: path.to_owned(), expected: "a kid:base64 pair of 32 bytes", consequence })
}

/// Reads a file that only its owner may read; creates a missing one with the result of `make`.
fn read_or_create(path: &Path, make: impl FnOnce() -> Result<String>) -> Result<String, StartError> {
    let failed = |source| StartError::DataDir { path: path.to_owned(), source };
    match std::fs::read(path) {
        // Text that is not UTF-8 is no valid key: the caller refuses it.
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim().to_owned()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let text = make().map_err(StartError::while_doing("making a key"))?;
            write_private(path, text.as_bytes()).map_err(failed)?;
            Ok(text)
        }
        Err(e) => Err(failed(e)),
    }
}

/// The file as a source: it is read again when the keys are old, or a token names an unknown one.
#[derive(Debug)]
pub(crate) struct WidgetKeyFile(pub(crate) PathBuf);

#[async_trait]
impl WidgetKeySource for WidgetKeyFile {
    async fn read(&self) -> Result<WidgetKeySet> {
        read_widget_keys(&self.0)
    }
}

/// Reads the keys. A file of an earlier version tells no time: the last change was when it was written.
pub(crate) fn read_widget_keys(path: &Path) -> Result<WidgetKeySet> {
    let failed = |reason: String| Error::internal(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let set = WidgetKeySet::parse_pairs(&text).map_err(|e| failed(e.to_string()))?;
    Ok(WidgetKeySet { changed_at: set.changed_at.or_else(|| modified(path)), ..set })
}

fn modified(path: &Path) -> Option<Timestamp> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp::from_millis)
}

/// The file as a source: it is read again when the key is old, or was ended.
#[derive(Debug)]
pub(crate) struct DeskKeyFile(pub(crate) PathBuf);

#[async_trait]
impl DeskKeySource for DeskKeyFile {
    async fn read(&self) -> Result<DeskTokenKey> {
        let failed = |reason: String| Error::internal(format!("{}: {reason}", self.0.display()));
        let text = std::fs::read_to_string(&self.0).map_err(|e| failed(e.to_string()))?;
        DeskTokenKey::parse_pair(text.trim()).map_err(|e| failed(e.to_string()))
    }
}

/// Replaces a file of keys with their pairs.
pub(crate) fn write_pairs(path: &Path, pairs: &Secret) -> Result<()> {
    write_private(path, pairs.expose().as_bytes()).map_err(|e| Error::internal(format!("{}: {e}", path.display())))
}

/// The key with its public part.
pub(crate) struct DemoKey {
    private: EncodingKey,
    /// For the key set.
    pub(crate) public: Jwk,
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

    /// A token of these claims.
    pub(crate) fn sign(&self, claims: &Value) -> Result<String> {
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
