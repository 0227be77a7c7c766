//! Configuration from the environment, read once; whatever is wrong refuses the start with a sentence.

use std::fmt;

/// What a function needs to know. [`Config::from_env`] documents each variable.
#[derive(Clone)]
pub struct Config {
    /// `TABLE_NAME`.
    pub table_name: String,
    /// `WIDGET_TOKEN_KEYS`: `kid:base64` pairs separated by commas, the first one signs; at most two.
    pub widget_token_keys: Vec<WidgetTokenKey>,
    /// `WIDGET_TOKEN_ISSUER`, default `support-assistant`.
    pub widget_token_issuer: String,
    /// `REQUEST_TIMEOUT_MS`, default 25000: the deadline that every request is held to.
    pub request_timeout_ms: u64,
    /// `MODEL_TIMEOUT_MS`, default 12000.
    pub model_timeout_ms: u64,
    /// `SERVICE_VERSION`, default the crate's.
    pub version: String,
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

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("table_name", &self.table_name)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
