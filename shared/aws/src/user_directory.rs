//! The users of the identity provider that the stack owns: a Cognito user pool, in which nobody signs up.
//!
//! A new member gets a user there, and Cognito mails the first password. Who is nobody's member any more leaves. A provider of the operator's own has no
//! directory here: its people are its operator's affair.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_config::SdkConfig;
use serde_json::{Value, json};

use domain::clock::Runtime;
use domain::{Error, Result};

use crate::http_client::{SignedHttp, body_at_most};

/// How long a call may take: the request that waits for it has done its work already.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How much of an answer is read. Cognito's are below one KiB.
const MAX_ANSWER: usize = 64 * 1024;

/// The result of an invitation by a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// There is a user now that has not signed in yet, and a mail with its first password is on its way.
    Created,
    /// There is a user that has signed in before.
    Exists,
}

/// Makes and removes users of an identity provider.
#[async_trait]
pub trait UserDirectory: std::fmt::Debug + Send + Sync {
    /// Makes sure that there is a user with this address. Somebody who never signed in gets the mail again, with a new
    /// first password.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` with the provider's code, if it refuses or does not answer.
    async fn invite(&self, email: &str) -> Result<Invited>;

    /// Makes sure that there is no user with this address.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` with the provider's code, if it refuses or does not answer.
    async fn remove(&self, email: &str) -> Result<()>;
}

/// A directory. Cheap to clone.
pub type Users = Arc<dyn UserDirectory>;

/// A Cognito user pool.
#[derive(Debug)]
pub struct CognitoUserPool {
    http: SignedHttp,
    url: String,
    pool_id: String,
}

impl CognitoUserPool {
    /// The pool `pool_id` in this function's own region, with this function's own credentials; behind
    /// `AWS_ENDPOINT_URL` if that is set.
    ///
    /// # Errors
    /// An internal error if this function has no region or no credentials.
    pub fn new(pool_id: &str, sdk: &SdkConfig, runtime: Runtime) -> Result<Self> {
        let http = SignedHttp::new("cognito-idp", TIMEOUT, sdk, runtime)?;
        let host = match sdk.endpoint_url() {
            Some(endpoint) => endpoint.trim_end_matches('/').to_owned(),
            None => format!("https://cognito-idp.{}.amazonaws.com", http.region()),
        };
        Ok(Self { http, url: format!("{host}/"), pool_id: pool_id.to_owned() })
    }

    /// `AdminCreateUser`: whether it was done; otherwise Cognito's code.
    async fn create(&self, email: &str, again: bool) -> Result<std::result::Result<(), String>> {
        let mut request = json!({
            "UserPoolId": self.pool_id,
            "Username": email,
            "DesiredDeliveryMediums": ["EMAIL"],
            // So that a forgotten password can be replaced. Nobody reads the first one who does not read this address.
            "UserAttributes": [{"Name": "email", "Value": email}, {"Name": "email_verified", "Value": "true"}],
        });
        if let (true, Some(fields)) = (again, request.as_object_mut()) {
            fields.insert("MessageAction".into(), "RESEND".into());
        }
        self.call("AdminCreateUser", &request).await
    }

    /// An operation: whether it was done; otherwise Cognito's code.
    async fn call(&self, operation: &str, request: &Value) -> Result<std::result::Result<(), String>> {
        let target = format!("AWSCognitoIdentityProviderService.{operation}");
        let answer = self.http.call(&target, &self.url, request.to_string().into_bytes()).await?;
        let status = answer.status();
        if status.is_success() {
            return Ok(Ok(()));
        }
        let body = body_at_most(answer, MAX_ANSWER).await;
        let body = body.map_err(|e| Error::unavailable(format!("the user pool broke off: {e}")))?;
        Ok(Err(body.and_then(|body| code(&body)).unwrap_or_else(|| status.to_string())))
    }
}

#[async_trait]
impl UserDirectory for CognitoUserPool {
    async fn invite(&self, email: &str) -> Result<Invited> {
        let Err(refusal) = self.create(email, false).await? else { return Ok(Invited::Created) };
        if refusal != "UsernameExistsException" {
            return Err(Error::unavailable(format!("the user pool answered {refusal}")));
        }
        match self.create(email, true).await? {
            Ok(()) => Ok(Invited::Created),
            // Only a user that has not signed in yet gets the mail again.
            Err(code) if code == "UnsupportedUserStateException" => Ok(Invited::Exists),
            Err(code) => Err(Error::unavailable(format!("the user pool answered {code}"))),
        }
    }

    async fn remove(&self, email: &str) -> Result<()> {
        let request = json!({"UserPoolId": self.pool_id, "Username": email});
        match self.call("AdminDeleteUser", &request).await? {
            Err(code) if code != "UserNotFoundException" => {
                Err(Error::unavailable(format!("the user pool answered {code}")))
            }
            _ => Ok(()),
        }
    }
}

