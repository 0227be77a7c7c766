//! Envelope encryption of secrets that must be read again.
//!
//! Every secret has a data key of its own (AES-256-GCM). The data key is stored next to it, encrypted by a
//! [`MasterKeyProvider`] key: a KMS key on AWS, a file of mode 0600 in the data folder locally. The owner of a secret
//! is bound into both, so that a copy of it elsewhere in the table cannot be decrypted. The stored form is version,
//! wrapped data key, nonce, and ciphertext with its tag, in base64.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_sdk_kms::Client;
use aws_sdk_kms::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kms::operation::decrypt::DecryptError;
use aws_sdk_kms::primitives::Blob;
use aws_sdk_kms::types::DataKeySpec;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::sdk;
use domain::clock::Runtime;
use domain::models::{EncryptedSecret, Timestamp};
use domain::{Error, Result, Secret};

/// How many data keys are remembered after they were opened.
const DATA_KEY_CACHE_SIZE: usize = 256;

/// For how long, in milliseconds.
const DATA_KEY_CACHE_MS: i64 = 5 * 60_000;

/// Data keys by their wrapped form, and how long each is remembered.
type DataKeyCache = HashMap<Vec<u8>, (DataKey, Timestamp)>;

/// Seals and opens secrets; cheap to clone.
#[derive(Clone)]
pub struct Cipher {
    master: MasterKeyProvider,
    runtime: Runtime,
    opened: Arc<Mutex<DataKeyCache>>,
}

impl Cipher {
    /// One whose data keys `master` keeps.
    #[must_use]
    pub fn new(master: MasterKeyProvider, runtime: Runtime) -> Self {
        Self { master, runtime, opened: Arc::default() }
    }

    /// Encrypts `secret`, which belongs to `owner` alone.
    ///
    /// # Errors
    /// 503 while the master key cannot be asked.
    pub async fn seal(&self, owner: &str, secret: &Secret) -> Result<EncryptedSecret> {
        let (key, wrapped) = self.master.data_key(owner, &self.runtime).await?;
        Ok(Envelope::seal(&key, wrapped, owner, secret.expose().as_bytes(), &self.runtime)?.to_encrypted())
    }

    /// Decrypts what was sealed for `owner`; `None` when that can never succeed: the secret is damaged, belongs to
    /// another owner, or was sealed with a master key that has been replaced or deleted.
    ///
    /// # Errors
    /// 503 while the master key cannot be asked.
    pub async fn open(&self, owner: &str, sealed: &EncryptedSecret) -> Result<Option<Secret>> {
        let Some(envelope) = Envelope::parse(sealed) else { return Ok(None) };
        let Some(key) = self.data_key(owner, envelope.wrapped_key()).await? else { return Ok(None) };
        let plain = envelope.open(&key, owner)?;
        Ok(plain.and_then(|plain| String::from_utf8(plain).ok()).map(Secret::new))
    }

    async fn data_key(&self, owner: &str, wrapped: &[u8]) -> Result<Option<DataKey>> {
        let now = self.runtime.now();
        let remembered = self.cached().get(wrapped).filter(|(_, until)| *until > now).map(|(key, _)| key.clone());
        if let Some(key) = remembered {
            return Ok(Some(key));
        }
        let Some(key) = self.master.unwrap(owner, wrapped).await? else { return Ok(None) };
        let mut opened = self.cached();
        if opened.len() >= DATA_KEY_CACHE_SIZE {
            opened.clear();
        }
        opened.insert(wrapped.to_vec(), (key.clone(), now.plus_millis(DATA_KEY_CACHE_MS)));
        Ok(Some(key))
    }

    fn cached(&self) -> std::sync::MutexGuard<'_, DataKeyCache> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cipher").field("master", &self.master).finish_non_exhaustive()
    }
}

/// The first byte of an envelope.
const VERSION: u8 = 1;

/// The key of one secret.
#[derive(Clone)]
pub(super) struct DataKey([u8; 32]);

