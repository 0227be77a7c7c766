//! Values that are never printed.

use std::fmt;

use domain::Secret;
use domain::models::Timestamp;

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

/// The signing keys of widget tokens, and how far their rotation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetKeySet {
    /// Signs.
    pub current: WidgetTokenKey,
    /// Will sign, once every process knows it.
    pub next: Option<WidgetTokenKey>,
    /// Signed before.
    pub previous: Option<WidgetTokenKey>,
    /// When the set was last changed.
    pub changed_at: Option<Timestamp>,
}

impl WidgetKeySet {
    /// All keys, the signing one first.
    #[must_use]
    pub fn keys(&self) -> Vec<WidgetTokenKey> {
        [Some(&self.current), self.next.as_ref(), self.previous.as_ref()].into_iter().flatten().cloned().collect()
    }

    /// Parses the widget token secret as Secrets Manager stores it: `{"kid", "secret", "nextKid"?, "nextSecret"?,
    /// "previousKid"?, "previousSecret"?, "changedAt"?}`, each secret 64 hexadecimal digits, because CloudFormation can
    /// generate that.
    ///
    /// # Errors
    /// A message without any of the content.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let refuse =
            || ConfigError("The secret of WIDGET_TOKEN_SECRET_ARN is not a pair of kid and 64 hex digits.".into());
        let stored: StoredKeys = serde_json::from_str(text).map_err(|_| refuse())?;
        let pair = |kid: Option<String>, secret: Option<String>| match (kid, secret) {
            (None, None) => Ok(None),
            (Some(kid), Some(secret)) => from_hex(kid, &secret).map(Some).ok_or_else(refuse),
            _ => Err(refuse()),
        };
        let set = Self {
            current: from_hex(stored.kid, &stored.secret).ok_or_else(refuse)?,
            next: pair(stored.next_kid, stored.next_secret)?,
            previous: pair(stored.previous_kid, stored.previous_secret)?,
            changed_at: stored.changed_at,
        };
        distinct(set.keys()).map(|_| set).ok_or_else(refuse)
    }

    /// The secret as [`Self::parse`] reads it.
    #[must_use]
    pub fn to_secret(&self) -> Secret {
        let hex = |key: &WidgetTokenKey| key.secret.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let kid = |key: &Option<WidgetTokenKey>| key.as_ref().map(|key| key.kid.clone());
        let stored = StoredKeys {
            kid: self.current.kid.clone(),
            secret: hex(&self.current),
            next_kid: kid(&self.next),
            next_secret: self.next.as_ref().map(hex),
            previous_kid: kid(&self.previous),
            previous_secret: self.previous.as_ref().map(hex),
            changed_at: self.changed_at,
        };
        // Texts only: there is nothing in it that JSON cannot hold.
        Secret::new(serde_json::to_string(&stored).unwrap_or_default())
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKeys {
    kid: String,
    secret: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_kid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_kid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed_at: Option<Timestamp>,
}

/// Parses the widget token secret: the keys, the signing one first.
///
/// # Errors
/// As those of [`WidgetKeySet::parse`].
pub fn parse_widget_token_secret(text: &str) -> Result<Vec<WidgetTokenKey>, ConfigError> {
    WidgetKeySet::parse(text).map(|set| set.keys())
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
