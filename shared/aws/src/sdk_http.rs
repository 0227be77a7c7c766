//! The HTTP client of every AWS SDK client: one `reqwest` client, so that a process loads root certificates once, has one
//! pool of connections, and links one HTTP stack (no HTTP/2, which no service here needs).

use std::sync::Arc;
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;

use crate::http_client::{builder, connection_broke};

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
