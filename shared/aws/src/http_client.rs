//! The HTTP client of services that the operator chose: no proxy of the environment, no redirects, and one more attempt
//! if a connection broke. Requests to AWS services of which only one or two calls are needed are signed here: a whole
//! SDK client would be the largest part of a function.

use std::time::{Duration, UNIX_EPOCH};

use aws_config::SdkConfig;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings, UriPathNormalizationMode,
    sign,
};
use aws_sigv4::sign::v4;
use reqwest::redirect;

use domain::clock::Runtime;
use domain::models::Timestamp;
use domain::{Error, Result};

/// A client, cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct HttpClient(reqwest::Client);

impl HttpClient {
    /// A client without connections.
    ///
    /// # Errors
    /// An internal error when the process has no TLS to offer.
    pub(crate) fn new() -> Result<Self> {
        let client = builder().no_proxy().build();
        client.map(Self).map_err(|error| Error::internal(format!("the HTTP client cannot be made: {error}")))
    }

    /// A `POST` for [`HttpClient::execute`].
    pub(crate) fn post(&self, url: &str) -> reqwest::RequestBuilder {
        self.0.post(url)
    }

    /// The response to `request`. If the connection breaks before it, the request is sent once more, by a client without
    /// connections: one that was kept alive may have been closed by the other side, most of all while Lambda has frozen
    /// the function. For requests that may be repeated.
    pub(crate) async fn execute(&self, request: reqwest::Request) -> reqwest::Result<reqwest::Response> {
        let again = request.try_clone();
        match (self.0.execute(request).await, again) {
            (Err(error), Some(again)) if connection_broke(&error) => match Self::new() {
                Ok(fresh) => fresh.0.execute(again).await,
                Err(_) => Err(error),
            },
            (sent, _) => sent,
        }
    }
}

/// The builder with which every client of this crate begins.
#[expect(clippy::disallowed_methods, reason = "addresses of the operator and of AWS, not of tenants")]
pub(crate) fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder().redirect(redirect::Policy::none())
}

