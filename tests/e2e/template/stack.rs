//! A stack of the transformed template: every reference, function and condition in the place of its value.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Where the stacks of tests are.
const REGION: &str = "eu-central-1";
const ACCOUNT: &str = "123456789012";

/// A stack with its parameters; its resources have made-up physical names that begin with the stack's.
#[derive(Debug)]
pub(crate) struct Stack<'a> {
    name: &'a str,
    template: &'a Value,
    parameters: BTreeMap<String, String>,
}

impl<'a> Stack<'a> {
    /// A stack of `template`; a parameter that is not `given` has its default.
    pub(crate) fn new(name: &'a str, template: &'a Value, given: &[(&str, &str)]) -> Self {
        let declared = template["Parameters"].as_object().unwrap();
        let default = |(name, parameter): (&String, &Value)| (name.clone(), text(&parameter["Default"]));
        let mut parameters: BTreeMap<_, _> = declared.iter().map(default).collect();
        for (parameter, value) in given {
            assert!(declared.contains_key(*parameter), "the template has no parameter {parameter}");
            parameters.insert((*parameter).to_owned(), (*value).to_owned());
        }
        Self { name, template, parameters }
    }

    /// The resources of a type by logical id, resolved; those whose condition does not hold are not there.
    pub(crate) fn resources(&self, kind: &str) -> BTreeMap<String, Value> {
        let all = self.template["Resources"].as_object().unwrap().iter();
        let made = all.filter(|(_, resource)| resource["Type"] == kind && self.is_made(resource));
        made.map(|(id, resource)| (id.clone(), self.resolve(&resource["Properties"]))).collect()
    }

    /// The outputs by name, resolved; those whose condition does not hold are not there.
    pub(crate) fn outputs(&self) -> BTreeMap<String, Value> {
        let all = self.template["Outputs"].as_object().unwrap().iter().filter(|(_, output)| self.is_made(output));
        all.map(|(name, output)| (name.clone(), self.resolve(&output["Value"]))).collect()
    }

    /// The ARN of the search domain, the stack's own or an existing one.
    pub(crate) fn search_domain_arn(&self) -> String {
        format!("arn:aws:es:{REGION}:{ACCOUNT}:domain/{}", text(&self.outputs()["SearchDomainName"]))
    }

    /// The ARN of a resource.
    pub(crate) fn arn(&self, id: &str) -> String {
        self.attribute(id, "Arn")
    }

    /// The reference to a resource: its name, URL or ARN.
    pub(crate) fn reference(&self, id: &str) -> String {
        match self.kind(id) {
            "AWS::SQS::Queue" => format!("https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{}", self.physical(id)),
            "AWS::SecretsManager::Secret" | "AWS::IAM::ManagedPolicy" | "AWS::SNS::Topic" => self.arn(id),
            "AWS::Lambda::Alias" => {
                let alias = &self.template["Resources"][id]["Properties"];
                format!("{}:{}", self.arn(&text(&alias["FunctionName"]["Ref"])), text(&alias["Name"]))
            }
            _ => self.physical(id),
        }
    }

    fn resolve(&self, value: &Value) -> Value {
        self.resolved(value).unwrap_or(Value::Null)
    }

