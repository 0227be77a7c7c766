//! Envelope encryption of secrets that must be read again.
//!
//! Every secret has a data key of its own (AES-256-GCM). The data key is stored next to it, encrypted by a
//! [`MasterKeyProvider`] key: a KMS key on AWS, a file of mode 0600 in the data folder locally. The owner of a secret
//! is bound into both, so that a copy of it elsewhere in the table cannot be decrypted.

mod envelope;
mod master;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use domain::Result;
use domain::Secret;
use domain::clock::Runtime;
use domain::models::{EncryptedSecret, Timestamp};
use envelope::{DataKey, Envelope};
pub use master::MasterKeyProvider;

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