/// The body of a response; none if it is longer than `max_bytes`, of which more is never held.
pub(crate) async fn body_at_most(
    mut response: reqwest::Response,
    max_bytes: usize,
) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > max_bytes {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Whether a request failed for its connection, so that another connection may help.
pub(crate) fn connection_broke(error: &reqwest::Error) -> bool {
    !error.is_timeout() && !error.is_builder()
}

/// A client of one service in the function's own region, with the function's own credentials.
#[derive(Debug, Clone)]
pub(crate) struct SignedHttp {
    client: HttpClient,
    timeout: Duration,
    service: &'static str,
    region: String,
    credentials: SharedCredentialsProvider,
    runtime: Runtime,
}

impl SignedHttp {
    /// Signs for `service`; a request takes at most `timeout`.
    ///
    /// # Errors
    /// An internal error if the function has no region or no credentials.
    pub(crate) fn new(service: &'static str, timeout: Duration, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let region = sdk.region().ok_or_else(|| Error::internal("AWS_REGION is not set."))?.to_string();
        let credentials = sdk.credentials_provider().ok_or_else(|| Error::internal("there are no credentials"))?;
        Self::with(service, timeout, region, credentials, runtime)
    }

    pub(crate) fn with(
        service: &'static str,
        timeout: Duration,
        region: String,
        credentials: SharedCredentialsProvider,
        runtime: Runtime,
    ) -> Result<Self> {
        Ok(Self { client: HttpClient::new()?, timeout, service, region, credentials, runtime })
    }

    pub(crate) fn region(&self) -> &str {
        &self.region
    }

    /// The answer to a request with a body of JSON.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if it cannot be sent or is not answered in time.
    pub(crate) async fn send(&self, method: http::Method, url: &str, content: Vec<u8>) -> Result<reqwest::Response> {
        self.answer(self.signed(method, url, content).await?).await
    }

    /// The answer of a service of AWS's JSON protocol to a call of the operation `target`.
    ///
    /// # Errors
    /// As those of [`SignedHttp::send`].
    pub(crate) async fn call(&self, target: &str, url: &str, content: Vec<u8>) -> Result<reqwest::Response> {
        self.answer(self.signed_call(target, url, content).await?).await
    }

    pub(crate) async fn signed_call(&self, target: &str, url: &str, content: Vec<u8>) -> Result<reqwest::Request> {
        let request = http::Request::builder().method(http::Method::POST).uri(url).header("x-amz-target", target);
        let request = request.header(http::header::CONTENT_TYPE, "application/x-amz-json-1.1").body(content);
        self.sign(request.map_err(|e| unsendable(self.service, &e))?).await
    }

    async fn answer(&self, request: reqwest::Request) -> Result<reqwest::Response> {
        let answer = self.client.execute(request).await;
        answer.map_err(|e| Error::unavailable(format!("{} did not answer: {e}", self.service)))
    }

    pub(crate) async fn signed(&self, method: http::Method, url: &str, content: Vec<u8>) -> Result<reqwest::Request> {
        let request = http::Request::builder().method(method).uri(url).body(content);
        let mut request = self.sign(request.map_err(|e| unsendable(self.service, &e))?).await?;
        let json = http::HeaderValue::from_static("application/json");
        request.headers_mut().insert(http::header::CONTENT_TYPE, json);
        Ok(request)
    }

    async fn sign(&self, request: http::Request<Vec<u8>>) -> Result<reqwest::Request> {
        let signature = Signature {
            service: self.service,
            region: &self.region,
            credentials: &self.credentials,
            settings: settings(),
        };
        let mut request = signature.sign(request, self.runtime.now()).await?;
        *request.timeout_mut() = Some(self.timeout);
        Ok(request)
    }
}

/// How a request is signed (AWS Signature Version 4).
#[derive(Debug)]
pub struct Signature<'a> {
    /// The service's name in signatures.
    pub service: &'a str,
    /// The region of its endpoint.
    pub region: &'a str,
    /// The credentials of the caller.
    pub credentials: &'a SharedCredentialsProvider,
    /// The form of paths and bodies that the service expects.
    pub settings: SigningSettings,
}

impl Signature<'_> {
    /// Signs a request with all its headers, as of `now`.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` without credentials; an internal error for what is no request.
    pub async fn sign<B: AsRef<[u8]> + Into<reqwest::Body>>(
        self,
        mut request: http::Request<B>,
        now: Timestamp,
    ) -> Result<reqwest::Request> {
        let wrong = |e: &dyn std::fmt::Display| unsendable(self.service, e);
        let identity = self.credentials.provide_credentials().await;
        let identity =
            identity.map_err(|e| Error::unavailable(format!("no credentials for {}: {e}", self.service)))?.into();
        let since = Duration::from_millis(u64::try_from(now.as_millis()).unwrap_or(0));
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region)
            .name(self.service)
            .time(UNIX_EPOCH + since)
            .settings(self.settings)
            .build()
            .map_err(|e| wrong(&e))?
            .into();
        let url = request.uri().to_string();
        let headers = request.headers().iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let body = SignableBody::Bytes(request.body().as_ref());
        let signable = SignableRequest::new(request.method().as_str(), url, headers, body).map_err(|e| wrong(&e))?;
        let (instructions, _) = sign(signable, &parameters).map_err(|e| wrong(&e))?.into_parts();
        instructions.apply_to_request_http1x(&mut request);
        request.try_into().map_err(|e: reqwest::Error| wrong(&e))
    }
}

fn unsendable(service: &str, why: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("a request to {service}: {why}"))
}

/// The form that S3 requires, and other services accept: the path is signed as it is sent, and the body's hash is
/// a header.
fn settings() -> SigningSettings {
    let mut settings = SigningSettings::default();
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    settings
}
