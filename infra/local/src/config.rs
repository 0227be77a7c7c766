//! The configuration of a local run: the functions' own variables, with defaults for a laptop.

use std::io;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use shared::clock::Ambient;
use shared::config::Config;

use crate::StartError;
use crate::data_dir::{DataDir, write_private};

/// Reads the environment over the defaults of a local run.
///
/// The search endpoint comes from the command line alone, and the queues are made at the start, so that a variable left
/// over from another tool never points a laptop at real ones.
pub(crate) fn read(data: &DataDir, opensearch_url: Option<&str>, ambient: &Ambient) -> Result<Config, StartError> {
    let keys = widget_token_keys(&data.widget_token_key(), ambient)?;
    let secrets = secrets_key(&data.secrets_key(), ambient)?;
    let lookup = |name: &str| match name {
        "SEARCH_ENDPOINT" => opensearch_url.map(str::to_owned),
        "WIDGET_TOKEN_KEYS" => Some(keys.clone()),
        "SECRETS_KEY" => Some(secrets.clone()),
        "WIDGET_TOKEN_SECRET_ARN" | "SECRETS_KMS_KEY_ARN" | "WEBHOOK_QUEUE_URL" | "INGEST_QUEUE_URL" => None,
        _ => from_env(name).or_else(|| default(name)),
    };
    Config::from_vars(lookup).map_err(|e| StartError::Config(e.to_string()))
}

/// What to log: `LOG_LEVEL`, or warnings only, so that the start-up text stays in sight.
#[must_use]
pub fn log_level() -> String {
    from_env("LOG_LEVEL").or_else(|| default("LOG_LEVEL")).unwrap_or_default()
}

fn from_env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn default(name: &str) -> Option<String> {
    match name {
        "TABLE_NAME" => Some("support-assistant".into()),
        "LOG_LEVEL" => Some("warn".into()),
        "OUTBOUND_ALLOW_LOOPBACK" | "OUTBOUND_ALLOW_HTTP" => Some("true".into()),
        _ => None,
    }
}

/// The key in the data folder: widget tokens outlive a restart.
fn widget_token_keys(path: &Path, ambient: &Ambient) -> Result<String, StartError> {
    kept(path, || Ok(format!("local:{}", STANDARD.encode(ambient.bytes::<32>()?))))
}

/// The key in the data folder that encrypts webhook secrets, as base64.
fn secrets_key(path: &Path, ambient: &Ambient) -> Result<String, StartError> {
    kept(path, || Ok(STANDARD.encode(ambient.bytes::<32>()?)))
}

/// What a file that only its owner may read holds, made by `make` where there is none.
fn kept(path: &Path, make: impl FnOnce() -> shared::Result<String>) -> Result<String, StartError> {
    let failed = |source| StartError::DataDir { path: path.to_owned(), source };
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.trim().to_owned()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let text = make().map_err(StartError::while_doing("making a key"))?;
            write_private(path, text.as_bytes()).map_err(failed)?;
            Ok(text)
        }
        Err(e) => Err(failed(e)),
    }
}

#[cfg(test)]
mod tests {
    use shared::config::SecretsKey;

    use super::*;

    #[test]
    fn receivers_and_pages_of_this_machine_are_allowed_here() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::take(dir.path()).unwrap();
        let outbound = read(&data, None, &Ambient::system()).unwrap().outbound;
        assert!(outbound.allow_loopback && outbound.allow_http);
    }

    #[test]
    fn keys_are_made_once_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::take(dir.path()).unwrap();
        let first = read(&data, None, &Ambient::system()).unwrap();
        let second = read(&data, None, &Ambient::system()).unwrap();
        assert_eq!(first.widget_token_keys.len(), 1);
        assert!(first.widget_token_keys == second.widget_token_keys);
        assert!(matches!(first.secrets_key, SecretsKey::Local(_)) && first.secrets_key == second.secrets_key);
        assert_eq!(first.search_endpoint, None);
    }
}
