//! The configuration of a local run: the functions' variables, with defaults for a laptop.

use std::io;
use std::path::Path;

use aws::config::{Config, DeskProvider, DeskTokenKey, WidgetKeySet};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Secret;
use domain::clock::Runtime;

use crate::data_dir::{DataDir, write_private};
use crate::{Embeddings, StartError, widget_key_file};

/// Reads the environment, with the defaults of a local run.
///
/// The search endpoint comes from the command line only, and the queues are created at startup: a variable left over
/// from another tool never points a local run at real services.
pub(crate) fn read(
    data: &DataDir,
    opensearch_url: Option<&str>,
    embeddings: Option<&Embeddings>,
    runtime: &Runtime,
) -> Result<Config, StartError> {
    let keys = widget_token_keys(&data.widget_token_key(), runtime)?;
    let secrets = secrets_key(&data.secrets_key(), runtime)?;
    let desk_token = desk_token_key(&data.desk_token_key(), runtime)?;
    let lookup = |name: &str| match name {
        "SEARCH_ENDPOINT" => opensearch_url.map(str::to_owned),
        "EMBEDDING_PROVIDER" if embeddings.is_some() => Some("openai".into()),
        "EMBEDDING_MODEL_ID" | "EMBEDDING_BASE_URL" if embeddings.is_some() => embeddings.map(|given| match name {
            "EMBEDDING_MODEL_ID" => given.model_id.clone(),
            _ => given.base_url.clone(),
        }),
        "WIDGET_TOKEN_KEYS" => Some(keys.to_pairs().expose().to_owned()),
        "SECRETS_KEY" => Some(secrets.clone()),
        "DESK_TOKEN_KEY" => Some(desk_token.clone()),
        "WIDGET_TOKEN_SECRET_ARN"
        | "DESK_TOKEN_SECRET_ARN"
        | "DESK_CLIENT_SECRET_ARN"
        | "DISTRIBUTION_SECRET_ARN"
        | "EMBEDDING_API_KEY_ARN"
        | "SECRETS_KMS_KEY_ARN"
        | "DESK_URL"
        | "DESK_ISSUER"
        | "DESK_CLIENT_ID"
        | "DESK_CLIENT_SECRET"
        | "WEBHOOK_QUEUE_URL"
        | "INGEST_QUEUE_URL"
        | "EMBEDDING_QUEUE_URL" => None,
        _ => from_env(name).or_else(|| default(name)),
    };
    Config::from_vars(lookup).map_err(|e| StartError::Config(e.to_string()))
}

/// A provider of sign-ins, with what only the environment says of it.
pub(crate) fn desk_provider(issuer: String, client_id: String) -> Result<DeskProvider, StartError> {
    let auth_time_is_iat = match from_env("DESK_AUTH_TIME").as_deref() {
        None | Some("claim") => false,
        Some("iat") => true,
        Some(_) => return Err(StartError::Config("DESK_AUTH_TIME must be claim or iat.".into())),
    };
    let client_secret = from_env("DESK_CLIENT_SECRET").map(Secret::new);
    Ok(DeskProvider { issuer, client_id, client_secret, auth_time_is_iat })
}

/// The log level: `LOG_LEVEL`, or warnings only, so that the startup banner stays visible.
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
        // Scripts and benchmarks pass.
        "RATE_LIMIT_PER_MINUTE" => Some("60000".into()),
        "OUTBOUND_ALLOW_LOOPBACK" | "OUTBOUND_ALLOW_HTTP" => Some("true".into()),
        _ => None,
    }
}

/// The keys in the data folder that sign widget tokens; they are kept over restarts.
fn widget_token_keys(path: &Path, runtime: &Runtime) -> Result<WidgetKeySet, StartError> {
    read_or_create(path, || Ok(format!("local:{}", STANDARD.encode(runtime.bytes::<32>()?))))?;
    widget_key_file::read(path).map_err(|_| StartError::KeyFile {
        path: path.to_owned(),
        expected: "a kid:base64 pair of 32 bytes, and perhaps the previous one after a comma",
        consequence: "widget tokens that were issued are refused",
    })
}

