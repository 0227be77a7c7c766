//! Values that are never printed, and the digests by which things are found.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// A text that neither `Debug` nor a log line shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one place that sends it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Lower-case hex of SHA-256: 64 digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Lower-case hex of SHA-256 of texts in order. Each is preceded by its length, so no two lists of texts are one.
#[must_use]
pub fn sha256_hex_of_parts(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hex::encode(hash.finalize())
}

/// Lower-case hex of HMAC-SHA-256 (RFC 2104): what nobody without `key` can compute.
#[must_use]
pub fn hmac_sha256_hex(key: &[u8], message: &[u8]) -> String {
    // A key may have any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return sha256_hex(message) };
    mac.update(message);
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parts_with_the_same_text_have_another_digest() {
        let lists: [&[&str]; 6] = [&["a", "b"], &["ab"], &["", "ab"], &["ab", ""], &["a\0b"], &[]];
        let digests: std::collections::BTreeSet<_> = lists.iter().map(|parts| sha256_hex_of_parts(parts)).collect();
        assert_eq!(digests.len(), lists.len());
    }
}
