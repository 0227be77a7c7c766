//! What all SDK clients share: their configuration, their retries, their HTTP client, and what is logged of a failed
//! call.
//!
//! `aws_config`'s own loader also knows profiles, containers, STS and single sign-on, none of which a function has;
//! they would be linked. One `reqwest` client sends for all, so that a process loads root certificates once, has one
//! pool of connections, and links one HTTP stack (no HTTP/2, which no service here needs).

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

use crate::http_client::{builder, connection_broke};

/// The configuration with the region, the credentials and the endpoints (`AWS_ENDPOINT_URL`,
/// `AWS_ENDPOINT_URL_<SERVICE>`) of the environment.
#[must_use]
pub fn sdk_config() -> SdkConfig {
    let mut config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
        .http_client(https_client())
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
        .time_source(SharedTimeSource::new(SystemTimeSource::new()))
        .retry_config(retry())
        .service_config(Environment);
    config.set_region(variable("AWS_REGION").map(Region::new));
    config.set_endpoint_url(variable("AWS_ENDPOINT_URL"));
    config.build()
}

/// Settings of single services in the environment.
#[derive(Debug)]
struct Environment;

impl LoadServiceConfig for Environment {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        variable(&service_variable(key.env(), key.service_id()))
    }
}

/// The variable that sets `variable` for one service: `AWS_ENDPOINT_URL_SECRETS_MANAGER`.
fn service_variable(variable: &str, service_id: &str) -> String {
    format!("{variable}_{}", service_id.to_uppercase().replace(' ', "_"))
}

#[expect(clippy::disallowed_methods, reason = "this module reads the variables of the SDK")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The time for TCP and TLS together. Services are in the same region; operation timeouts bound the rest.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A client for `https` endpoints that trusts the system's root certificates (`SSL_CERT_FILE` names others). If they
/// cannot be read, each request fails with the reason.
#[must_use]
pub fn https_client() -> SharedHttpClient {
    build(builder())
}

/// A client for `http` endpoints on this machine. It loads no certificates: that is most of a short process's startup.
#[must_use]
pub fn plain_client() -> SharedHttpClient {
    build(builder().no_proxy().tls_certs_only([]))
}

/// A client that sends every request over `client`.
#[must_use]
pub fn over(client: reqwest::Client) -> SharedHttpClient {
    SharedHttpClient::new(ReqwestClient(Ok(client)))
}

fn build(builder: reqwest::ClientBuilder) -> SharedHttpClient {
    let client = builder.connect_timeout(CONNECT_TIMEOUT).build();
    SharedHttpClient::new(ReqwestClient(client.map_err(Arc::new)))
}

#[derive(Debug, Clone)]
struct ReqwestClient(Result<reqwest::Client, Arc<reqwest::Error>>);

impl HttpClient for ReqwestClient {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for ReqwestClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let client = self.0.clone();
        HttpConnectorFuture::new(async move {
            send(&client.map_err(|error| ConnectorError::user(error.into()))?, request).await
        })
    }
}

async fn send(client: &reqwest::Client, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let (parts, body) = request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?.into_parts();
    let body = body.bytes().ok_or_else(|| ConnectorError::user("the request body is a stream".into()))?.to_vec();
    let request = reqwest::Request::try_from(http::Request::from_parts(parts, body));
    let request = request.map_err(|error| ConnectorError::user(error.into()))?;
    let response = http::Response::<reqwest::Body>::from(client.execute(request).await.map_err(connector_error)?);
    HttpResponse::try_from(response.map(SdkBody::from_body_1_x))
        .map_err(|error| ConnectorError::other(error.into(), None))
}

/// The class decides whether the SDK sends the request again.
fn connector_error(error: reqwest::Error) -> ConnectorError {
    if connection_broke(&error) {
        ConnectorError::io(error.into())
    } else if error.is_timeout() {
        ConnectorError::timeout(error.into())
    } else {
        ConnectorError::user(error.into())
    }
}

/// The retries of a request whose connection broke, or that was refused for a moment: two, as in the SDK's default. The
/// services answer in milliseconds, so the first delay is at most 25 ms; the SDK's default is a second.
#[must_use]
pub fn retry() -> RetryConfig {
    RetryConfig::standard().with_initial_backoff(Duration::from_millis(25))
}

/// The code and the message of a service that refused, or the causes why there is no answer. The response itself is left
/// out, because it may hold what people wrote. `DisplayErrorContext` of the SDK would print it.
pub fn describe<E, R>(error: &SdkError<E, R>) -> String
where
    E: ProvideErrorMetadata + Error + 'static,
    R: Debug,
{
    match error.as_service_error().map(|refusal| (refusal.code(), refusal.message())) {
        Some((Some(code), message)) => format!("{code}: {}", message.unwrap_or("no message")),
        _ => error_chain(error),
    }
}

/// An error and its causes, outermost first.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut causes = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        causes.push_str(": ");
        causes.push_str(&inner.to_string());
        cause = inner.source();
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_sdk_dynamodb::Client;
    use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};

    use crate::http_stub::{KeptAliveOnce, Stub, StubResponse};
    use crate::queue::{Queue, Task, TaskQueue};
    use domain::clock::Runtime;
    use domain::models::{IngestId, Mode, Scope, TenantId};

    #[test]
    fn the_variable_of_a_service_has_its_name_in_capitals() {
        assert_eq!(service_variable("AWS_ENDPOINT_URL", "Secrets Manager"), "AWS_ENDPOINT_URL_SECRETS_MANAGER");
        assert_eq!(service_variable("AWS_ENDPOINT_URL", "DynamoDB"), "AWS_ENDPOINT_URL_DYNAMODB");
    }

    fn credentials() -> Credentials {
        Credentials::new("test", "test", None, None, "test")
    }

    #[tokio::test]
    async fn a_read_of_the_table_survives_a_connection_that_breaks() {
        let server = KeptAliveOnce::start("{}").await;
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(credentials())
            .retry_config(retry())
            .http_client(plain_client())
            .endpoint_url(&server.url);
        let client = Client::from_conf(config.build());
        for _ in 0..4 {
            client.list_tables().send().await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
    }

    #[tokio::test]
    async fn a_task_is_queued_although_a_connection_breaks() {
        let server = KeptAliveOnce::start(r#"{"MessageId": "m1"}"#).await;
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(aws_sdk_sqs::config::BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(credentials())
            .retry_config(retry())
            .http_client(plain_client())
            .endpoint_url(&server.url);
        let queue = TaskQueue::new(aws_sdk_sqs::Client::from_conf(config.build()), Queue::Ingest, &server.url);
        let runtime = Runtime::system();
        let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
        let task = Task::Ingest { scope, ingest_id: IngestId::generate(&runtime).unwrap() };
        for _ in 0..4 {
            queue.send(&task, Duration::ZERO).await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
    }

    #[tokio::test]
    async fn the_response_of_a_service_is_not_in_the_text_of_its_error() {
        let body =
            r#"{"__type": "x#ValidationException", "message": "too large", "Item": {"content": "said in private"}}"#;
        for response in [StubResponse::Json(400, body.into()), StubResponse::Json(200, "said in private".into())] {
            let stub = Stub::start(response).await;
            let config = Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new("eu-central-1"))
                .endpoint_url(&stub.url)
                .http_client(plain_client())
                .credentials_provider(Credentials::new("test", "test", None, None, "test"))
                .build();
            let error = Client::from_conf(config).list_tables().send().await.unwrap_err();
            let told = describe(&error);
            assert!(!told.contains("private"), "{told}");
            assert!(told == "ValidationException: too large" || told.starts_with("service error: "), "{told}");
        }
    }
}
