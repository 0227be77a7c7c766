//! The rights that a signed request needs of IAM: the action, the resource, and DynamoDB's leading keys.

use std::collections::BTreeSet;

use axum::body::Bytes;
use axum::http::{HeaderMap, Method, Uri};
use serde_json::Value;

use super::policy::Call;
use crate::template::stack::Stack;

/// A request to AWS, with what its signature says about it.
#[derive(Debug, Clone)]
pub(crate) struct Signed {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The access key: here the name of the function.
    pub(crate) function: String,
    /// The service that the signature is for.
    pub(crate) service: String,
}

impl Signed {
    /// Reads the scope of the signature.
    ///
    /// # Errors
    /// The request has no signature of version 4.
    pub(crate) fn read(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Result<Self, String> {
        let signature = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let scope = signature.strip_prefix("AWS4-HMAC-SHA256 Credential=").and_then(|rest| rest.split_once(','));
        let scope: Vec<&str> = scope.map(|(scope, _)| scope.split('/').collect()).unwrap_or_default();
        let [function, _day, _region, service, "aws4_request"] = scope[..] else {
            return Err(format!("{method} {uri} is not signed"));
        };
        Ok(Self { function: function.to_owned(), service: service.to_owned(), method, uri, headers, body })
    }

    /// The operation of a service with a JSON protocol.
    pub(crate) fn operation(&self) -> &str {
        let target = self.headers.get("x-amz-target").and_then(|value| value.to_str().ok()).unwrap_or_default();
        target.rsplit('.').next().unwrap_or_default()
    }

    /// The prefix of the names that a request to a bucket lists.
    pub(crate) fn listed_prefix(&self) -> Option<String> {
        let query = self.uri.query()?;
        let prefix = query.split('&').find_map(|pair| pair.strip_prefix("prefix="));
        query.contains("list-type=2").then(|| decoded(prefix.unwrap_or_default()))
    }

    /// The body as JSON; null if it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The calls that must be allowed for it.
    pub(crate) fn calls(&self, stack: &Stack<'_>) -> Vec<Call> {
        let body = self.json();
        let one = |action: &str, resource: String| {
            vec![Call { action: format!("{}:{action}", self.service), resource, ..Call::default() }]
        };
        let path = decoded(self.uri.path());
        match self.service.as_str() {
            "dynamodb" => table_calls(self.operation(), &body, &stack.arn("Table")),
            "sqs" => one(self.operation(), queue(stack, &body)),
            "kms" => one(self.operation(), text(&body["KeyId"])),
            "cognito-idp" => {
                let pool = text(&body["UserPoolId"]);
                one(self.operation(), format!("arn:aws:cognito-idp:eu-central-1:123456789012:userpool/{pool}"))
            }
            "secretsmanager" => one(self.operation(), text(&body["SecretId"])),
            "s3" => {
                let action = match self.method {
                    Method::PUT => "PutObject",
                    Method::DELETE => "DeleteObject",
                    Method::GET if self.listed_prefix().is_some() => "ListBucket",
                    Method::GET => "GetObject",
                    ref other => panic!("{other} {path} of S3 is read by nobody here"),
                };
                one(action, format!("arn:aws:s3:::{}", path.trim_matches('/')))
            }
            "lambda" => {
                let name = path.split('/').nth(3).unwrap_or_default();
                let alias = self.uri.query().and_then(|query| query.strip_prefix("Qualifier=")).unwrap_or_default();
                one("InvokeFunction", format!("arn:aws:lambda:eu-central-1:123456789012:function:{name}:{alias}"))
            }
            "bedrock" => {
                let model = path.split('/').nth(2).unwrap_or_default();
                one("InvokeModel", format!("arn:aws:bedrock:eu-central-1::foundation-model/{model}"))
            }
            "es" => {
                match path.strip_prefix("/2021-01-01/opensearch/domain/").and_then(|rest| rest.strip_suffix("/health"))
                {
                    Some(domain) => {
                        assert!(stack.search_domain_arn().ends_with(&format!("/{domain}")), "{domain}");
                        one("DescribeDomainHealth", stack.search_domain_arn())
                    }
                    None => {
                        let verb = self.method.as_str();
                        let action = format!("ESHttp{}{}", &verb[..1], verb[1..].to_lowercase());
                        one(&action, format!("{}{path}", stack.search_domain_arn()))
                    }
                }
            }
            other => panic!("requests to {other} are read by nobody here"),
        }
    }
}

/// A transaction needs the right to each of its parts.
fn table_calls(operation: &str, body: &Value, table: &str) -> Vec<Call> {
    let asked = |action: &str, part: &Value, keys: Vec<&Value>| Call {
        action: format!("dynamodb:{action}"),
        resource: body["IndexName"].as_str().map_or_else(|| table.to_owned(), |index| format!("{table}/index/{index}")),
        leading_keys: keys.into_iter().map(text).collect(),
        attributes: attributes(part),
    };
    let of_item = |action: &str, part: &Value| {
        let key = if action == "PutItem" { &part["Item"] } else { &part["Key"] };
        asked(action, part, vec![&key["pk"]["S"]])
    };
    match operation {
        action @ ("GetItem" | "UpdateItem" | "DeleteItem" | "PutItem") => vec![of_item(action, body)],
        "Query" => vec![asked("Query", body, vec![&body["ExpressionAttributeValues"][":pk"]["S"]])],
        "BatchGetItem" => {
            let tables = body["RequestItems"].as_object().unwrap().values();
            let keys = tables.flat_map(|table| table["Keys"].as_array().unwrap()).map(|key| &key["pk"]["S"]);
            vec![asked("BatchGetItem", body, keys.collect())]
        }
        "BatchWriteItem" => {
            let writes = body["RequestItems"].as_object().unwrap().values().flat_map(|table| table.as_array().unwrap());
            let keys = writes.map(|write| &write["PutRequest"]["Item"]["pk"]["S"]);
            vec![asked("BatchWriteItem", body, keys.collect())]
        }
        "TransactWriteItems" => {
            let parts = body["TransactItems"].as_array().unwrap().iter().flat_map(|part| part.as_object().unwrap());
            let part = |(kind, part): (&String, &Value)| match kind.as_str() {
                "ConditionCheck" => of_item("ConditionCheckItem", part),
                kind => of_item(&format!("{kind}Item"), part),
            };
            parts.map(part).collect()
        }
        other => panic!("{other} of the table is read by nobody here"),
    }
}

/// The top-level attributes that a request names: of its key, of the item that it puts, and in its expressions.
pub(crate) fn attributes(request: &Value) -> Vec<String> {
    let names = |of: &str| request[of].as_object().into_iter().flat_map(|item| item.keys().cloned()).collect();
    let mut named: BTreeSet<String> =
        [names("Key"), names("Item")].into_iter().flat_map(|of: Vec<String>| of).collect();
    for expression in ["UpdateExpression", "ConditionExpression", "ProjectionExpression", "FilterExpression"] {
        let expression = request[expression].as_str().unwrap_or_default();
        named.extend(names_in(expression).map(|name| match request["ExpressionAttributeNames"][name].as_str() {
            Some(stands_for) => stands_for.to_owned(),
            None => name.to_owned(),
        }));
    }
    named.into_iter().collect()
}

/// The first names of the paths in an expression.
fn names_in(expression: &str) -> impl Iterator<Item = &str> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "_#:.".contains(c);
    let words = expression.split(move |c: char| !is_of_path(c)).map(|path| path.split('.').next().unwrap_or_default());
    words.filter(|word| {
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#' || c == '_');
        is_name && !WORDS_OF_EXPRESSIONS.contains(&word.to_ascii_lowercase().as_str())
    })
}

