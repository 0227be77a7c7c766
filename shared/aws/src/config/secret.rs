//! Values that are never printed.

use std::fmt;

/// The key of this machine that encrypts stored secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey(pub(super) [u8; KEY_BYTES]);

impl MasterKey {
    /// The key, for the one place that encrypts with it.
    #[must_use]
    pub const fn expose(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

/// The key that keeps the keys of stored secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SecretsKey {
    /// None: the function has no business with them.
    #[default]
    None,
    /// A key of this machine.
    Local(MasterKey),
    /// A KMS key, by its ARN.
    Kms(String),
}

pub(super) const KEY_BYTES: usize = 32;
