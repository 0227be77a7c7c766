//! A secret of an invitation or of a sign-in: 256 random bits as text. Only its hash is stored.

use std::fmt;

use crate::clock::Runtime;
use crate::digest::sha256_hex;

/// Hexadecimal digits of a token.
const DIGITS: usize = 64;

/// A secret that its holder shows to be let in.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(…)")
    }
}

impl SecretToken {
    /// A new one.
    ///
    /// # Errors
    /// An internal error if the system has no random bytes.
    pub fn generate(runtime: &Runtime) -> crate::Result<Self> {
        Ok(Self(runtime.bytes::<32>()?.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Reads one; `None` unless it has the one form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == DIGITS && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// The hash by which it is stored and found: lower-case hex of SHA-256.
    #[must_use]
    pub fn hash(&self) -> String {
        sha256_hex(self.0.as_bytes())
    }

    /// The secret itself, for the one answer that shows it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_in_its_one_form_and_is_shown_by_nothing_else() {
        let token = SecretToken::generate(&Runtime::system()).unwrap();
        assert_eq!(SecretToken::parse(token.expose()), Some(token.clone()));
        assert_ne!(SecretToken::generate(&Runtime::system()).unwrap(), token);
        assert!(!format!("{token:?}").contains(token.expose()) && !token.hash().contains(token.expose()));
        for bad in ["", &token.expose()[1..], &token.expose().to_uppercase(), &format!("{}0", token.expose())] {
            assert!(bad == token.expose() || SecretToken::parse(bad).is_none(), "{bad}");
        }
    }
}