impl DataKey {
    pub(super) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) fn from_slice(bytes: &[u8]) -> Result<Self> {
        bytes.try_into().map(Self).map_err(|_| Error::internal("a data key is not of 32 bytes"))
    }

    fn cipher(&self) -> Result<LessSafeKey> {
        UnboundKey::new(&AES_256_GCM, &self.0).map(LessSafeKey::new).map_err(|_| Error::internal("no AES-256 key"))
    }

    /// Nonce and ciphertext of `plain`, bound to `owner`.
    fn encrypt(&self, owner: &str, plain: &[u8], runtime: &Runtime) -> Result<Vec<u8>> {
        let nonce = runtime.bytes::<NONCE_LEN>()?;
        let mut text = plain.to_vec();
        let key = self.cipher()?;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(owner.as_bytes()), &mut text)
            .map_err(|_| Error::internal("a secret could not be encrypted"))?;
        Ok([nonce.as_slice(), text.as_slice()].concat())
    }

    /// The plaintext that [`DataKey::encrypt`] was given; `None` if this key did not encrypt it for `owner`.
    fn decrypt(&self, owner: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some((nonce, text)) = sealed.split_at_checked(NONCE_LEN) else { return Ok(None) };
        let Ok(nonce) = Nonce::try_assume_unique_for_key(nonce) else { return Ok(None) };
        let mut text = text.to_vec();
        let plain = self.cipher()?.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut text);
        Ok(plain.ok().map(|plain| plain.to_vec()))
    }
}

/// A secret as it is stored.
pub(super) struct Envelope {
    wrapped_key: Vec<u8>,
    sealed: Vec<u8>,
}

impl Envelope {
    fn seal(key: &DataKey, wrapped_key: Vec<u8>, owner: &str, plain: &[u8], runtime: &Runtime) -> Result<Self> {
        Ok(Self { wrapped_key, sealed: key.encrypt(owner, plain, runtime)? })
    }

    pub(super) fn open(&self, key: &DataKey, owner: &str) -> Result<Option<Vec<u8>>> {
        key.decrypt(owner, &self.sealed)
    }

    fn wrapped_key(&self) -> &[u8] {
        &self.wrapped_key
    }

    fn to_encrypted(&self) -> EncryptedSecret {
        let length = u16::try_from(self.wrapped_key.len()).unwrap_or(u16::MAX).to_be_bytes();
        let parts = [&[VERSION], length.as_slice(), &self.wrapped_key, &self.sealed];
        EncryptedSecret(STANDARD.encode(parts.concat()))
    }

    /// The parts of a stored secret; `None` for anything else.
    pub(super) fn parse(sealed: &EncryptedSecret) -> Option<Self> {
        let bytes = STANDARD.decode(&sealed.0).ok()?;
        let [VERSION, high, low, rest @ ..] = bytes.as_slice() else { return None };
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let (wrapped_key, sealed) = rest.split_at_checked(length)?;
        Some(Self { wrapped_key: wrapped_key.to_vec(), sealed: sealed.to_vec() })
    }
}

/// The name under which KMS logs whose secret a data key is of.
const CONTEXT: &str = "owner";

/// Makes data keys, and opens those it made.
#[derive(Clone)]
pub struct MasterKeyProvider(ProviderKind);

#[derive(Clone)]
enum ProviderKind {
    Local(Arc<DataKey>),
    Kms { client: Client, key: Arc<str> },
}

impl MasterKeyProvider {
    /// A key of this machine.
    #[must_use]
    pub fn local(key: [u8; 32]) -> Self {
        Self(ProviderKind::Local(Arc::new(DataKey::new(key))))
    }

    /// The KMS key `key` (its ARN).
    #[must_use]
    pub fn kms(client: Client, key: &str) -> Self {
        Self(ProviderKind::Kms { client, key: key.into() })
    }

    /// A new data key for a secret of `owner`, plain and wrapped.
    async fn data_key(&self, owner: &str, runtime: &Runtime) -> Result<(DataKey, Vec<u8>)> {
        match &self.0 {
            ProviderKind::Local(master) => {
                let key = runtime.bytes::<32>()?;
                let wrapped = master.encrypt(owner, &key, runtime)?;
                Ok((DataKey::new(key), wrapped))
            }
            ProviderKind::Kms { client, key } => {
                let request = client.generate_data_key().key_id(&**key).key_spec(DataKeySpec::Aes256);
                let answer = request.encryption_context(CONTEXT, owner).send().await.map_err(unavailable)?;
                let (plain, wrapped) = (answer.plaintext, answer.ciphertext_blob);
                let (plain, wrapped) = plain.zip(wrapped).ok_or_else(|| Error::unavailable("KMS gave no data key"))?;
                Ok((DataKey::from_slice(plain.as_ref())?, wrapped.into_inner()))
            }
        }
    }

