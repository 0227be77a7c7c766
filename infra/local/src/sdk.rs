//! The configuration of every AWS client here: credentials, endpoint, and HTTP client.

use aws::sdk_http::{https_client, plain_client};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::{Region, SharedHttpClient};

/// Puts something between the SDK and the wire, such as faults of a test.
pub type WrapHttpClient = Box<dyn FnOnce(SharedHttpClient) -> SharedHttpClient + Send>;

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
    let client = if url.starts_with("http://") { plain_client() } else { https_client() };
    match wrap {
        Some(wrap) => wrap(client),
        None => client,
    }
}

fn from_env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