/// The code of an error: `__type`, in some protocols behind a namespace. Its message may repeat the address.
fn code(answer: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let code = answer.get("__type")?.as_str()?.rsplit('#').next()?;
    let is_name = !code.is_empty() && code.len() <= 100 && code.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_name.then(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;
    use axum::http::{HeaderMap, StatusCode};
    use domain::clock::{Clock, SystemRng};
    use domain::error::Code;
    use domain::models::Timestamp;

    use super::*;
    use crate::http_stub::{Stub, StubResponse};

    #[derive(Debug)]
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::parse("2026-11-24T00:00:00Z").unwrap()
        }
    }

    fn pool(url: &str) -> CognitoUserPool {
        let credentials = Credentials::new("AKIAIOSFODNN7EXAMPLE", "secret", None, None, "test");
        let runtime = Runtime { clock: Arc::new(Stopped), entropy: Arc::new(SystemRng) };
        let provider = SharedCredentialsProvider::new(credentials);
        let http = SignedHttp::with("cognito-idp", Duration::from_millis(300), "eu-west-1".into(), provider, runtime);
        CognitoUserPool { http: http.unwrap(), url: format!("{url}/"), pool_id: "eu-west-1_a".into() }
    }

    /// A user pool: users by address, and whether they have signed in.
    async fn cognito(users: Arc<Mutex<BTreeMap<String, bool>>>) -> String {
        let answer = move |headers: HeaderMap, body: String| {
            let header = |name: &str| headers[name].to_str().unwrap().to_owned();
            assert_eq!(header("content-type"), "application/x-amz-json-1.1");
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(body["UserPoolId"], "eu-west-1_a");
            let email = body["Username"].as_str().unwrap().to_owned();
            if header("x-amz-target") == "AWSCognitoIdentityProviderService.AdminDeleteUser" {
                return std::future::ready(match users.lock().unwrap().remove(&email) {
                    Some(_) => (StatusCode::OK, axum::Json(json!({}))),
                    None => (StatusCode::BAD_REQUEST, axum::Json(json!({"__type": "UserNotFoundException"}))),
                });
            }
            assert_eq!(header("x-amz-target"), "AWSCognitoIdentityProviderService.AdminCreateUser");
            let attributes = json!([{"Name": "email", "Value": email}, {"Name": "email_verified", "Value": "true"}]);
            assert_eq!(body["UserAttributes"], attributes);
            let mut users = users.lock().unwrap();
            let code = match (users.get(&email).copied(), body["MessageAction"] == "RESEND") {
                (None, false) => {
                    users.insert(email, false);
                    None
                }
                (None, true) => Some("UserNotFoundException"),
                (Some(_), false) => Some("UsernameExistsException"),
                (Some(true), true) => Some("UnsupportedUserStateException"),
                (Some(false), true) => None,
            };
            let status = if code.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
            std::future::ready((status, axum::Json(json!({"__type": code, "message": "ann@example.com"}))))
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(answer)).await });
        url
    }

    #[tokio::test]
    async fn a_user_is_made_once_and_mailed_again_until_the_first_sign_in() {
        let users = Arc::new(Mutex::new(BTreeMap::new()));
        let pool = pool(&cognito(users.clone()).await);
        for _ in 0..2 {
            assert_eq!(pool.invite("ann@example.com").await.unwrap(), Invited::Created);
        }
        users.lock().unwrap().insert("ann@example.com".into(), true);
        assert_eq!(pool.invite("ann@example.com").await.unwrap(), Invited::Exists);
        assert_eq!(users.lock().unwrap().len(), 1);
        for _ in 0..2 {
            pool.remove("ann@example.com").await.unwrap();
            assert!(users.lock().unwrap().is_empty(), "also where there is none");
        }
    }

    #[tokio::test]
    async fn a_call_is_signed_as_aws_wants_it() {
        let http = pool("https://cognito-idp.eu-west-1.amazonaws.com").http;
        let url = "https://cognito-idp.eu-west-1.amazonaws.com/";
        let request = http.signed_call("AWSCognitoIdentityProviderService.AdminCreateUser", url, b"{}".to_vec());
        // Computed by botocore from the same parts.
        assert_eq!(request.await.unwrap().headers()["authorization"], EXPECTED);
    }

    const EXPECTED: &str = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261124/eu-west-1/cognito-idp/aws4_request, \
        SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target, \
        Signature=41a8157d9250998936a7af80cedd4f8c155a9bdc60cac6b36adde73a21507632";

    #[tokio::test]
    async fn whatever_the_provider_answers_the_failure_is_short_and_says_nothing_of_the_person() {
        let long = format!("{{\"__type\":\"{}\"}}", "A".repeat(MAX_ANSWER));
        for (answer, said) in [
            (
                StubResponse::Json(400, r#"{"__type":"x.y#TooManyRequestsException"}"#.into()),
                "TooManyRequestsException",
            ),
            (StubResponse::Json(400, r#"{"__type":"ann@example.com"}"#.into()), "400"),
            (StubResponse::Json(500, "<html>".into()), "500"),
            (StubResponse::Json(400, long), "400"),
            (StubResponse::Redirect, "307"),
            (StubResponse::Hang, "did not answer"),
        ] {
            let stub = Stub::start(answer).await;
            let pool = pool(&stub.url);
            let invited = pool.invite("ann@example.com").await.map(drop);
            for error in [invited.unwrap_err(), pool.remove("ann@example.com").await.unwrap_err()] {
                let causes = error.causes().join(" ");
                assert_eq!(error.code(), Code::ServiceUnavailable);
                assert!(causes.contains(said) && !causes.contains("ann@") && causes.len() < 300, "{causes}");
            }
        }
    }
}
