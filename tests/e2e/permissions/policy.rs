//! The part of IAM that the template's roles use, evaluated: allowing statements with actions, resources and the
//! condition on DynamoDB's leading keys, and denying ones for all that a function's code sends. Any other statement
//! fails the test.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::template::document::texts;
use crate::template::stack::Stack;

/// The one condition of an allowing statement that is understood.
const LEADING_KEYS: (&str, &str) = ("ForAllValues:StringLike", "dynamodb:LeadingKeys");
/// That of a denying one. It holds for every request of a function's code, and for none of Lambda itself.
const SENT_BY_CODE: (&str, &str, &str) = ("ArnLike", "lambda:SourceFunctionArn", "arn:aws:lambda:*:*:function:*");

/// An action on a resource, as IAM is asked about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    /// `dynamodb:GetItem`.
    pub(crate) action: String,
    /// The ARN.
    pub(crate) resource: String,
    /// The partition keys of a request to the table.
    pub(crate) leading_keys: Vec<String>,
}

/// The least that can be taken away from a role: one action on one resource, under one pattern of leading keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Right {
    statement: usize,
    /// The action's pattern.
    pub(crate) action: String,
    /// The resource's pattern.
    pub(crate) resource: String,
    /// The pattern of leading keys, where the statement has that condition.
    pub(crate) leading_key: Option<String>,
}

/// The statements of a role.
#[derive(Debug)]
pub(crate) struct Role(Vec<Statement>);

#[derive(Debug)]
struct Statement {
    /// Whether it denies what a function's code sends; otherwise it allows.
    denies_code: bool,
    actions: Vec<String>,
    resources: Vec<String>,
    leading_keys: Option<Vec<String>>,
}

impl Statement {
    fn parse(statement: &Value) -> Self {
        for key in statement.as_object().unwrap().keys() {
            let known = ["Sid", "Effect", "Action", "Resource", "Condition"].contains(&key.as_str());
            assert!(known, "{key} is not understood: {statement}");
        }
        let denies_code = statement["Effect"] == "Deny";
        if denies_code {
            let (operator, key, arn) = SENT_BY_CODE;
            assert_eq!(statement["Condition"], serde_json::json!({operator: {key: arn}}), "{statement}");
        } else {
            assert_eq!(statement["Effect"], "Allow", "{statement}");
        }
        let leading_keys = statement.get("Condition").filter(|_| !denies_code).map(|condition| {
            let patterns = &condition[LEADING_KEYS.0][LEADING_KEYS.1];
            let understood = serde_json::json!({LEADING_KEYS.0: {LEADING_KEYS.1: patterns}});
            assert_eq!(*condition, understood, "this condition is not understood");
            texts(patterns)
        });
        Self {
            denies_code,
            actions: texts(&statement["Action"]),
            resources: texts(&statement["Resource"]),
            leading_keys,
        }
    }

    /// Whether it is about the call, without the right that was taken from it. `ForAllValues` holds for a request
    /// without a key, too.
    fn matches(&self, call: &Call, without: Option<&Right>) -> bool {
        let pairs =
            self.actions.iter().flat_map(|action| self.resources.iter().map(move |resource| (action, resource)));
        let mut pairs = pairs.filter(|(action, resource)| {
            is_like(&action.to_lowercase(), &call.action.to_lowercase()) && is_like(resource, &call.resource)
        });
        pairs.any(|(action, resource)| {
            let is_taken = |key: Option<&String>| {
                without.is_some_and(|right| {
                    (&right.action, &right.resource, right.leading_key.as_ref()) == (action, resource, key)
                })
            };
            match &self.leading_keys {
                None => !is_taken(None),
                Some(patterns) => call
                    .leading_keys
                    .iter()
                    .all(|key| patterns.iter().any(|pattern| is_like(pattern, key) && !is_taken(Some(pattern)))),
            }
        })
    }
}

impl Role {
    /// The role of the function `id`: its own policies and the shared ones.
    pub(crate) fn of_function(stack: &Stack<'_>, id: &str) -> Self {
        let arn = stack.resources("AWS::Lambda::Function")[id]["Role"].clone();
        let roles = stack.resources("AWS::IAM::Role");
        let (_, role) = roles.iter().find(|(role, _)| stack.arn(role) == arn).unwrap_or_else(|| panic!("{id}: {arn}"));
        let shared: BTreeMap<String, Value> = stack.resources("AWS::IAM::ManagedPolicy");
        let shared: BTreeMap<String, Value> = shared.into_iter().map(|(id, policy)| (stack.arn(&id), policy)).collect();
        let attached = texts(&role["ManagedPolicyArns"]).into_iter().map(|arn| {
            shared.get(&arn).unwrap_or_else(|| panic!("{id} has the policy {arn}, which the template does not declare"))
        });
        Self(Self::new(role).0.into_iter().chain(attached.flat_map(statements)).collect())
    }

    /// The policies of a role's own.
    pub(crate) fn new(role: &Value) -> Self {
        Self(role["Policies"].as_array().unwrap().iter().flat_map(statements).collect())
    }

    /// Whether it allows the call to a function's code.
    pub(crate) fn allows(&self, call: &Call) -> bool {
        !self.denies_code(call) && self.allowing().any(|(_, statement)| statement.matches(call, None))
    }

    /// Whether it allows the call to Lambda itself.
    pub(crate) fn allows_lambda(&self, call: &Call) -> bool {
        self.allowing().any(|(_, statement)| statement.matches(call, None))
    }

