//! API keys: `pk_(live|test)_`, 30 base62 characters (178 bits), and 6 of the CRC-32 of everything before, so that an
//! invalid key is refused without a database read. Only the SHA-256 of a key is stored; the key is shown once.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Secret;
use crate::clock::Runtime;
use crate::models::{ApiKeyId, Mode, Role, Scope, Timestamp};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;

/// A raw key that is well formed; whether anybody has it is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    raw: Secret,
    mode: Mode,
}

impl ApiKey {
    /// A new key.
    pub fn generate(runtime: &Runtime, mode: Mode) -> crate::Result<Self> {
        let mut raw = format!("pk_{mode}_");
        let mut left = RANDOM_CHARS;
        while left > 0 {
            // 248 is the largest multiple of 62 in a byte: above it, a remainder would favour some characters.
            for byte in runtime.bytes::<32>()?.into_iter().filter(|byte| *byte < 248).take(left) {
                raw.push(digit(u32::from(byte)));
                left -= 1;
            }
        }
        let checksum = base62(crc32fast::hash(raw.as_bytes()));
        raw.push_str(&checksum);
        Ok(Self { raw: Secret::new(raw), mode })
    }

    /// Reads a key; `None` unless prefix, length, alphabet and checksum are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mode = [Mode::Live, Mode::Test].into_iter().find(|mode| text.starts_with(&format!("pk_{mode}_")))?;
        let body = text.get("pk_live_".len()..)?;
        let sound = body.len() == RANDOM_CHARS + CHECKSUM_CHARS && body.bytes().all(|b| b.is_ascii_alphanumeric());
        let (signed, claimed) = text.split_at_checked(text.len().checked_sub(CHECKSUM_CHARS)?)?;
        (sound && base62(crc32fast::hash(signed.as_bytes())) == claimed)
            .then(|| Self { raw: Secret::new(text.to_owned()), mode })
    }

    /// Which half of a tenant's data the key opens.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The hash by which the key is stored and found.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.expose().as_bytes()).into())
    }

    /// The part by which people recognise the key: `pk_live_` and four characters.
    #[must_use]
    pub fn prefix(&self) -> String {
        self.expose().chars().take("pk_live_".len() + 4).collect()
    }

    /// The key itself, for the one answer that shows it.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.raw.expose()
    }
}

fn digit(value: u32) -> char {
    let index = usize::try_from(value % 62).unwrap_or(0);
    ALPHABET.get(index).map_or('0', |byte| char::from(*byte))
}

/// A CRC-32 (ISO-HDLC) as six base62 digits.
fn base62(mut value: u32) -> String {
    let mut digits = ['0'; CHECKSUM_CHARS];
    for place in digits.iter_mut().rev() {
        *place = digit(value);
        value /= 62;
    }
    digits.iter().collect()
}

/// The SHA-256 of a raw key; compared in constant time only.
#[derive(Debug, Clone, Copy)]
pub struct KeyHash([u8; 32]);

impl KeyHash {
    /// Lower-case hex.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Whether `hex` is this hash, in constant time.
    #[must_use]
    pub fn is(&self, hex: &str) -> bool {
        self.to_hex().as_bytes().ct_eq(hex.as_bytes()).into()
    }
}

/// The stored form of an API key; the raw key is not stored.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyRecord {
    /// Its public name.
    pub key_id: ApiKeyId,
    /// The tenant that it opens, and the mode.
    #[serde(flatten)]
    pub scope: Scope,
    /// For people.
    pub name: String,
    /// The role of the key.
    pub role: Role,
    /// `pk_live_` and the first four characters after it.
    pub prefix: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The maker: a key, a member, or `operator`; none if an earlier release did not store it.
    pub created_by: Option<String>,
    /// From this moment on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: &str = "pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO";
    const TEST: &str = "pk_test_abcdefghijklmnopqrstuvwxyzABCD1HAZOP";

    #[test]
    fn the_contracts_keys_are_read_and_hashed() {
        let live = ApiKey::parse(LIVE).unwrap();
        assert_eq!((live.mode(), live.prefix().as_str(), live.expose()), (Mode::Live, "pk_live_abcd", LIVE));
        assert_eq!(live.hash().to_hex(), "2c65890fe2938759dcd69fe5e835c92ab3d9a4af63c92c1e4b1a91b942dd4ef8");
        let test = ApiKey::parse(TEST).unwrap();
        assert_eq!(test.mode(), Mode::Test);
        assert_eq!(test.hash().to_hex(), "2bb20f7fb262747f170e2579067998edf275509f90d105bb8cbb8f9653476a02");
        assert_eq!(base62(u32::MAX), "4gfFC3");
    }

    #[test]
    fn whatever_differs_by_a_character_is_no_key() {
        for (i, old) in LIVE.char_indices() {
            for new in ['0', 'z', '_', '\0', 'é'] {
                let changed: String = LIVE.char_indices().map(|(j, c)| if i == j { new } else { c }).collect();
                assert!(new == old || ApiKey::parse(&changed).is_none(), "{changed}");
            }
        }
        let longer = format!("{LIVE}0");
        for bad in [
            "",
            "pk_live_",
            "pk_",
            &LIVE[1..],
            &LIVE[..LIVE.len() - 1],
            &longer,
            "pk_prod_abcdefghijklmnopqrstuvwxyzABCD3AEZJO",
        ] {
            assert!(ApiKey::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_new_key_reads_back_and_is_shown_by_nothing_else() {
        let runtime = Runtime::system();
        let key = ApiKey::generate(&runtime, Mode::Test).unwrap();
        assert_eq!(ApiKey::parse(key.expose()), Some(key.clone()));
        assert_ne!(ApiKey::generate(&runtime, Mode::Test).unwrap(), key);
        assert!(!format!("{key:?}").contains(key.expose()));
        assert!(key.hash().is(&key.hash().to_hex()));
        assert!(!key.hash().is("") && !key.hash().is(&ApiKey::parse(LIVE).unwrap().hash().to_hex()));
    }
}
