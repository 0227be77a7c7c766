//! A bucket with the requests that are needed: put, get, list and delete.

use std::time::Duration;

use aws_config::SdkConfig;
use http::Method;

use domain::clock::Runtime;
use domain::{Error, Result};

use crate::signed_http::SignedHttp;

/// How long a request may take; the record is handed out again if it does not come to an end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most names that a bucket lists at once.
const MAX_KEYS: usize = 1_000;

/// A bucket that objects are put into.
#[derive(Debug, Clone)]
pub struct Bucket {
    http: SignedHttp,
    url: String,
}

impl Bucket {
    /// The bucket `name` in the function's own region, with the function's own credentials; behind `AWS_ENDPOINT_URL`
    /// if that is set.
    ///
    /// # Errors
    /// An internal error if the function has no region or no credentials.
    pub fn new(name: &str, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let http = SignedHttp::new("s3", TIMEOUT, sdk, runtime)?;
        let url = match sdk.endpoint_url() {
            Some(endpoint) => format!("{}/{name}", endpoint.trim_end_matches('/')),
            None => format!("https://{name}.s3.{}.amazonaws.com", http.region()),
        };
        Ok(Self { http, url })
    }

    /// Puts an object, replacing an existing one.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not accept it.
    pub(super) async fn put(&self, name: &str, content: Vec<u8>) -> Result<()> {
        succeeded(self.http.send(Method::PUT, &self.at(name), content).await?).map(drop)
    }

    /// Deletes an object; a missing one is not an error.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not do it.
    pub(super) async fn delete(&self, name: &str) -> Result<()> {
        succeeded(self.http.send(Method::DELETE, &self.at(name), Vec::new()).await?).map(drop)
    }

    /// An object's content; `None` if there is none.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not give it.
    pub(super) async fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let answer = self.http.send(Method::GET, &self.at(name), Vec::new()).await?;
        if answer.status() == http::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let content = succeeded(answer)?.bytes().await;
        content
            .map(|content| Some(content.to_vec()))
            .map_err(|e| Error::unavailable(format!("the bucket broke off: {e}")))
    }

    /// The names under a folder, in their order, at most `limit`.
    ///
    /// # Errors `SERVICE_UNAVAILABLE` when the bucket did not list them.
    pub(super) async fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>> {
        // The query is signed as it is written here: its names are in their order, its values encoded.
        let prefix = encoded(&format!("{folder}/"));
        let (mut names, mut token) = (Vec::new(), None::<String>);
        while names.len() < limit {
            let from = token.map(|token| format!("continuation-token={}&", encoded(&token))).unwrap_or_default();
            let most = (limit - names.len()).min(MAX_KEYS);
            let url = format!("{}/?{from}list-type=2&max-keys={most}&prefix={prefix}", self.url);
            let listing = succeeded(self.http.send(Method::GET, &url, Vec::new()).await?)?.text().await;
            let listing = listing.map_err(|e| Error::unavailable(format!("the bucket broke off: {e}")))?;
            names.extend(elements(&listing, "Key").map(str::to_owned));
            token = elements(&listing, "NextContinuationToken").next().map(str::to_owned);
            if token.is_none() {
                break;
            }
        }
        Ok(names)
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.url)
    }
}

fn succeeded(answer: reqwest::Response) -> Result<reqwest::Response> {
    let status = answer.status();
    if status.is_success() { Ok(answer) } else { Err(Error::unavailable(format!("the bucket answered {status}"))) }
}

/// The texts of the elements of a name in a listing (S3, `ListObjectsV2`) as its XML has them.
fn elements<'a>(listing: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = listing;
    std::iter::from_fn(move || {
        let (text, left) = rest.split_once(&begin)?.1.split_once(&end)?;
        rest = left;
        Some(text)
    })
}

/// A text as the value of a signed query.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;

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
        let provider = SharedCredentialsProvider::new(credentials);
        let http = SignedHttp::with("s3", TIMEOUT, "eu-west-1".into(), provider, runtime).unwrap();
        Bucket { http, url }
    }

    #[tokio::test]
    async fn a_put_is_signed_as_s3_wants_it() {
        let request = bucket();
        let url = format!("{}/changes/2026-01-02/e1.json", request.url);
        let request = request.http.signed(http::Method::PUT, &url, b"{}".to_vec()).await.unwrap();
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

    #[test]
    fn the_names_of_a_listing_are_read_in_order_and_nothing_else_is() {
        let listing = "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><Contents><Key>aws/lambda/u/s/2026-01-02\
            T12.00.00-x</Key><Size>1</Size></Contents><Contents><Key>a &amp; b</Key></Contents><Contents><Key>due/1.json\
            </Key></Contents></ListBucketResult>";
        assert_eq!(
            elements(listing, "Key").collect::<Vec<_>>(),
            ["aws/lambda/u/s/2026-01-02T12.00.00-x", "a &amp; b", "due/1.json"]
        );
        assert!(elements("<ListBucketResult/>", "Key").next().is_none());
        assert_eq!(encoded("1/a+b==~"), "1%2Fa%2Bb%3D%3D~");
    }
}