    /// The data key behind a wrapped one of a secret of `owner`; `None` if this master key did not wrap it.
    pub(super) async fn unwrap(&self, owner: &str, wrapped: &[u8]) -> Result<Option<DataKey>> {
        match &self.0 {
            ProviderKind::Local(master) => {
                let plain = master.decrypt(owner, wrapped)?;
                Ok(plain.and_then(|plain| DataKey::from_slice(&plain).ok()))
            }
            ProviderKind::Kms { client, key } => {
                let request = client.decrypt().key_id(&**key).ciphertext_blob(Blob::new(wrapped));
                let answer = match request.encryption_context(CONTEXT, owner).send().await {
                    Ok(answer) => answer,
                    Err(error) if error.as_service_error().is_some_and(is_permanent) => {
                        tracing::error!(
                            error = sdk::describe(&error),
                            "KMS failed to decrypt a data key: check the key and its policy"
                        );
                        return Ok(None);
                    }
                    Err(error) => return Err(unavailable(error)),
                };
                let plain = answer.plaintext.ok_or_else(|| Error::unavailable("KMS opened no data key"))?;
                DataKey::from_slice(plain.as_ref()).map(Some)
            }
        }
    }
}

impl fmt::Debug for MasterKeyProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ProviderKind::Local(_) => "MasterKeyProvider::Local(…)",
            ProviderKind::Kms { .. } => "MasterKeyProvider::Kms",
        })
    }
}

/// Whether KMS will give the same answer next time: the ciphertext belongs to another key, or the key was deleted. A
/// disabled key, or one that is scheduled for deletion, can come back.
fn is_permanent(error: &DecryptError) -> bool {
    error.is_invalid_ciphertext_exception() || error.is_incorrect_key_exception() || error.is_not_found_exception()
}

fn unavailable<E: ProvideErrorMetadata + std::error::Error + 'static, R: fmt::Debug>(error: SdkError<E, R>) -> Error {
    Error::unavailable(format!("KMS: {}", sdk::describe(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cipher(byte: u8) -> Cipher {
        Cipher::new(MasterKeyProvider::local([byte; 32]), Runtime::system())
    }

    #[tokio::test]
    async fn a_secret_opens_for_its_owner_and_nobody_else() {
        let secret = Secret::new("my-plain-secret-chosen-by-user".into());
        let sealed = cipher(1).seal("acme#live#whk_1", &secret).await.unwrap();
        assert!(!sealed.0.contains("plain"));
        assert!(cipher(1).open("acme#live#whk_1", &sealed).await.unwrap() == Some(secret));
        for (byte, owner) in [(2, "acme#live#whk_1"), (1, "acme#live#whk_2"), (1, "acme#test#whk_1"), (1, "")] {
            assert!(cipher(byte).open(owner, &sealed).await.unwrap().is_none(), "{byte} {owner}");
        }
    }

    #[tokio::test]
    async fn the_same_secret_never_looks_the_same_twice() {
        let secret = Secret::new("12345678".into());
        let (one, two) = (cipher(1).seal("a", &secret).await.unwrap(), cipher(1).seal("a", &secret).await.unwrap());
        assert_ne!(one, two);
    }

    #[tokio::test]
    async fn a_damaged_secret_is_refused_at_every_byte() {
        use base64::Engine;
        use base64::engine::general_purpose::STANDARD;
        let sealed = cipher(1).seal("a", &Secret::new("12345678".into())).await.unwrap();
        let bytes = STANDARD.decode(&sealed.0).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(
                cipher(1).open("a", &EncryptedSecret(STANDARD.encode(&damaged))).await.unwrap().is_none(),
                "byte {at}"
            );
            assert!(
                cipher(1).open("a", &EncryptedSecret(STANDARD.encode(&bytes[..at]))).await.unwrap().is_none(),
                "{at} bytes"
            );
        }
    }
}