/// The key in the data folder that encrypts webhook secrets, as base64.
fn secrets_key(path: &Path, runtime: &Runtime) -> Result<String, StartError> {
    let text = read_or_create(path, || Ok(STANDARD.encode(runtime.bytes::<32>()?)))?;
    if STANDARD.decode(&text).is_ok_and(|key| key.len() == 32) {
        return Ok(text);
    }
    let consequence = "secrets of webhooks cannot be read any more: rotate each of them";
    Err(StartError::KeyFile { path: path.to_owned(), expected: "base64 of 32 bytes", consequence })
}

/// The key in the data folder that signs desk tokens, as a pair.
fn desk_token_key(path: &Path, runtime: &Runtime) -> Result<String, StartError> {
    let text = read_or_create(path, || Ok(format!("local:{}", STANDARD.encode(runtime.bytes::<32>()?))))?;
    if DeskTokenKey::parse_pair(&text).is_ok() {
        return Ok(text);
    }
    let consequence = "desk tokens that were issued are refused";
    Err(StartError::KeyFile { path: path.to_owned(), expected: "a kid:base64 pair of 32 bytes", consequence })
}

/// Reads a file that only its owner may read; creates a missing one with the result of `make`.
pub(crate) fn read_or_create(path: &Path, make: impl FnOnce() -> domain::Result<String>) -> Result<String, StartError> {
    let failed = |source| StartError::DataDir { path: path.to_owned(), source };
    match std::fs::read(path) {
        // Text that is not UTF-8 is no valid key: the caller refuses it.
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim().to_owned()),
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
    use aws::config::SecretsKey;

    use super::*;

    #[test]
    fn receivers_and_pages_of_this_machine_are_allowed_here() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(dir.path()).unwrap();
        let outbound = read(&data, None, None, &Runtime::system()).unwrap().outbound;
        assert!(outbound.allow_loopback && outbound.allow_http);
    }

    #[test]
    fn keys_are_made_once_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(dir.path()).unwrap();
        let first = read(&data, None, None, &Runtime::system()).unwrap();
        let second = read(&data, None, None, &Runtime::system()).unwrap();
        assert!(first.widget_token_keys.is_some());
        assert!(first.widget_token_keys == second.widget_token_keys);
        assert!(matches!(first.secrets_key, SecretsKey::Local(_)) && first.secrets_key == second.secrets_key);
        assert_eq!(first.search_endpoint, None);
    }

    #[test]
    fn an_empty_or_damaged_key_file_refuses_the_start_and_is_named() {
        let good = [format!("local:{}", STANDARD.encode([1; 32])), STANDARD.encode([1; 32])];
        for (name, good, other) in [("widget-token.key", &good[0], &good[1]), ("secrets.key", &good[1], &good[0])] {
            let dir = tempfile::tempdir().unwrap();
            let data = DataDir::open(dir.path()).unwrap();
            read(&data, None, None, &Runtime::system()).unwrap();
            let file = dir.path().join(name);
            for bad in ["", " \n", "hunter2", other.as_str(), &good[..20], &format!("{good}{good}")] {
                std::fs::write(&file, bad).unwrap();
                let refusal = read(&data, None, None, &Runtime::system()).unwrap_err().to_string();
                assert!(refusal.contains(name) && refusal.contains("empty or damaged"), "{refusal}");
                assert!(bad.trim().is_empty() || !refusal.contains(bad), "{refusal} shows the content");
                assert_eq!(std::fs::read_to_string(&file).unwrap(), bad, "the file stays as it is");
            }
            std::fs::write(&file, [0xff, 0xfe]).unwrap();
            assert!(read(&data, None, None, &Runtime::system()).unwrap_err().to_string().contains(name));
            std::fs::write(&file, format!("{good}\n")).unwrap();
            read(&data, None, None, &Runtime::system()).unwrap();
        }
    }
}
