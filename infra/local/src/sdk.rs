//! The configuration of every AWS client here: credentials, endpoint, and HTTP client.

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::{Region, SharedHttpClient};

/// Puts something between the SDK and the wire, such as faults of a test.
pub type WrapHttpClient = Box<dyn FnOnce(SharedHttpClient) -> SharedHttpClient + Send>;

/// Credentials from the environment where it has them, for a server that checks them; the embedded ones want any.
pub(crate) fn credentials() -> Credentials {
    match (from_env("AWS_ACCESS_KEY_ID"), from_env("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(secret)) => Credentials::new(id, secret, from_env("AWS_SESSION_TOKEN"), None, "environment"),
        _ => Credentials::new("local", "local", None, None, "local"),
    }
}

/// The environment's region, or any.
pub(crate) fn region() -> Region {
    Region::new(from_env("AWS_REGION").unwrap_or_else(|| "eu-west-1".into()))
}

/// Plain HTTP gets a connector without TLS: no root certificates are read, which is most of a start. Nothing for
/// `https://`, where the SDK's own is used.
pub(crate) fn http_client(url: &str, wrap: Option<WrapHttpClient>) -> Option<SharedHttpClient> {
    let plain = url.starts_with("http://").then(|| aws_smithy_http_client::Builder::new().build_http())?;
    Some(match wrap {
        Some(wrap) => wrap(plain),
        None => plain,
    })
}

fn from_env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
