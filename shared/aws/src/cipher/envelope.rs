//! The stored form: version, wrapped data key, nonce, ciphertext with its tag, in base64.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use domain::clock::Runtime;
use domain::models::EncryptedSecret;
use domain::{Error, Result};

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
    pub(super) fn encrypt(&self, owner: &str, plain: &[u8], runtime: &Runtime) -> Result<Vec<u8>> {
        let nonce = runtime.bytes::<NONCE_LEN>()?;
        let mut text = plain.to_vec();
        let key = self.cipher()?;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(owner.as_bytes()), &mut text)
            .map_err(|_| Error::internal("a secret could not be encrypted"))?;
        Ok([nonce.as_slice(), text.as_slice()].concat())
    }

    /// The plaintext that [`DataKey::encrypt`] was given; `None` if this key did not encrypt it for `owner`.
    pub(super) fn decrypt(&self, owner: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>> {
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
    pub(super) fn seal(
        key: &DataKey,
        wrapped_key: Vec<u8>,
        owner: &str,
        plain: &[u8],
        runtime: &Runtime,
    ) -> Result<Self> {
        Ok(Self { wrapped_key, sealed: key.encrypt(owner, plain, runtime)? })
    }

    pub(super) fn open(&self, key: &DataKey, owner: &str) -> Result<Option<Vec<u8>>> {
        key.decrypt(owner, &self.sealed)
    }

    pub(super) fn wrapped_key(&self) -> &[u8] {
        &self.wrapped_key
    }

    pub(super) fn to_encrypted(&self) -> EncryptedSecret {
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
