//! SQS in this process: rustack's service behind an HTTP client of the SDK, without a socket.
//!
//! It keeps messages in memory only. Messages are lost with the process; the sweeper queues the work again, as it does
//! on AWS for a message that was never sent.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use rustack_sqs_core::config::SqsConfig;
use rustack_sqs_core::handler::RustackSqsHandler;
use rustack_sqs_core::provider::RustackSqs;
use rustack_sqs_http::dispatch::SqsHandler;
use rustack_sqs_http::response::error_to_response;
use rustack_sqs_http::router::resolve_operation;

/// Where the URLs of embedded queues begin. Never resolved: [`EmbeddedSqs`] handles the requests.
pub(crate) const EMBEDDED_ENDPOINT: &str = "http://sqs.invalid:80";

/// The service; it starts without messages.
#[derive(Debug, Clone)]
pub(crate) struct EmbeddedSqs(Arc<RustackSqsHandler>);

impl HttpClient for EmbeddedSqs {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

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
    pub(super) fn new() -> Self {
        let config = SqsConfig { host: "sqs.invalid".into(), port: 80, ..SqsConfig::default() };
        Self(Arc::new(RustackSqsHandler::new(Arc::new(RustackSqs::new(config)))))
    }

    /// The HTTP client for the SDK.
    pub(super) fn http_client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
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
