//! Calls the function that handles changes of the table, with records that Lambda gave up on.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_config::SdkConfig;
use serde_json::{Value, json};

use domain::clock::Runtime;
use domain::{Error, Result};

use crate::http_client::SignedHttp;

/// The alias of the version that serves.
const ALIAS: &str = "live";
/// How long a call may take: less than a run of the sweeper.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Handles records of the table's stream, as Lambda's event has them.
#[async_trait]
pub trait StreamHandler: std::fmt::Debug + Send + Sync {
    /// Handles `records`, oldest first. Returns the sequence number from which they are not done; an empty one stands
    /// for the first record.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the call ended without an answer: how much is done is unknown.
    async fn handle(&self, records: &[Value]) -> Result<Option<String>>;
}

/// The function that handles changes. Cheap to clone.
pub type ChangesFunction = Arc<dyn StreamHandler>;

/// The function on Lambda.
#[derive(Debug)]
pub struct LambdaFunction {
    http: SignedHttp,
    url: String,
}

impl LambdaFunction {
    /// The function `name` in this function's own region, with this function's own credentials; behind
    /// `AWS_ENDPOINT_URL` if that is set.
    ///
    /// # Errors
    /// An internal error if this function has no region or no credentials.
    pub fn new(name: &str, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let http = SignedHttp::new("lambda", TIMEOUT, sdk, runtime)?;
        let host = match sdk.endpoint_url() {
            Some(endpoint) => endpoint.trim_end_matches('/').to_owned(),
            None => format!("https://lambda.{}.amazonaws.com", http.region()),
        };
        Ok(Self { url: format!("{host}/2015-03-31/functions/{name}/invocations?Qualifier={ALIAS}"), http })
    }
}

#[async_trait]
impl StreamHandler for LambdaFunction {
    async fn handle(&self, records: &[Value]) -> Result<Option<String>> {
        let event = json!({"Records": records}).to_string().into_bytes();
        let answer = self.http.send(http::Method::POST, &self.url, event).await?;
        let status = answer.status();
        if !status.is_success() {
            return Err(Error::unavailable(format!("Lambda answered {status}")));
        }
        if answer.headers().contains_key("x-amz-function-error") {
            return Err(Error::unavailable("the function ended with an error"));
        }
        let answer = answer.bytes().await.map_err(|e| Error::unavailable(format!("Lambda broke off: {e}")))?;
        failed_from(&answer)
    }
}

/// The sequence number from which a batch failed (Lambda, "Partial batch responses").
fn failed_from(answer: &[u8]) -> Result<Option<String>> {
    let answer: Value = serde_json::from_slice(answer)
        .map_err(|e| Error::unavailable(format!("the function's answer does not parse: {e}")))?;
    let failures = answer.get("batchItemFailures").and_then(Value::as_array);
    let first = failures.ok_or_else(|| Error::unavailable("the function's answer names no failures"))?.first();
    Ok(first.map(|first| first.get("itemIdentifier").and_then(Value::as_str).unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_from_where_the_batch_failed() {
        let from = |answer: &str| failed_from(answer.as_bytes());
        assert_eq!(from(r#"{"batchItemFailures":[]}"#).unwrap(), None);
        assert_eq!(from(r#"{"batchItemFailures":[{"itemIdentifier":"7"}]}"#).unwrap().as_deref(), Some("7"));
        assert_eq!(from(r#"{"batchItemFailures":[{}]}"#).unwrap().as_deref(), Some(""));
        assert!(from("null").is_err() && from("").is_err());
    }
}
