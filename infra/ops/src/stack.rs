//! A deployed stack: its resources, found by the logical names of `template.yaml`, and the functions' clients for them,
//! with the credentials of the person who runs the command.
//!
//! CloudFormation, SNS, CloudWatch and IAM are asked by AWS's query protocol: one SDK crate for each of them would take
//! minutes to build, for six read-only requests.

use std::collections::BTreeMap;
use std::time::Duration;

use aws::config::{Config, WidgetKeySet};
use aws::sdk_http::https_client;
use aws::signed_http::Signature;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sigv4::http_request::SigningSettings;
use domain::clock::Runtime;
use domain::{Error, Result, Secret};
use lambda::LambdaProvider;

#[derive(Debug)]
pub(crate) struct Stack {
    pub(crate) clients: LambdaProvider,
    /// Requests of AWS's query protocol.
    pub(crate) query: Query,
    pub(crate) sdk: SdkConfig,
    /// Physical by logical names.
    resources: BTreeMap<String, String>,
    parameters: BTreeMap<String, String>,
    /// The stack's ARN.
    id: String,
}

impl Stack {
    /// Finds the stack `name` in the account and region of the AWS configuration.
    ///
    /// # Errors
    /// No credentials, no region, no such stack, or a stack of something else.
    pub(crate) async fn open(name: &str) -> Result<Self> {
        let sdk = aws_config::defaults(BehaviorVersion::latest()).http_client(https_client()).load().await;
        let query = Query::new(&sdk)?;
        let resources = resources(&query, name).await?;
        let described = query.call("cloudformation", "2010-05-15", "DescribeStacks", &[("StackName", name)]).await?;
        let parameters = pairs(&described.elements("Parameters"), "ParameterKey", "ParameterValue");
        let outputs = pairs(&described.elements("Outputs"), "OutputKey", "OutputValue");
        let id = described.text("StackId").unwrap_or_default();
        let lookup = |variable: &str| variable_of(variable, &resources, &parameters, &outputs, &id);
        let config = Config::from_vars(lookup)
            .map_err(|e| Error::internal(format!("the stack {name} is none of this service: {e}")))?;
        Ok(Self { clients: LambdaProvider::new(config, sdk.clone()), query, sdk, resources, parameters, id })
    }

    /// The ARN of something of `service` in the stack's account and region.
    pub(crate) fn arn(&self, service: &str, name: &str) -> String {
        arn(&self.id, service, name)
    }

    /// The same for a service without regions.
    pub(crate) fn global_arn(&self, service: &str, name: &str) -> String {
        let [partition, _, account] = place(&self.id);
        format!("arn:{partition}:{service}::{account}:{name}")
    }

    /// The same for something that no account owns.
    pub(crate) fn public_arn(&self, service: &str, name: &str) -> String {
        let [partition, region, _] = place(&self.id);
        format!("arn:{partition}:{service}:{region}::{name}")
    }

    /// The ARN of a bucket or object.
    pub(crate) fn bucket_arn(&self, name: &str) -> String {
        let [partition, ..] = place(&self.id);
        format!("arn:{partition}:s3:::{name}")
    }

    /// The value of a parameter; empty if the stack has none of this name.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The physical name of a resource.
    ///
    /// # Errors
    /// The stack has no such resource.
    pub(crate) fn resource(&self, logical: &str) -> Result<&str> {
        let found = self.resources.get(logical).map(String::as_str);
        found.ok_or_else(|| Error::internal(format!("the stack has no resource {logical}; deploy this version first")))
    }

    /// The physical names of all functions, by their logical names.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_function = |(logical, _): &(&String, &String)| logical.ends_with("Function");
        self.resources.iter().filter(is_function).map(|(logical, physical)| (logical.as_str(), physical.as_str()))
    }

    pub(crate) async fn stored_widget_keys(&self) -> Result<WidgetKeySet> {
        let client = aws_sdk_secretsmanager::Client::new(&self.sdk);
        let answer = client.get_secret_value().secret_id(self.resource("WidgetTokenSecret")?).send().await;
        let answer = answer.map_err(|e| Error::unavailable(format!("read the secret: {}", e.into_service_error())))?;
        let text = answer.secret_string.unwrap_or_default();
        WidgetKeySet::parse(&text).map_err(|e| Error::internal(e.to_string()))
    }

    /// Replaces the content of a secret of the stack.
    pub(crate) async fn put_secret(&self, logical: &str, content: &Secret) -> Result<()> {
        let client = aws_sdk_secretsmanager::Client::new(&self.sdk);
        let request = client.put_secret_value().secret_id(self.resource(logical)?);
        let answer = request.secret_string(content.expose()).send().await;
        answer.map(drop).map_err(|e| Error::unavailable(format!("write the secret: {}", e.into_service_error())))
    }
}

