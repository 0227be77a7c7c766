//! The part of IAM that the template's roles use, evaluated: allowing and denying statements with actions, resources and
//! conditions (`conditions`). Any other statement fails the test.

use std::collections::BTreeMap;

use serde_json::Value;

use super::conditions::{Condition, LEADING_KEYS, Sender, is_like};
use crate::template::document::texts;
use crate::template::stack::Stack;

/// An action on a resource, as IAM is asked about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    /// `dynamodb:GetItem`.
    pub(crate) action: String,
    /// The ARN.
    pub(crate) resource: String,
    /// The partition keys of a request to the table.
    pub(crate) leading_keys: Vec<String>,
    /// The top-level attributes that a request to the table names.
    pub(crate) attributes: Vec<String>,
}

/// The least that can be taken away from a role: one action on one resource, under one pattern of leading keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Right {
    statement: usize,
    /// The action's pattern.
    pub(crate) action: String,
    /// The resource's pattern.
    pub(crate) resource: String,
    /// The pattern of leading keys, if the statement has that condition.
    pub(crate) leading_key: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Role(Vec<Statement>);

#[derive(Debug)]
struct Statement {
    denies: bool,
    actions: Vec<String>,
    resources: Vec<String>,
    /// All of them must hold.
    conditions: Vec<Condition>,
}

impl Statement {
    fn parse(statement: &Value) -> Self {
        for key in statement.as_object().unwrap().keys() {
            let known = ["Sid", "Effect", "Action", "Resource", "Condition"].contains(&key.as_str());
            assert!(known, "{key} is not understood: {statement}");
        }
        let denies = statement["Effect"] == "Deny";
        assert!(denies || statement["Effect"] == "Allow", "{statement}");
        let conditions: Vec<Condition> = statement.get("Condition").map(Condition::parse_all).unwrap_or_default();
        // Only this condition of an allowance is understood: a pattern of all leading keys.
        let is_understood = |condition: &Condition| condition.is_for_all_leading_keys();
        assert!(denies || conditions.iter().all(is_understood), "this condition is not understood: {statement}");
        Self { denies, actions: texts(&statement["Action"]), resources: texts(&statement["Resource"]), conditions }
    }

    /// The patterns of leading keys that an allowing statement is limited to.
    fn leading_keys(&self) -> Option<&[String]> {
        self.conditions.iter().find(|condition| condition.key == LEADING_KEYS).map(|of| of.values.as_slice())
    }

    /// Whether it is about the call, without the right that was taken from it.
    fn matches(&self, call: &Call, sender: Sender, without: Option<&Right>) -> bool {
        let pairs =
            self.actions.iter().flat_map(|action| self.resources.iter().map(move |resource| (action, resource)));
        let called = call.action.to_lowercase();
        let mut pairs = pairs
            .filter(|(action, resource)| is_like(&action.to_lowercase(), &called) && is_like(resource, &call.resource));
        pairs.any(|(action, resource)| {
            let taken = without.filter(|right| right.action == *action && right.resource == *resource);
            match taken {
                Some(Right { leading_key: None, .. }) => false,
                taken => {
                    let pattern = taken.and_then(|right| right.leading_key.as_deref());
                    self.conditions.iter().all(|condition| condition.holds(call, sender, pattern))
                }
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
        self.decides(call, Sender::Code, None)
    }

    /// Whether it allows the call to Lambda itself.
    pub(crate) fn allows_lambda(&self, call: &Call) -> bool {
        self.decides(call, Sender::Lambda, None)
    }

    /// Whether it allows the call if `right` is taken away.
    pub(crate) fn allows_without(&self, right: &Right, call: &Call) -> bool {
        self.decides(call, Sender::Code, Some(right))
    }

    /// The role without its denying statements.
    pub(crate) fn without_denials(self) -> Self {
        Self(self.0.into_iter().filter(|statement| !statement.denies).collect())
    }

    /// A statement allows it, and none denies it.
    fn decides(&self, call: &Call, sender: Sender, without: Option<&Right>) -> bool {
        let taken = |at: usize| without.filter(|right| right.statement == at);
        let is_denied = self.0.iter().any(|statement| statement.denies && statement.matches(call, sender, None));
        let mut allowing = self.0.iter().enumerate().filter(|(_, statement)| !statement.denies);
        !is_denied && allowing.any(|(at, statement)| statement.matches(call, sender, taken(at)))
    }

    /// Every single right.
    pub(crate) fn rights(&self) -> Vec<Right> {
        let mut rights = Vec::new();
        for (at, statement) in self.0.iter().enumerate().filter(|(_, statement)| !statement.denies) {
            let keys: Vec<Option<String>> = match statement.leading_keys() {
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

#[test]
fn a_call_is_allowed_by_one_statement_as_a_whole_and_a_missing_right_denies_it() {
    let condition = serde_json::json!({"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["A#*", "B"]}});
    let statements = serde_json::json!([
        {"Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:PutItem"], "Resource": "table/t", "Condition": condition},
        {"Effect": "Allow", "Action": "es:ESHttp*", "Resource": ["d/wiki/_doc/*", "d/wiki/_msearch"]},
    ]);
    let role = Role(statements.as_array().unwrap().iter().map(Statement::parse).collect());
    let call = |action: &str, resource: &str, keys: &[&str]| Call {
        action: action.into(),
        resource: resource.into(),
        leading_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        ..Call::default()
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
fn network_rights_are_denied_to_code_and_allowed_to_lambda() {
    let code = serde_json::json!({"ArnLike": {"lambda:SourceFunctionArn": "arn:aws:lambda:*:*:function:*"}});
    let statements = serde_json::json!([
        {"Effect": "Allow", "Action": ["ec2:DescribeSubnets", "sqs:SendMessage"], "Resource": "*"},
        {"Effect": "Deny", "Action": "ec2:*", "Resource": "*", "Condition": code},
    ]);
    let role = Role(statements.as_array().unwrap().iter().map(Statement::parse).collect());
    let call = |action: &str| Call { action: action.into(), resource: "x".into(), ..Call::default() };
    assert!(role.allows_lambda(&call("ec2:DescribeSubnets")) && !role.allows(&call("ec2:DescribeSubnets")));
    assert!(role.allows(&call("sqs:SendMessage")) && !role.allows_lambda(&call("ec2:DeleteSubnet")));
    assert!(role.rights().iter().all(|right| right.action != "ec2:*"), "a denial is no right");
}

#[test]
#[should_panic(expected = "is not understood")]
fn a_statement_that_is_not_understood_fails() {
    Statement::parse(&serde_json::json!({"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"}));
}