    /// The value; none for what is to be left out.
    fn resolved(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Array(list) => Some(list.iter().filter_map(|value| self.resolved(value)).collect()),
            Value::Object(map) => match map.iter().next().filter(|_| map.len() == 1) {
                Some((name, argument)) if name == "Ref" || name.starts_with("Fn::") => self.function(name, argument),
                _ => {
                    let pairs = map.iter().filter_map(|(key, value)| Some((key.clone(), self.resolved(value)?)));
                    Some(Value::Object(pairs.collect::<Map<_, _>>()))
                }
            },
            plain => Some(plain.clone()),
        }
    }

    fn function(&self, name: &str, argument: &Value) -> Option<Value> {
        let part = |at: usize| self.resolve(&argument[at]);
        match name {
            "Ref" if argument == "AWS::NoValue" => None,
            "Ref" => Some(self.parameter_or_reference(argument.as_str().unwrap())),
            "Fn::GetAtt" => Some(match argument {
                Value::Array(path) => self.attribute(&text(&path[0]), &text(&path[1])).into(),
                path => {
                    let path = text(path);
                    let (id, attribute) = path.split_once('.').unwrap();
                    self.attribute(id, attribute).into()
                }
            }),
            "Fn::Sub" => Some(self.substituted(argument).into()),
            "Fn::If" => self.resolved(&argument[if self.holds(&text(&argument[0])) { 1 } else { 2 }]),
            "Fn::Join" => {
                let parts: Vec<_> = part(1).as_array().unwrap().iter().map(text).collect();
                Some(parts.join(&text(&part(0))).into())
            }
            "Fn::Select" => Some(part(1)[text(&argument[0]).parse::<usize>().unwrap()].clone()),
            "Fn::Split" => Some(text(&part(1)).split(&text(&part(0))).collect()),
            other => panic!("a stack does not know {other}"),
        }
    }

    fn parameter_or_reference(&self, name: &str) -> Value {
        match (self.parameters.get(name), name) {
            (Some(list), _) if self.template["Parameters"][name]["Type"] == "CommaDelimitedList" => {
                list.split(',').collect()
            }
            (Some(value), _) => value.clone().into(),
            (None, "AWS::StackName") => self.name.into(),
            (None, "AWS::StackId") => {
                format!("arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{0}/0a1b-{0}", self.name).into()
            }
            (None, "AWS::Region") => REGION.into(),
            (None, "AWS::AccountId") => ACCOUNT.into(),
            (None, "AWS::Partition") => "aws".into(),
            (None, "AWS::URLSuffix") => "amazonaws.com".into(),
            (None, id) => self.reference(id).into(),
        }
    }

    fn attribute(&self, id: &str, attribute: &str) -> String {
        let (kind, name) = (self.kind(id), self.physical(id));
        let arn = |service: &str, rest: String| format!("arn:aws:{service}:{REGION}:{ACCOUNT}:{rest}");
        match (kind, attribute) {
            ("AWS::DynamoDB::Table", "Arn") => arn("dynamodb", format!("table/{name}")),
            ("AWS::DynamoDB::Table", "StreamArn") => format!("{}/stream/2026-01-01T00:00:00.000", self.arn(id)),
            ("AWS::SQS::Queue", "Arn") => arn("sqs", name),
            ("AWS::S3::Bucket", "Arn") => format!("arn:aws:s3:::{name}"),
            ("AWS::KMS::Key", "Arn") => arn("kms", format!("key/{name}")),
            ("AWS::SecretsManager::Secret", "Arn") => arn("secretsmanager", format!("secret:{name}-a1b2c3")),
            ("AWS::SNS::Topic", "Arn") => arn("sns", name),
            ("AWS::OpenSearchService::Domain", "Arn") => arn("es", format!("domain/{name}")),
            ("AWS::OpenSearchService::Domain", "DomainEndpoint") => format!("search-{name}.{REGION}.es.amazonaws.com"),
            ("AWS::IAM::Role", "Arn") => format!("arn:aws:iam::{ACCOUNT}:role/{name}"),
            ("AWS::IAM::ManagedPolicy", "Arn") => format!("arn:aws:iam::{ACCOUNT}:policy/{name}"),
            ("AWS::Logs::LogGroup", "Arn") => arn("logs", format!("log-group:{name}:*")),
            ("AWS::Lambda::Function", "Arn") => arn("lambda", format!("function:{name}")),
            ("AWS::SQS::Queue", "QueueName") => name,
            ("AWS::Cognito::UserPool", "Arn") => arn("cognito-idp", format!("userpool/{name}")),
            // Nothing here looks at the value of any other.
            _ => format!("{name}.{attribute}"),
        }
    }

    /// The text with each `${…}` replaced; with a map, its names come first.
    fn substituted(&self, argument: &Value) -> String {
        let (template, names) = match argument {
            Value::Array(both) => (text(&both[0]), self.resolve(&both[1])),
            one => (text(one), Value::Null),
        };
        let mut parts = template.split("${");
        let mut made = parts.next().unwrap().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap();
            made += &match (names.get(name), name.split_once('.')) {
                (Some(value), _) => text(value),
                (None, Some((id, attribute))) => self.attribute(id, attribute),
                (None, None) => text(&self.parameter_or_reference(name)),
            };
            made += rest;
        }
        made
    }

    fn is_made(&self, resource: &Value) -> bool {
        resource["Condition"].as_str().is_none_or(|condition| self.holds(condition))
    }

    fn holds(&self, condition: &str) -> bool {
        let declared = &self.template["Conditions"][condition];
        assert!(declared.is_object(), "the template has no condition {condition}");
        self.is_true(declared)
    }

    fn is_true(&self, condition: &Value) -> bool {
        let (function, argument) = condition.as_object().unwrap().iter().next().unwrap();
        let mut each = argument.as_array().into_iter().flatten();
        match function.as_str() {
            "Condition" => self.holds(&text(argument)),
            "Fn::Equals" => self.resolve(&argument[0]) == self.resolve(&argument[1]),
            "Fn::Not" => !self.is_true(&argument[0]),
            "Fn::And" => each.all(|condition| self.is_true(condition)),
            "Fn::Or" => each.any(|condition| self.is_true(condition)),
            other => panic!("a stack does not know the condition {other}"),
        }
    }

    /// The type of a resource that something refers to.
    fn kind(&self, id: &str) -> &str {
        let resource = &self.template["Resources"][id];
        assert!(self.is_made(resource), "the stack has no {id}, which something refers to");
        resource["Type"].as_str().unwrap_or_else(|| panic!("the template has no {id}"))
    }

    fn physical(&self, id: &str) -> String {
        format!("{}-{id}", self.name).to_lowercase()
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}
