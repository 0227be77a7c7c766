//! A bucket with the two requests that are needed: a signed `PUT` and a signed `DELETE`. The whole S3 client would be
//! the largest part of the function.

use std::time::{Duration, UNIX_EPOCH};

use aws_config::SdkConfig;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings, UriPathNormalizationMode,
    sign,
};
use aws_sigv4::sign::v4;

use crate::http_client::HttpClient;
use domain::clock::Runtime;
use domain::{Error, Result};

/// How long a request may take; the record is handed out again where it does not come to an end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A bucket that objects are put into.
#[derive(Debug, Clone)]
pub struct Bucket {
    client: HttpClient,
    url: String,
    region: String,
    credentials: SharedCredentialsProvider,
    runtime: Runtime,
}

impl Bucket {
    /// The bucket `name` in the function's own region, with the function's own credentials.
    ///
    /// # Errors
    /// An internal error where the function has no region or no credentials.
    pub fn new(name: &str, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let region = sdk.region().ok_or_else(|| Error::internal("AWS_REGION is not set."))?.to_string();
        let url = format!("https://{name}.s3.{region}.amazonaws.com");
        let credentials = sdk.credentials_provider().ok_or_else(|| Error::internal("there are no credentials"))?;
        Self::at(url, region, credentials, runtime)
    }

    fn at(url: String, region: String, credentials: SharedCredentialsProvider, runtime: Runtime) -> Result<Self> {
        Ok(Self { client: HttpClient::new()?, url, region, credentials, runtime })
    }

    /// Puts an object, replacing an existing one.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not accept it.
    pub(super) async fn put(&self, name: &str, content: Vec<u8>) -> Result<()> {
        self.send(self.signed(http::Method::PUT, name, content).await?).await
    }

    /// Deletes an object; a missing one is not an error.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not do it.
    pub(super) async fn delete(&self, name: &str) -> Result<()> {
        self.send(self.signed(http::Method::DELETE, name, Vec::new()).await?).await
    }

    async fn send(&self, request: reqwest::Request) -> Result<()> {
        let sent = self.client.execute(request).await;
        let status = sent.map_err(|e| Error::unavailable(format!("the bucket did not answer: {e}")))?.status();
        if status.is_success() { Ok(()) } else { Err(Error::unavailable(format!("the bucket answered {status}"))) }
    }

    async fn signed(&self, method: http::Method, name: &str, content: Vec<u8>) -> Result<reqwest::Request> {
        let wrong = |e: &dyn std::fmt::Display| Error::internal(format!("a request to the bucket: {e}"));
        let identity = self.credentials.provide_credentials().await;
        let identity = identity.map_err(|e| Error::unavailable(format!("no credentials for the bucket: {e}")))?.into();
        let since = Duration::from_millis(u64::try_from(self.runtime.now().as_millis()).unwrap_or(0));
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name("s3")
            .time(UNIX_EPOCH + since)
            .settings(settings())
            .build()
            .map_err(|e| wrong(&e))?
            .into();
        let url = format!("{}/{name}", self.url);
        let body = SignableBody::Bytes(&content);
        let request = SignableRequest::new(method.as_str(), &url, std::iter::empty(), body).map_err(|e| wrong(&e))?;
        let (instructions, _) = sign(request, &parameters).map_err(|e| wrong(&e))?.into_parts();
        let mut request = http::Request::builder().method(method).uri(&url).body(content).map_err(|e| wrong(&e))?;
        request.headers_mut().insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
        instructions.apply_to_request_http1x(&mut request);
        let mut request = reqwest::Request::try_from(request).map_err(|e| wrong(&e))?;
        *request.timeout_mut() = Some(TIMEOUT);
        Ok(request)
    }
}

/// What S3 does otherwise than other services: the path is signed as it is sent, and the body's hash is a header.
fn settings() -> SigningSettings {
    let mut settings = SigningSettings::default();
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    settings
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aws_credential_types::Credentials;

    use super::*;
    use domain::clock::{Clock, SystemRng};
    use domain::models::Timestamp;

    #[derive(Debug)]
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::parse("2013-05-24T00:00:00Z").unwrap()
        }
    }

    fn bucket() -> Bucket {
        let keys = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        let credentials = Credentials::new(keys.0, keys.1, Some("session".into()), None, "test");
        let runtime = Runtime { clock: Arc::new(Stopped), entropy: Arc::new(SystemRng) };
        let url = "https://aside.s3.eu-west-1.amazonaws.com".to_owned();
        Bucket::at(url, "eu-west-1".into(), SharedCredentialsProvider::new(credentials), runtime).unwrap()
    }

    #[tokio::test]
    async fn a_put_is_signed_as_s3_wants_it() {
        let request = bucket().signed(http::Method::PUT, "changes/2026-01-02/e1.json", b"{}".to_vec()).await.unwrap();
        assert_eq!(request.url().as_str(), "https://aside.s3.eu-west-1.amazonaws.com/changes/2026-01-02/e1.json");
        let header = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("x-amz-date"), "20130524T000000Z");
        assert_eq!(header("x-amz-content-sha256"), domain::sha256_hex(b"{}"));
        assert_eq!(header("x-amz-security-token"), "session");
        // Computed independently from the same parts (Signature Version 4, single chunk).
        assert_eq!(header("authorization"), EXPECTED);
    }

    const EXPECTED: &str = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/eu-west-1/s3/aws4_request, \
        SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=551ca729fd092a78d401ab4aa8e564360bcdff3e38719c806b25f795307444c9";
}
