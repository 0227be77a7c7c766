//! Values that are never printed.

use std::fmt;

use super::error::ConfigError;

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

/// One key that signs widget tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct WidgetTokenKey {
    /// Its name in the token's header.
    pub kid: String,
    /// 32 bytes.
    pub secret: Vec<u8>,
}

impl fmt::Debug for WidgetTokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WidgetTokenKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// Bytes of a key.
pub(super) const KEY_BYTES: usize = 32;

/// The form of a `kid`: 1-32 of `[A-Za-z0-9_-]`, because it is in a header that anybody can read.
pub(super) fn is_kid(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKeys {
    kid: String,
    secret: String,
    previous_kid: Option<String>,
    previous_secret: Option<String>,
}

/// Parses the widget token secret as Secrets Manager stores it: `{"kid", "secret", "previousKid"?, "previousSecret"?}`,
/// each secret 64 hexadecimal digits, because CloudFormation can generate that.
///
/// # Errors
/// A message without any of the content.
pub fn parse_widget_token_secret(text: &str) -> Result<Vec<WidgetTokenKey>, ConfigError> {
    let refuse = || ConfigError("The secret of WIDGET_TOKEN_SECRET_ARN is not a pair of kid and 64 hex digits.".into());
    let stored: StoredKeys = serde_json::from_str(text).map_err(|_| refuse())?;
    let mut keys = vec![from_hex(stored.kid, &stored.secret).ok_or_else(refuse)?];
    match (stored.previous_kid, stored.previous_secret) {
        (None, None) => {}
        (Some(kid), Some(secret)) => keys.push(from_hex(kid, &secret).ok_or_else(refuse)?),
        _ => return Err(refuse()),
    }
    distinct(keys).ok_or_else(refuse)
}

/// The keys, unless two share a name.
pub(super) fn distinct(keys: Vec<WidgetTokenKey>) -> Option<Vec<WidgetTokenKey>> {
    let repeated = keys.iter().enumerate().any(|(at, key)| keys.iter().skip(at + 1).any(|other| other.kid == key.kid));
    (!repeated).then_some(keys)
}

fn from_hex(kid: String, hex: &str) -> Option<WidgetTokenKey> {
    if !is_kid(&kid) || hex.len() != 2 * KEY_BYTES || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let pair = |at: usize| hex.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    let secret: Vec<u8> = (0..hex.len()).step_by(2).map_while(pair).collect();
    (secret.len() == KEY_BYTES).then_some(WidgetTokenKey { kid, secret })
}
