//! The digest of a text for keys and fingerprints.

use sha2::{Digest, Sha256};

/// Lower-case hex of SHA-256: 64 digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lower-case hex of SHA-256 of texts in order. Each is preceded by its length, so no two lists of texts are one.
#[must_use]
pub fn sha256_hex_of_parts(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
