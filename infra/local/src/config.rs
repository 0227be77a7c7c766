//! The configuration of a local run: the functions' variables, with defaults for a laptop, and what every AWS client here
//! has: credentials, region, HTTP client.

use aws::config::{Config, DeskProvider};
use aws::sdk_error;
use aws::sdk_http::{https_client, plain_client};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::{Region, SharedHttpClient};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use domain::clock::Runtime;
use domain::{Error, Secret};

use crate::data_dir::DataDir;
use crate::keys::{desk_token_key, secrets_key, widget_token_keys};
use crate::{Embeddings, StartError};

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

/// Puts something between the SDK and the wire, such as faults of a test.
pub type WrapHttpClient = Box<dyn FnOnce(SharedHttpClient) -> SharedHttpClient + Send>;

/// A part, with what a test puts around it.
pub(crate) fn wrapped<T>(part: T, wrap: Option<impl FnOnce(T) -> T>) -> T {
    match wrap {
        Some(wrap) => wrap(part),
        None => part,
    }
}

/// Credentials of the environment, for servers that check them; any others for the embedded servers.
pub(crate) fn credentials() -> Credentials {
    match (from_env("AWS_ACCESS_KEY_ID"), from_env("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(secret)) => Credentials::new(id, secret, from_env("AWS_SESSION_TOKEN"), None, "environment"),
        _ => Credentials::new("local", "local", None, None, "local"),
    }
}

/// The region of the environment, or any.
pub(crate) fn region() -> Region {
    Region::new(from_env("AWS_REGION").unwrap_or_else(|| "eu-west-1".into()))
}

/// The HTTP client for a server at `url`; without certificates for `http://` URLs, which start faster.
pub(crate) fn http_client(url: &str, wrap: Option<WrapHttpClient>) -> SharedHttpClient {
    wrapped(if url.starts_with("http://") { plain_client() } else { https_client() }, wrap)
}

/// Maps a failed call: the server is not there, or does not understand.
pub(crate) fn failed<E, R>(call: &'static str) -> impl FnOnce(SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    move |error| Error::unavailable(format!("{call}: {}", sdk_error::describe(&error)))
}

#[cfg(test)]
mod tests {
    use aws::config::SecretsKey;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

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
