//! DynamoDB: the embedded twin on loopback, or a server elsewhere, behind the SDK that ships.

mod stream_records;
mod twin;

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region, SharedHttpClient};

pub(crate) use stream_records::StreamRecords;
pub(crate) use twin::Twin;

/// Puts something between the SDK and the wire, such as faults of a test.
pub type WrapHttpClient = Box<dyn FnOnce(SharedHttpClient) -> SharedHttpClient + Send>;

/// A client of the DynamoDB protocol at `url`.
///
/// Plain HTTP gets a connector without TLS: no root certificates are read, which is most of a start. Credentials come
/// from the environment where it has them, for a server that checks them; the embedded one wants any.
pub(crate) fn client(url: &str, wrap: Option<WrapHttpClient>) -> aws_sdk_dynamodb::Client {
    let plain = url.starts_with("http://").then(|| aws_smithy_http_client::Builder::new().build_http());
    let http = match (plain, wrap) {
        (Some(plain), Some(wrap)) => Some(wrap(plain)),
        (plain, _) => plain,
    };
    let mut config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(from_env("AWS_REGION").unwrap_or_else(|| "eu-west-1".into())))
        .credentials_provider(credentials())
        .endpoint_url(url);
    config.set_http_client(http);
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

fn credentials() -> Credentials {
    match (from_env("AWS_ACCESS_KEY_ID"), from_env("AWS_SECRET_ACCESS_KEY")) {
        (Some(id), Some(secret)) => Credentials::new(id, secret, from_env("AWS_SESSION_TOKEN"), None, "environment"),
        _ => Credentials::new("local", "local", None, None, "local"),
    }
}

fn from_env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
