//! The digest of a text for keys and fingerprints.

use sha2::{Digest, Sha256};

/// Lower-case hex of SHA-256: 64 digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
