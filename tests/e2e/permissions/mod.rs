//! The permissions of the functions, held to their requests: every built function runs with the role that the
//! transformed template gives it, behind a gate that enforces the role.
//!
//! `policy` and `conditions` evaluate the roles, `request` says what a request asks of IAM, `gate` decides and records, `stand_ins` and
//! `search` answer, `deployment` runs the functions, and `scenario` is what a tenant does with them.

mod conditions;
mod deployment;
mod gate;
mod policy;
mod protected_items;
mod request;
mod roles;
#[path = "../../lambda/runtime.rs"]
mod runtime;
mod scenario;
mod search;
mod signatures;
pub(crate) mod stand_ins;
#[path = "../../lambda/table.rs"]
mod table;

use std::collections::BTreeSet;

use deployment::Deployment;
use policy::{Call, Right, Role};

use crate::template::document::functions;
use crate::template::existing_domain::EXISTING_DOMAIN;
use crate::template::stack::Stack;
use crate::template::transformed::transformed;

/// Both models of Bedrock.
const BEDROCK: [(&str, &str); 4] = [
    ("ModelProvider", "bedrock"),
    ("ModelId", "anthropic.claude-v1:0"),
    ("ModelArns", "arn:aws:bedrock:eu-central-1::foundation-model/anthropic.claude-v1:0"),
    // So that the model may change them.
    ("EmbeddingDimensions", ""),
];
/// Two subnets and two security groups.
const VPC: [(&str, &str); 2] = [("VpcSubnetIds", "subnet-a1,subnet-b2"), ("VpcSecurityGroupIds", "sg-a1,sg-b2")];
/// A desk with the stack's own user pool.
const DESK: [(&str, &str); 1] = [("DeskUrl", "https://desk.example/desk/")];
/// Both models behind endpoints with keys.
const OPENAI: [(&str, &str); 8] = [
    ("ModelProvider", "openai"),
    ("ModelId", "m"),
    ("ModelBaseUrl", "http://127.0.0.1:1/v1"),
    ("ModelApiKeyArn", "arn:aws:secretsmanager:eu-central-1:123456789012:secret:model-a1b2c3"),
    ("EmbeddingProvider", "openai"),
    ("EmbeddingModelId", "e"),
    ("EmbeddingBaseUrl", "http://127.0.0.1:1/v1"),
    ("EmbeddingApiKeyArn", "arn:aws:secretsmanager:eu-central-1:123456789012:secret:embedding-a1b2c3"),
];

/// The rights of a function that its code does not use, each with who does.
fn is_used_by_lambda(function: &str, right: &Right) -> bool {
    let of_lambda = [
        // Lambda writes what a function prints, and the traces of its invocations.
        ("logs:CreateLogStream", ""),
        ("logs:PutLogEvents", ""),
        ("xray:PutTraceSegments", ""),
        ("xray:PutTelemetryRecords", ""),
        // The event source of a queue takes messages and removes those that were handled.
        ("sqs:ReceiveMessage", ""),
        ("sqs:DeleteMessage", ""),
        // The event source of the table's stream reads it.
        ("dynamodb:DescribeStream", "/stream/"),
        ("dynamodb:GetRecords", "/stream/"),
        ("dynamodb:GetShardIterator", "/stream/"),
        ("dynamodb:ListStreams", "/stream/*"),
        // Lambda attaches a function to a VPC with the function's role.
        ("ec2:DescribeNetworkInterfaces", ""),
        ("ec2:DescribeSubnets", ""),
        ("ec2:CreateNetworkInterface", ":network-interface/*"),
        ("ec2:CreateNetworkInterface", ":subnet/subnet-"),
        ("ec2:CreateNetworkInterface", ":security-group/sg-"),
        ("ec2:DeleteNetworkInterface", ":network-interface/*"),
        ("ec2:AssignPrivateIpAddresses", ":network-interface/*"),
        ("ec2:UnassignPrivateIpAddresses", ":network-interface/*"),
    ];
    // Lambda stores the batches of the stream that it gave up on.
    let of_stream = [("s3:PutObject", "/aws/lambda/*"), ("s3:ListBucket", "")];
    let of_stream = of_stream.iter().filter(|_| function == "changes");
    of_lambda.iter().chain(of_stream).any(|(action, on)| right.action == *action && right.resource.contains(on))
}

/// Whether this is the right of an event source to see how full its queue is.
fn is_of_an_event_source(role: &Role, right: &Right) -> bool {
    let takes = |other: &Right| other.action == "sqs:ReceiveMessage" && other.resource == right.resource;
    right.action == "sqs:GetQueueAttributes" && role.rights().iter().any(takes)
}

/// The rights of each function that no call needs: without one of them, everything that was called is still allowed.
fn unused(stack: &Stack<'_>, calls: &BTreeSet<(String, Call)>) -> Vec<String> {
    let mut unused = Vec::new();
    for (name, function) in functions() {
        let role = Role::of_function(stack, &function.id);
        let its: Vec<&Call> = calls.iter().filter(|(caller, _)| *caller == name).map(|(_, call)| call).collect();
        for right in role.rights() {
            if is_used_by_lambda(&name, &right) || is_of_an_event_source(&role, &right) {
                continue;
            }
            if its.iter().all(|call| role.allows_without(&right, call)) {
                unused.push(format!("{name} {} {} {:?}", right.action, right.resource, right.leading_key));
            }
        }
    }
    unused
}

#[tokio::test]
async fn every_function_may_send_what_it_sends_and_needs_every_right() {
    let Some(template) = transformed() else { return };
    let parameters = [&BEDROCK[..], &VPC, &DESK].concat();
    let stack = || Stack::new("one", template, &parameters);
    let mut deployment = Deployment::start(stack()).await;
    scenario::run(&mut deployment).await;
    deployment.assert_started();
    let passed = std::mem::take(&mut *deployment.gate.passed());
    let failures = deployment.failures.lock().unwrap().clone();
    let unused = unused(&stack(), &passed.calls);
    assert!(
        passed.denied.is_empty() && failures.is_empty() && unused.is_empty(),
        "denied: {:#?}\nfailed: {failures:#?}\nno request needs these rights: {unused:#?}\n{}",
        passed.denied,
        deployment.logs()
    );
    signatures::assert_valid(&passed.searches);
}

#[tokio::test]
async fn the_key_of_a_models_endpoint_is_read_by_who_calls_the_model_and_an_existing_domain_is_used() {
    let Some(template) = transformed() else { return };
    let parameters = [&OPENAI[..], &EXISTING_DOMAIN].concat();
    let stack = || Stack::new("one", template, &parameters);
    let deployment = Deployment::start(stack()).await;
    scenario::wake(&deployment).await;
    deployment.assert_started();
    let passed = std::mem::take(&mut *deployment.gate.passed());
    assert!(passed.denied.is_empty(), "{:#?}", passed.denied);
    let of_secrets = |line: &String| line.contains("secretsmanager:");
    let unused: Vec<_> = unused(&stack(), &passed.calls).into_iter().filter(of_secrets).collect();
    assert!(unused.is_empty(), "no request needs these rights: {unused:#?}");
    let asked: BTreeSet<&str> = passed.searches.iter().map(|request| request.uri.path()).collect();
    assert!(asked.contains("/2021-01-01/opensearch/domain/shared/health"), "{asked:?}");
    assert!(asked.iter().any(|path| path.starts_with("/wiki-0a1b-one/")), "{asked:?}");
}