/// Words of an expression that are no names.
const WORDS_OF_EXPRESSIONS: [&str; 17] = [
    "set",
    "add",
    "remove",
    "delete",
    "and",
    "or",
    "not",
    "between",
    "in",
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "size",
    "if_not_exists",
    "list_append",
];

#[test]
fn the_attributes_of_a_request_are_those_that_it_names() {
    let update = serde_json::json!({
        "Key": {"pk": {"S": "p"}, "sk": {"S": "s"}},
        "UpdateExpression": "SET #r = if_not_exists(a.b[0], :one), card.name=:x REMOVE gone ADD version :one",
        "ConditionExpression": "attribute_exists(pk) AND (NOT used > :recent OR size(tags) BETWEEN :a AND :b)",
        "ExpressionAttributeNames": {"#r": "role"},
    });
    assert_eq!(attributes(&update), ["a", "card", "gone", "pk", "role", "sk", "tags", "used", "version"]);
    assert_eq!(attributes(&serde_json::json!({"Item": {"pk": {"S": "p"}, "x": {"N": "1"}}})), ["pk", "x"]);
}

/// The ARN of the queue that is named by its URL or its name.
fn queue(stack: &Stack<'_>, body: &Value) -> String {
    let named = body["QueueUrl"].as_str().or(body["QueueName"].as_str()).unwrap_or_default();
    let name = named.rsplit('/').next().unwrap_or_default();
    let queues = stack.resources("AWS::SQS::Queue");
    let id = queues.keys().find(|id| stack.arn(id).ends_with(&format!(":{name}")));
    stack.arn(id.unwrap_or_else(|| panic!("the stack has no queue {named}")))
}

/// A path, percent-decoded: IAM compares what it stands for.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match escaped.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text where one was expected: {value}")).to_owned()
}
