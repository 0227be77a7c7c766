//! Why a configuration is refused.

/// Why a configuration is refused: a sentence that names the variable and never its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);
