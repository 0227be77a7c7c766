//! Requests of AWS's query protocol (CloudFormation, SNS, CloudWatch, IAM), signed. One SDK crate for each of these
//! services would take minutes to build, for six read-only requests.

use std::collections::BTreeMap;
use std::time::Duration;

use aws::signed_http::Signature;
use aws_config::SdkConfig;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sigv4::http_request::SigningSettings;
use domain::clock::Runtime;
use domain::{Error, Result};

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A client of the query protocol.
#[derive(Debug)]
pub(crate) struct Query {
    http: reqwest::Client,
    region: String,
    /// The endpoint of the AWS configuration, instead of AWS's own.
    endpoint: Option<String>,
    credentials: SharedCredentialsProvider,
    runtime: Runtime,
}

/// An answer in XML.
#[derive(Debug)]
pub(crate) struct Answer(String);

impl Query {
    /// A client with the region and the credentials of the AWS configuration.
    #[expect(clippy::disallowed_methods, reason = "the operator's AWS, not a tenant's address")]
    pub(super) fn new(sdk: &SdkConfig) -> Result<Self> {
        let region = sdk.region().ok_or_else(|| Error::unavailable("no region: set AWS_REGION or a profile"))?;
        let credentials = sdk.credentials_provider().ok_or_else(|| Error::unavailable("no AWS credentials"))?;
        let http = reqwest::Client::builder().timeout(TIMEOUT).build();
        let http = http.map_err(|e| Error::internal(format!("no client for AWS: {e}")))?;
        Ok(Self {
            http,
            region: region.to_string(),
            endpoint: sdk.endpoint_url().map(str::to_owned),
            credentials,
            runtime: Runtime::system(),
        })
    }

    /// Calls an action of a service.
    ///
    /// # Errors
    /// `NOT_FOUND` if AWS says that something does not exist; `SERVICE_UNAVAILABLE` with AWS's code and message for
    /// every other refusal, and if AWS does not answer.
    pub(crate) async fn call(
        &self,
        service: &str,
        version: &str,
        action: &str,
        parameters: &[(&str, &str)],
    ) -> Result<Answer> {
        let (url, region) = self.url(service, "/");
        let named = [("Action", action), ("Version", version)];
        let body = form(named.iter().chain(parameters));
        let signing_name = if service == "cloudwatch" { "monitoring" } else { service };
        let request = self.signed("POST", signing_name, region, &url, body).await?;
        let (status, text) = self.send(action, request).await?;
        let answer = Answer(text);
        if status.is_success() {
            return Ok(answer);
        }
        let (code, message) = (answer.text("Code").unwrap_or_default(), answer.text("Message").unwrap_or_default());
        let missing = message.contains("does not exist") || code == "NotFound" || code == "NoSuchEntity";
        Err(match missing {
            true => Error::not_found("stack").context(message),
            false => Error::unavailable(format!("{action}: {code}: {message}")),
        })
    }

    /// Reads a resource of a service that answers in JSON.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if AWS refuses or does not answer.
    pub(crate) async fn get_json(&self, service: &str, path: &str) -> Result<serde_json::Value> {
        let (url, region) = self.url(service, path);
        let request = self.signed("GET", service, region, &url, String::new()).await?;
        let (status, text) = self.send(path, request).await?;
        match serde_json::from_str(&text) {
            Ok(json) if status.is_success() => Ok(json),
            _ => Err(Error::unavailable(format!("{service} answered {path} with {status}: {text}"))),
        }
    }

    /// The URL of a service, and the region that its requests are signed for.
    fn url(&self, service: &str, path: &str) -> (String, &str) {
        let region = self.region.as_str();
        // IAM has one endpoint, which is signed for one region.
        let (host, region) = match service {
            "iam" => ("https://iam.amazonaws.com".to_owned(), "us-east-1"),
            "cloudwatch" => (format!("https://monitoring.{region}.amazonaws.com"), region),
            _ => (format!("https://{service}.{region}.amazonaws.com"), region),
        };
        (format!("{}{path}", self.endpoint.as_deref().unwrap_or(&host).trim_end_matches('/')), region)
    }

    async fn send(&self, what: &str, request: reqwest::Request) -> Result<(reqwest::StatusCode, String)> {
        let unanswered = |e: reqwest::Error| Error::unavailable(format!("{what}: AWS does not answer: {e:?}"));
        let response = self.http.execute(request).await.map_err(unanswered)?;
        Ok((response.status(), response.text().await.map_err(unanswered)?))
    }

    async fn signed(
        &self,
        method: &str,
        service: &str,
        region: &str,
        url: &str,
        body: String,
    ) -> Result<reqwest::Request> {
        let request = http::Request::builder().method(method).uri(url);
        let request = request.header(http::header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body);
        let request = request.map_err(|e| Error::internal(format!("a request to AWS: {e}")))?;
        let settings = SigningSettings::default();
        let signature = Signature { service, region, credentials: &self.credentials, settings };
        signature.sign(request, self.runtime.now()).await
    }
}

/// A form's body.
fn form<'a>(parameters: impl Iterator<Item = &'a (&'a str, &'a str)>) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        form.append_pair(name, value);
    }
    form.finish()
}

impl Answer {
    /// The text of the first element `name`.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let document = roxmltree::Document::parse(&self.0).ok()?;
        let element = document.descendants().find(|node| node.tag_name().name() == name)?;
        element.text().map(str::to_owned)
    }

    /// The members of every list `name`: the text of each field by its name.
    pub(crate) fn elements(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let Ok(document) = roxmltree::Document::parse(&self.0) else { return Vec::new() };
        let lists = document.descendants().filter(|node| node.tag_name().name() == name);
        let members = lists.flat_map(|list| list.children().filter(roxmltree::Node::is_element));
        let fields = |member: roxmltree::Node<'_, '_>| {
            let fields = member.children().filter(roxmltree::Node::is_element);
            fields.map(|f| (f.tag_name().name().to_owned(), f.text().unwrap_or_default().to_owned())).collect()
        };
        members.map(fields).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_list_are_read_by_their_fields() {
        let answer = Answer(
            "<R xmlns=\"x\"><StackResourceSummaries><member><LogicalResourceId>Table</LogicalResourceId>\
             <PhysicalResourceId>s-Table-1</PhysicalResourceId></member></StackResourceSummaries>\
             <NextToken>n</NextToken></R>"
                .into(),
        );
        assert_eq!(answer.elements("StackResourceSummaries")[0]["PhysicalResourceId"], "s-Table-1");
        assert_eq!((answer.text("NextToken").as_deref(), answer.text("None")), (Some("n"), None));
        assert_eq!(form([("a", "b c"), ("d", "é&")].iter()), "a=b+c&d=%C3%A9%26");
    }
}
