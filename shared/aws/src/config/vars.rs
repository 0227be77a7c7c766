//! Parses single variables, and holds the keys of this machine. An error names the variable and not its value.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Why a configuration is refused: a sentence that names the variable and never its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

/// A lookup of variables.
pub(super) struct Vars<'a>(&'a dyn Fn(&str) -> Option<String>);

impl<'a> Vars<'a> {
    pub(super) fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self(lookup)
    }

    /// The value without the blanks around it; empty counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// The value with the blanks around it; empty counts as absent.
    pub(super) fn raw(&self, name: &str) -> Option<String> {
        (self.0)(name).filter(|value| !value.is_empty())
    }

    pub(super) fn required(&self, name: &str) -> Result<String, ConfigError> {
        self.get(name).ok_or_else(|| missing(name))
    }

    pub(super) fn integer(&self, name: &str, min: u64, max: u64, default: u64) -> Result<u64, ConfigError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        let number = value.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| ConfigError(format!("{name} must be a whole number of {min} to {max}.")))
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, ConfigError> {
        match self.get(name).as_deref() {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(ConfigError(format!("{name} must be true or false."))),
        }
    }

    /// One of `allowed`, whose first is the default.
    pub(super) fn choice(&self, name: &str, allowed: &[&'static str]) -> Result<&'static str, ConfigError> {
        let value = self.get(name);
        let wanted = value.as_deref().or(allowed.first().copied());
        let found = allowed.iter().copied().find(|choice| Some(*choice) == wanted);
        found.ok_or_else(|| ConfigError(format!("{name} must be one of {}.", allowed.join(", "))))
    }

    /// An `https` address, or an `http` one on a loopback host, without a slash at the end.
    pub(super) fn endpoint(&self, name: &str) -> Result<Option<String>, ConfigError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let address = value.trim_end_matches('/');
        let safe = match reqwest::Url::parse(address) {
            Ok(url) if !url.username().is_empty() || url.password().is_some() => false,
            Ok(url) => url.scheme() == "https" || (url.scheme() == "http" && is_loopback(address)),
            Err(_) => false,
        };
        if !safe {
            return Err(ConfigError(format!(
                "{name} must be an https address without a user name (http only on a loopback host)."
            )));
        }
        Ok(Some(address.to_owned()))
    }

    /// The name of a bucket.
    pub(super) fn bucket(&self, name: &str) -> Result<Option<String>, ConfigError> {
        let Some(bucket) = self.get(name) else { return Ok(None) };
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !(3..=63).contains(&bucket.len()) || !bucket.bytes().all(plain) {
            return Err(ConfigError(format!("{name} must be a bucket's name of small letters, digits and hyphens.")));
        }
        Ok(Some(bucket))
    }

    /// The ARN of a secret, which excludes the variable that would hold the secret itself.
    pub(super) fn secret_arn(&self, name: &str, plain: &str) -> Result<Option<String>, ConfigError> {
        let Some(arn) = self.get(name) else { return Ok(None) };
        if self.get(plain).is_some() {
            return Err(ConfigError(format!("{name} and {plain} exclude each other.")));
        }
        if !arn.starts_with("arn:") || !arn.contains(":secretsmanager:") {
            return Err(ConfigError(format!("{name} must be the ARN of a Secrets Manager secret.")));
        }
        Ok(Some(arn))
    }

    /// The key of stored secrets: one of this machine, or one of KMS, or none.
    pub(super) fn secrets_key(&self) -> Result<SecretsKey, ConfigError> {
        match (self.get("SECRETS_KEY"), self.get("SECRETS_KMS_KEY_ARN")) {
            (None, None) => Ok(SecretsKey::None),
            (Some(_), Some(_)) => Err(ConfigError("SECRETS_KMS_KEY_ARN and SECRETS_KEY exclude each other.".into())),
            (Some(key), None) => {
                let key = STANDARD.decode(key).ok().and_then(|key| key.try_into().ok());
                let wrong = || ConfigError(format!("SECRETS_KEY must be base64 of {KEY_BYTES} bytes."));
                key.map(|key| SecretsKey::Local(MasterKey(key))).ok_or_else(wrong)
            }
            (None, Some(arn)) if arn.starts_with("arn:") && arn.contains(":kms:") => Ok(SecretsKey::Kms(arn)),
            (None, Some(_)) => Err(ConfigError("SECRETS_KMS_KEY_ARN must be the ARN of a KMS key.".into())),
        }
    }
}

/// Whether an address stays on this machine.
pub(super) fn is_loopback(address: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(address) else { return false };
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host.parse::<std::net::Ipv4Addr>().is_ok_and(|ip| ip.is_loopback()),
        None => false,
    }
}

pub(super) fn missing(name: &str) -> ConfigError {
    ConfigError(format!("{name} is not set."))
}

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
