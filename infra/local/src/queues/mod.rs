//! The queues of the local service: SQS in this process, or another server, behind the shipped SDK.
//!
//! [`QueueServer`] creates the queues with their dead-letter queues. [`Poller`] passes their messages to a worker, as
//! Lambda does. The embedded SQS is rustack's service behind an HTTP client of the SDK, without a socket. It keeps messages in
//! memory only: they are lost with the process, and the sweeper queues the work again, as it does on AWS for a message that
//! was never sent.

mod poller;

use std::sync::Arc;
use std::time::Duration;

use aws::queue::Queue;
use aws_credential_types::Credentials;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::{BehaviorVersion, Region};
use aws_sdk_sqs::types::QueueAttributeName;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use domain::{Error, Result};
use http_body_util::BodyExt;
pub use poller::{HandleMessages, Poller, WorkerLimits};
use rustack_sqs_core::config::SqsConfig;
use rustack_sqs_core::handler::RustackSqsHandler;
use rustack_sqs_core::provider::RustackSqs;
use rustack_sqs_http::dispatch::SqsHandler;
use rustack_sqs_http::response::error_to_response;
use rustack_sqs_http::router::resolve_operation;

use crate::config::{self, WrapHttpClient, failed};

/// After so many receives a message moves to the dead-letter queue; as in the template.
pub const MAX_RECEIVES: u32 = 5;

/// The retention of dead letters: the maximum of SQS, as in the template.
const DEAD_LETTER_RETENTION: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// A queue that was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedQueue {
    pub queue: Queue,
    /// Its URL.
    pub url: String,
    /// The URL of its dead-letter queue.
    pub dead_letter_url: String,
    /// Whether its server is another process.
    pub remote: bool,
}

/// An SQS server, embedded or remote.
#[derive(Debug, Clone)]
pub struct QueueServer {
    client: Client,
    /// None for another server.
    pub(crate) embedded: Option<EmbeddedSqs>,
}

impl QueueServer {
    /// An embedded server without messages.
    #[must_use]
    pub fn embedded() -> Self {
        let service = EmbeddedSqs::new();
        Self { embedded: Some(service.clone()), ..Self::behind(service.http_client()) }
    }

    /// The embedded server of another process, behind `http`.
    pub(crate) fn behind(http: SharedHttpClient) -> Self {
        // The embedded server checks no signature, but the SDK needs credentials to sign with.
        let credentials = Credentials::new("local", "local", None, None, "local");
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(credentials)
            .endpoint_url(EMBEDDED_ENDPOINT)
            .http_client(http);
        Self { client: Client::from_conf(config.build()), embedded: None }
    }

    /// The server at `url`, with credentials and region of the environment if it has them.
    #[must_use]
    pub fn at(url: &str) -> Self {
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(config::region())
            .credentials_provider(config::credentials())
            .retry_config(aws::retry())
            .endpoint_url(url)
            .http_client(config::http_client(url, None));
        Self { client: Client::from_conf(config.build()), embedded: None }
    }

    /// A client whose HTTP client is wrapped, for faults in tests.
    #[must_use]
    pub fn wrapped(&self, wrap: Option<WrapHttpClient>) -> Client {
        let config = self.client.config();
        match (wrap, config.http_client()) {
            (Some(wrap), Some(http)) => Client::from_conf(config.to_builder().http_client(wrap(http)).build()),
            _ => self.client.clone(),
        }
    }

    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Creates `queue` and its dead-letter queue under names that begin with `prefix`, or updates existing ones.
    /// `visibility` is the visibility timeout of a message.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the server does not create them.
    pub async fn create(&self, prefix: &str, queue: Queue, visibility: Duration) -> Result<CreatedQueue> {
        let retention = DEAD_LETTER_RETENTION.as_secs().to_string();
        let dead_letter_name = format!("{prefix}-{queue}-dead");
        let dead_letter_url =
            self.create_queue(&dead_letter_name, &[(QueueAttributeName::MessageRetentionPeriod, retention)]).await?;
        let target = self.arn(&dead_letter_url).await?;
        let redrive = serde_json::json!({"deadLetterTargetArn": target, "maxReceiveCount": MAX_RECEIVES}).to_string();
        let attributes = [
            (QueueAttributeName::VisibilityTimeout, visibility.as_secs().to_string()),
            (QueueAttributeName::RedrivePolicy, redrive),
        ];
        let url = self.create_queue(&format!("{prefix}-{queue}"), &attributes).await?;
        Ok(CreatedQueue { queue, url, dead_letter_url, remote: self.embedded.is_none() })
    }

    async fn create_queue(&self, name: &str, attributes: &[(QueueAttributeName, String)]) -> Result<String> {
        let made = self.client.create_queue().queue_name(name).send().await.map_err(failed("SQS create queue"))?;
        let url = made.queue_url.ok_or_else(|| Error::unavailable("a queue was made without an address"))?;
        let attributes = attributes.iter().cloned().collect();
        let request = self.client.set_queue_attributes().queue_url(&url).set_attributes(Some(attributes));
        request.send().await.map_err(failed("SQS set queue attributes"))?;
        Ok(url)
    }

    async fn arn(&self, url: &str) -> Result<String> {
        let request = self.client.get_queue_attributes().queue_url(url);
        let answer = request.attribute_names(QueueAttributeName::QueueArn).send().await;
        let mut attributes = answer.map_err(failed("SQS queue arn"))?.attributes.unwrap_or_default();
        attributes.remove(&QueueAttributeName::QueueArn).ok_or_else(|| Error::unavailable("a queue without an ARN"))
    }
}

/// Where the URLs of embedded queues begin. Never resolved: [`EmbeddedSqs`] handles the requests.
pub(crate) const EMBEDDED_ENDPOINT: &str = "http://sqs.invalid:80";

/// The service; it starts without messages.
#[derive(Debug, Clone)]
pub(crate) struct EmbeddedSqs(Arc<RustackSqsHandler>);

impl HttpConnector for EmbeddedSqs {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let service = self.clone();
        HttpConnectorFuture::new(async move {
            service.answer(request).await.map_err(|reason| ConnectorError::other(reason.into(), None))
        })
    }
}

impl EmbeddedSqs {
    /// The service, without messages.
    fn new() -> Self {
        let config = SqsConfig { host: "sqs.invalid".into(), port: 80, ..SqsConfig::default() };
        Self(Arc::new(RustackSqsHandler::new(Arc::new(RustackSqs::new(config)))))
    }

    /// The HTTP client for the SDK.
    fn http_client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }

    /// Answers a request, whose headers name the operation.
    pub(crate) async fn call(&self, headers: &http::HeaderMap, body: Bytes) -> Result<http::Response<Bytes>, String> {
        let answer = match resolve_operation(headers) {
            Ok(operation) => self.0.handle_operation(operation, body).await,
            Err(error) => Err(error),
        };
        let (parts, body) = answer.unwrap_or_else(|error| error_to_response(&error, "local")).into_parts();
        let body = body.collect().await.map_err(|e| e.to_string())?.to_bytes();
        Ok(http::Response::from_parts(parts, body))
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, String> {
        let request = request.try_into_http1x().map_err(|e| e.to_string())?;
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(|e| e.to_string())?.to_bytes();
        let answer = self.call(&parts.headers, body).await?;
        HttpResponse::try_from(answer.map(SdkBody::from)).map_err(|e| e.to_string())
    }
}