/// Physical by logical names of all resources of a stack, page by page.
async fn resources(query: &Query, name: &str) -> Result<BTreeMap<String, String>> {
    let (mut found, mut next) = (BTreeMap::new(), None::<String>);
    loop {
        let mut parameters = vec![("StackName", name)];
        parameters.extend(next.as_deref().map(|token| ("NextToken", token)));
        let page = query.call("cloudformation", "2010-05-15", "ListStackResources", &parameters).await?;
        let members = page.elements("StackResourceSummaries");
        found.extend(pairs(&members, "LogicalResourceId", "PhysicalResourceId"));
        next = page.text("NextToken");
        if next.is_none() {
            return Ok(found);
        }
    }
}

/// Two fields of each element; those that lack one are left out.
fn pairs(elements: &[BTreeMap<String, String>], key: &str, value: &str) -> BTreeMap<String, String> {
    elements.iter().filter_map(|element| Some((element.get(key)?.clone(), element.get(value)?.clone()))).collect()
}

/// A variable of the functions, as the template sets it.
fn variable_of(
    variable: &str,
    resources: &BTreeMap<String, String>,
    parameters: &BTreeMap<String, String>,
    outputs: &BTreeMap<String, String>,
    stack_id: &str,
) -> Option<String> {
    let resource = |logical: &str| resources.get(logical).cloned();
    let parameter = |name: &str| parameters.get(name).cloned();
    match variable {
        "TABLE_NAME" => outputs.get("TableName").cloned(),
        "SEARCH_ENDPOINT" => outputs.get("SearchEndpoint").cloned(),
        "SEARCH_INDEX" => outputs.get("SearchIndex").cloned(),
        "SEARCH_DOMAIN_NAME" => outputs.get("SearchDomainName").cloned(),
        "WIDGET_TOKEN_SECRET_ARN" => outputs.get("WidgetTokenSecretArn").cloned(),
        "SECRETS_KMS_KEY_ARN" => resource("SecretsKey").map(|key| arn(stack_id, "kms", &format!("key/{key}"))),
        "DEAD_LETTER_BUCKET" => resource("DeadLetterBucket"),
        "WEBHOOK_QUEUE_URL" => resource("WebhookQueue"),
        "INGEST_QUEUE_URL" => resource("IngestQueue"),
        "EMBEDDING_QUEUE_URL" => resource("EmbeddingQueue"),
        "DESK_USER_POOL_ID" => resource("UserPool"),
        "DESK_URL" => parameter("DeskUrl"),
        // The provider is asked for its description alone: the client's id is enough, and its secret is not read.
        "DESK_ISSUER" if parameter("DeskUrl").is_none_or(|url| url.is_empty()) => None,
        "DESK_ISSUER" => parameter("DeskIssuer").filter(|own| !own.is_empty()).or_else(|| {
            let [_, region, _] = place(stack_id);
            resource("UserPool").map(|pool| format!("https://cognito-idp.{region}.amazonaws.com/{pool}"))
        }),
        "DESK_CLIENT_ID" => parameter("DeskClientId").filter(|own| !own.is_empty()).or_else(|| resource("DeskClient")),
        "MODEL_PROVIDER" => parameter("ModelProvider"),
        "MODEL_ID" => parameter("ModelId"),
        "MODEL_BASE_URL" => parameter("ModelBaseUrl"),
        "MODEL_API_KEY_ARN" => parameter("ModelApiKeyArn"),
        "EMBEDDING_PROVIDER" => parameter("EmbeddingProvider"),
        "EMBEDDING_MODEL_ID" => parameter("EmbeddingModelId"),
        "EMBEDDING_BASE_URL" => parameter("EmbeddingBaseUrl"),
        "EMBEDDING_DIMENSIONS" => parameter("EmbeddingDimensions"),
        "EMBEDDING_QUERY_PREFIX" => parameter("EmbeddingQueryPrefix"),
        "EMBEDDING_PASSAGE_PREFIX" => parameter("EmbeddingPassagePrefix"),
        "EMBEDDING_API_KEY_ARN" => parameter("EmbeddingApiKeyArn"),
        _ => None,
    }
}

/// The ARN of something in the account, partition and region of the stack with this ARN.
fn arn(stack_id: &str, service: &str, name: &str) -> String {
    let [partition, region, account] = place(stack_id);
    format!("arn:{partition}:{service}:{region}:{account}:{name}")
}

/// Partition, region and account of an ARN.
fn place(arn: &str) -> [&str; 3] {
    let mut parts = arn.split(':').skip(1);
    let (partition, _, region, account) = (parts.next(), parts.next(), parts.next(), parts.next());
    [partition, region, account].map(Option::unwrap_or_default)
}

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
    fn new(sdk: &SdkConfig) -> Result<Self> {
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
    fn a_key_is_in_the_stacks_account() {
        let stack = "arn:aws:cloudformation:eu-west-1:123456789012:stack/support/1";
        assert_eq!(arn(stack, "kms", "key/ab-12"), "arn:aws:kms:eu-west-1:123456789012:key/ab-12");
    }

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