    fn denies_code(&self, call: &Call) -> bool {
        self.0.iter().any(|statement| statement.denies_code && statement.matches(call, None))
    }

    /// The allowing statements, each with its place.
    fn allowing(&self) -> impl Iterator<Item = (usize, &Statement)> {
        self.0.iter().enumerate().filter(|(_, statement)| !statement.denies_code)
    }

    /// Whether it allows the call if `right` is taken away.
    pub(crate) fn allows_without(&self, right: &Right, call: &Call) -> bool {
        let left = |(at, statement): (usize, &Statement)| {
            statement.matches(call, Some(right).filter(|_| at == right.statement))
        };
        !self.denies_code(call) && self.allowing().any(left)
    }

    /// Every single right.
    pub(crate) fn rights(&self) -> Vec<Right> {
        let mut rights = Vec::new();
        for (at, statement) in self.allowing() {
            let keys: Vec<Option<String>> = match &statement.leading_keys {
                None => vec![None],
                Some(patterns) => patterns.iter().cloned().map(Some).collect(),
            };
            for (action, resource) in
                statement.actions.iter().flat_map(|a| statement.resources.iter().map(move |r| (a, r)))
            {
                rights.extend(keys.iter().map(|leading_key| Right {
                    statement: at,
                    action: action.clone(),
                    resource: resource.clone(),
                    leading_key: leading_key.clone(),
                }));
            }
        }
        rights
    }
}

fn statements(policy: &Value) -> Vec<Statement> {
    policy["PolicyDocument"]["Statement"].as_array().unwrap().iter().map(Statement::parse).collect()
}

/// IAM's `StringLike`: `*` stands for any text, `?` for any one character.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for wanted in pattern {
        let before = reached.clone();
        for at in 0..=text.len() {
            reached[at] = match wanted {
                '*' => before[at] || (at > 0 && reached[at - 1]),
                '?' => at > 0 && before[at - 1],
                letter => at > 0 && before[at - 1] && text[at - 1] == letter,
            };
        }
    }
    reached[text.len()]
}

#[test]
fn a_pattern_is_read_as_iam_reads_it() {
    for (pattern, text) in
        [("*#GAP", "ten_1#live#GAP"), ("KEY#*", "KEY#ab"), ("HEALTH", "HEALTH"), ("*", ""), ("a?c*e", "abcde")]
    {
        assert!(is_like(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("*#GAP", "ten_1#live#GAPSEEN"), ("KEY#*", "HEALTH"), ("HEALTH", "HEALTH#1"), ("a?c", "ac")]
    {
        assert!(!is_like(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn a_call_is_allowed_by_one_statement_as_a_whole_and_a_missing_right_denies_it() {
    let condition = serde_json::json!({"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["A#*", "B"]}});
    let statements = serde_json::json!([
        {"Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:PutItem"], "Resource": "table/t", "Condition": condition},
        {"Effect": "Allow", "Action": "es:ESHttp*", "Resource": ["d/wiki/_doc/*", "d/wiki/_search"]},
    ]);
    let role = Role(statements.as_array().unwrap().iter().map(Statement::parse).collect());
    let call = |action: &str, resource: &str, keys: &[&str]| Call {
        action: action.into(),
        resource: resource.into(),
        leading_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
    };
    assert!(role.allows(&call("dynamodb:GetItem", "table/t", &["A#1", "B"])));
    assert!(!role.allows(&call("dynamodb:GetItem", "table/t", &["A#1", "C"])));
    assert!(!role.allows(&call("dynamodb:GetItem", "table/t/index/i", &["B"])));
    assert!(role.allows(&call("es:ESHttpPost", "d/wiki/_doc/x", &[])));
    assert_eq!(role.rights().len(), 2 * 2 + 2);
    let get_b = call("dynamodb:GetItem", "table/t", &["B"]);
    let needed: Vec<_> = role.rights().into_iter().filter(|right| !role.allows_without(right, &get_b)).collect();
    assert_eq!(needed.len(), 1, "{needed:?}");
    assert_eq!((needed[0].action.as_str(), needed[0].leading_key.as_deref()), ("dynamodb:GetItem", Some("B")));
}

#[test]
fn what_is_denied_to_code_is_allowed_to_lambda_only() {
    let (operator, key, arn) = SENT_BY_CODE;
    let statements = serde_json::json!([
        {"Effect": "Allow", "Action": ["ec2:DescribeSubnets", "sqs:SendMessage"], "Resource": "*"},
        {"Effect": "Deny", "Action": "ec2:*", "Resource": "*", "Condition": {operator: {key: arn}}},
    ]);
    let role = Role(statements.as_array().unwrap().iter().map(Statement::parse).collect());
    let call = |action: &str| Call { action: action.into(), resource: "x".into(), leading_keys: Vec::new() };
    assert!(role.allows_lambda(&call("ec2:DescribeSubnets")) && !role.allows(&call("ec2:DescribeSubnets")));
    assert!(role.allows(&call("sqs:SendMessage")) && !role.allows_lambda(&call("ec2:DeleteSubnet")));
    assert!(role.rights().iter().all(|right| right.action != "ec2:*"), "a denial is no right");
}

#[test]
#[should_panic(expected = "is not understood")]
fn a_statement_that_is_not_understood_fails() {
    Statement::parse(&serde_json::json!({"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"}));
}
