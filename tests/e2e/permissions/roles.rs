//! The roles of the transformed template as they stand: each declared by the template, on named resources, and with
//! what Lambda, CodeDeploy and the scheduler need.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::VPC;
use super::conditions::is_like;
use super::policy::{Call, Right, Role};
use crate::template::clients::{Client, Clients};
use crate::template::document::{functions, resources, root, texts};
use crate::template::existing_domain::{EXISTING_DOMAIN, EXISTING_DOMAIN_ARN};
use crate::template::stack::Stack;
use crate::template::transformed::transformed;

fn stack() -> Option<Stack<'static>> {
    transformed().map(|template| Stack::new("one", template, &[]))
}

/// The actions that a role may perform on one resource.
fn actions_on(role: &Role, resource: &str) -> BTreeSet<String> {
    role.rights().into_iter().filter(|right| right.resource == resource).map(|right| right.action).collect()
}

fn rights(stack: &Stack<'_>) -> BTreeMap<String, Vec<Right>> {
    let all = functions().into_values();
    all.map(|function| (function.id.clone(), Role::of_function(stack, &function.id).rights())).collect()
}

#[test]
fn every_role_and_policy_is_declared_by_the_template() {
    let Some(template) = transformed() else { return };
    for kind in ["AWS::IAM::Role", "AWS::IAM::ManagedPolicy", "AWS::IAM::Policy", "AWS::IAM::RolePolicy"] {
        let all = template["Resources"].as_object().unwrap().iter();
        let made: BTreeSet<_> =
            all.filter(|(_, resource)| resource["Type"] == kind).map(|(id, _)| id.clone()).collect();
        assert_eq!(made, resources(kind).into_keys().collect(), "the transform adds a {kind}");
    }
    let Some(stack) = stack() else { return };
    for (id, role) in stack.resources("AWS::IAM::Role") {
        let attached = texts(&role["ManagedPolicyArns"]).into_iter().filter(|arn| arn != "null");
        for arn in attached {
            assert!(arn.starts_with("arn:aws:iam::123456789012:policy/one-"), "{id} has a policy of AWS: {arn}");
        }
    }
    let all = stack.resources("AWS::Lambda::Function");
    let roles: BTreeSet<&str> = all.values().map(|function| function["Role"].as_str().unwrap()).collect();
    assert_eq!(roles.len(), functions().len(), "two functions share a role");
}

#[test]
fn a_right_is_to_a_named_resource_except_for_traces() {
    let Some(template) = transformed() else { return };
    for parameters in [&[][..], &VPC] {
        let of_network = |right: &Right| right.action.starts_with("ec2:");
        for (function, rights) in rights(&Stack::new("one", template, parameters)) {
            assert_eq!(rights.iter().any(of_network), !parameters.is_empty(), "{function}");
            for right in rights.into_iter().filter(|right| !of_network(right)) {
                assert_named(&function, &right);
            }
        }
    }
    let starred = resources("AWS::IAM::ManagedPolicy").into_iter().chain(resources("AWS::IAM::Role"));
    let starred = starred.filter(|(_, resource)| resource.to_string().contains("\"Resource\":\"*\"")).map(|(id, _)| id);
    // The descriptions of a VPC's network have no resources either.
    assert_eq!(starred.collect::<Vec<_>>(), ["TracingPolicy", "VpcPolicy"]);
}

fn assert_named(function: &str, right: &Right) {
    if right.action.starts_with("xray:") {
        assert_eq!(right.resource, "*", "{function}");
        return;
    }
    assert!(!right.action.contains('*'), "{function} may {}", right.action);
    let name = right.resource.splitn(6, ':').nth(5).unwrap_or_default();
    let is_ours = name.contains("one-") || right.action == "bedrock:InvokeModel";
    assert!(is_ours && !name.starts_with('*'), "{function} may {} {}", right.action, right.resource);
    let before_name = right.resource.rsplit_once(name).unwrap().0;
    assert!(!before_name.contains('*'), "{function} may {} {}", right.action, right.resource);
}

#[test]
fn in_a_vpc_lambda_attaches_to_the_given_subnets_only_and_code_may_do_nothing_of_it() {
    let Some(template) = transformed() else { return };
    let stack = Stack::new("one", template, &VPC);
    let call = |action: &str, on: &str| Call {
        action: format!("ec2:{action}"),
        resource: format!("arn:aws:ec2:eu-central-1:123456789012:{on}"),
        ..Call::default()
    };
    let network = ["DescribeNetworkInterfaces", "DescribeSubnets"].map(|action| call(action, "*"));
    let interfaces =
        ["Create", "Delete"].map(|action| call(&format!("{action}NetworkInterface"), "network-interface/eni-1"));
    let addresses =
        ["Assign", "Unassign"].map(|action| call(&format!("{action}PrivateIpAddresses"), "network-interface/eni-1"));
    let given = ["subnet/subnet-a1", "subnet/subnet-b2", "security-group/sg-a1", "security-group/sg-b2"];
    let given = given.map(|on| call("CreateNetworkInterface", on));
    let needed = [&network[..], &interfaces, &addresses, &given].concat();
    let others = ["subnet/subnet-c3", "subnet/subnet-a12", "security-group/sg-c3", "security-group/sg-a12"];
    let others = others.map(|on| call("CreateNetworkInterface", on));
    let deleted = ["subnet/subnet-a1", "security-group/sg-a1"].map(|on| call("DeleteNetworkInterface", on));
    for function in functions().into_values() {
        let role = Role::of_function(&stack, &function.id);
        for call in &needed {
            assert!(role.allows_lambda(call), "{}: {call:?}", function.id);
            assert!(!role.allows(call), "the code of {} may {call:?}", function.id);
        }
        for call in others.iter().chain(&deleted) {
            assert!(!role.allows_lambda(call), "{}: {call:?}", function.id);
        }
        // Each right is needed.
        for right in role.rights().into_iter().filter(|right| right.action.starts_with("ec2:")) {
            let used = |call: &&Call| right.action == call.action && is_like(&right.resource, &call.resource);
            assert!(needed.iter().any(|call| used(&call)), "{}: {right:?}", function.id);
        }
    }
}

#[test]
fn dead_letters_are_encrypted_by_the_operators_key_and_only_who_writes_or_reads_them_may_use_it() {
    let Some(template) = transformed() else { return };
    let key = "arn:aws:kms:eu-central-1:123456789012:key/k";
    let stack = Stack::new("one", template, &[("EncryptionKeyArn", key)]);
    let rules = |stack: &Stack<'_>| {
        let bucket = stack.resources("AWS::S3::Bucket")["DeadLetterBucket"].clone();
        bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"].clone()
    };
    let by_key = json!({"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key});
    assert_eq!(rules(&stack), json!([{"BucketKeyEnabled": true, "ServerSideEncryptionByDefault": by_key}]));
    let by_aws = json!([{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]);
    assert_eq!(rules(&Stack::new("one", template, &[])), by_aws);
    for (name, function) in functions() {
        let rights = Role::of_function(&stack, &function.id).rights().into_iter();
        let mut used: Vec<_> = rights.filter(|right| right.resource == key).map(|right| right.action).collect();
        used.sort();
        let expected: &[&str] = match name.as_str() {
            "changes" => &["kms:GenerateDataKey"],
            "sweeper" => &["kms:Decrypt", "kms:GenerateDataKey"],
            _ => &[],
        };
        assert_eq!(used, expected, "{name}");
    }
}

/// A word of the document's table, and the rights that it says a role has.
const WORDS: [(&str, &str); 9] = [
    ("table", "dynamodb:"),
    ("index", "es:ESHttp"),
    ("queue", "sqs:"),
    ("KMS", "kms:"),
    ("model", "bedrock:"),
    ("widget tokens", "secretsmanager:"),
    ("dead letters", "s3:"),
    ("user pool", "cognito-idp:"),
    ("invoking", "lambda:"),
];

#[test]
fn the_deployment_document_says_of_each_role_what_it_may_reach() {
    let Some(template) = transformed() else { return };
    let stack = Stack::new("one", template, &[&super::BEDROCK[..], &super::DESK].concat());
    let document = std::fs::read_to_string(root().join("docs/DEPLOY.md")).unwrap();
    let table = document.split("| role | besides its log and its traces |").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    for (name, function) in functions() {
        let row = table.lines().find(|row| row.split(" | ").next().unwrap().contains(&format!("`{name}`")));
        let says = row.unwrap_or_else(|| panic!("docs/DEPLOY.md has no row for {name}")).split_once(" | ").unwrap().1;
        let rights = Role::of_function(&stack, &function.id).rights();
        for (word, prefix) in WORDS {
            let has = rights.iter().any(|right| right.action.starts_with(prefix));
            assert_eq!(says.contains(word), has, "{name}: {word}");
        }
    }
}

/// The rights of all functions to a search domain.
fn search_rights(stack: &Stack<'_>) -> Vec<Right> {
    rights(stack).into_values().flatten().filter(|right| right.action.starts_with("es:")).collect()
}

#[test]
fn the_functions_of_a_stack_with_an_existing_domain_may_use_that_domain_only() {
    let Some(template) = transformed() else { return };
    let own = search_rights(&Stack::new("one", template, &[]));
    let existing = search_rights(&Stack::new("one", template, &EXISTING_DOMAIN));
    // The same rights, on the other domain and the other index.
    let own_arn = "arn:aws:es:eu-central-1:123456789012:domain/one-search";
    let moved = own.into_iter().map(|mut right| {
        let path = right.resource.strip_prefix(own_arn).unwrap_or_else(|| panic!("{right:?}"));
        right.resource = format!("{EXISTING_DOMAIN_ARN}{}", path.replace("/wiki", "/wiki-0a1b-one"));
        right
    });
    assert_eq!(existing, moved.collect::<Vec<_>>());
    assert!(existing.len() > 20, "{existing:?}");
}

#[test]
fn two_stacks_in_one_domain_have_no_right_to_each_others_index() {
    let Some(template) = transformed() else { return };
    let resources = |stack: &Stack<'_>| {
        let rights = search_rights(stack).into_iter().map(|right| right.resource);
        let of_index = rights.filter(|resource| resource.matches('/').count() > 1);
        of_index.map(|resource| resource.replace("shared-search", "shared")).collect::<BTreeSet<_>>()
    };
    // The first stack made the domain; the others use it.
    let owner = resources(&Stack::new("shared", template, &[]));
    let [one, two] = ["one", "two"].map(|name| resources(&Stack::new(name, template, &EXISTING_DOMAIN)));
    assert!(owner.len() == one.len() && owner.iter().all(|of| of.starts_with(EXISTING_DOMAIN_ARN)), "{owner:?}");
    for (patterns, others) in [(&one, &two), (&one, &owner), (&owner, &two)] {
        for (pattern, other) in patterns.iter().flat_map(|pattern| others.iter().map(move |other| (pattern, other))) {
            assert!(!is_like(pattern, &other.replace('*', "x")), "{pattern} includes {other}");
        }
    }
}

#[test]
fn a_function_writes_to_its_own_log_only() {
    let Some(stack) = stack() else { return };
    let of_functions = stack.resources("AWS::Lambda::Function");
    for (id, rights) in rights(&stack) {
        let group = of_functions[&id]["LoggingConfig"]["LogGroup"].as_str().unwrap();
        let own = format!("arn:aws:logs:eu-central-1:123456789012:log-group:{group}:*");
        let written: Vec<_> = rights.into_iter().filter(|right| right.action.starts_with("logs:")).collect();
        assert_eq!(
            written.iter().map(|right| right.action.as_str()).collect::<Vec<_>>(),
            ["logs:CreateLogStream", "logs:PutLogEvents"]
        );
        assert!(written.iter().all(|right| right.resource == own), "{id}: {written:?}");
    }
}

#[tokio::test]
async fn only_functions_that_verify_widget_tokens_may_read_their_keys() {
    let Some(stack) = stack() else { return };
    let clients = Clients::of_every_function().await;
    for (name, function) in functions() {
        let read = actions_on(&Role::of_function(&stack, &function.id), &stack.reference("WidgetTokenSecret"));
        assert_eq!(read.contains("secretsmanager:GetSecretValue"), clients.has(&name, Client::WidgetKeys), "{name}");
    }
}

#[test]
fn the_secrets_of_the_desk_are_read_by_auth_alone() {
    let Some(template) = transformed() else { return };
    let client = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:client-a1b2c3";
    let foreign =
        [("DeskUrl", "https://desk.example/desk/"), ("DeskIssuer", "https://login.example"), ("DeskClientId", "c")];
    let given = [&foreign[..], &[("DeskClientSecretArn", client)]].concat();
    let stack = Stack::new("one", template, &given);
    let secrets = [stack.reference("DeskKeySecret"), stack.reference("DistributionSecret"), client.to_owned()];
    for (name, function) in functions() {
        let role = Role::of_function(&stack, &function.id);
        for secret in &secrets {
            let expected = if name == "auth" { vec!["secretsmanager:GetSecretValue"] } else { vec![] };
            assert_eq!(Vec::from_iter(actions_on(&role, secret)), expected, "{name} {secret}");
        }
        // A provider of the operator's own gets no users from here.
        assert!(!role.rights().iter().any(|right| right.action.starts_with("cognito-idp:")), "{name}");
    }
}

/// Its own pool, and no other action than to invite and to remove.
#[test]
fn auth_invites_to_the_stacks_user_pool_removes_from_it_and_does_nothing_else_there() {
    let Some(template) = transformed() else { return };
    let stack = Stack::new("one", template, &super::DESK);
    for (name, function) in functions() {
        let rights = Role::of_function(&stack, &function.id).rights();
        let of_pool: Vec<_> = rights.iter().filter(|right| right.action.starts_with("cognito-idp:")).collect();
        assert_eq!(of_pool.len(), if name == "auth" { 2 } else { 0 }, "{name}");
        for (right, action) in of_pool.into_iter().zip(["AdminCreateUser", "AdminDeleteUser"]) {
            assert_eq!(
                (right.action.as_str(), &right.resource),
                (&*format!("cognito-idp:{action}"), &stack.arn("UserPool"))
            );
        }
    }
}

#[test]
fn an_event_source_is_read_by_its_function_and_no_other() {
    let Some(stack) = stack() else { return };
    let mut sources = BTreeMap::new();
    for source in stack.resources("AWS::Lambda::EventSourceMapping").into_values() {
        let function = source["FunctionName"].as_str().unwrap().rsplit(':').nth(1).unwrap().to_owned();
        sources.insert(source["EventSourceArn"].as_str().unwrap().to_owned(), (function, source));
    }
    assert_eq!(sources.len(), 4);
    for function in functions().into_values() {
        let role = Role::of_function(&stack, &function.id);
        for (arn, (reader, source)) in &sources {
            let is_reader = stack.arn(&function.id).ends_with(&format!(":{reader}"));
            let needed: &[&str] = match arn.contains(":dynamodb:") {
                true => &["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
                false => &["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
            };
            let has = actions_on(&role, arn);
            if is_reader {
                assert!(needed.iter().all(|action| has.contains(*action)), "{arn}: {has:?}");
                if let Some(bucket) = source["DestinationConfig"]["OnFailure"]["Destination"].as_str() {
                    assert!(actions_on(&role, bucket).contains("s3:ListBucket"));
                    assert!(actions_on(&role, &format!("{bucket}/aws/lambda/*")).contains("s3:PutObject"));
                }
            } else {
                assert!(!has.contains("sqs:ReceiveMessage") && !has.contains("dynamodb:GetRecords"), "{}", function.id);
            }
        }
    }
}

#[test]
fn codedeploy_moves_the_alias_of_every_function_and_the_scheduler_invokes_the_sweeper() {
    let Some(stack) = stack() else { return };
    let role = |id: &str| Role::new(&stack.resources("AWS::IAM::Role")[id]);
    let deployment = role("DeploymentRole");
    for function in functions().into_values() {
        let arn = stack.arn(&function.id);
        assert_eq!(actions_on(&deployment, &arn), ["lambda:GetAlias", "lambda:UpdateAlias"].map(str::to_owned).into());
        assert!(actions_on(&deployment, &format!("{arn}:*")).contains("lambda:GetProvisionedConcurrencyConfig"));
    }
    for group in stack.resources("AWS::CodeDeploy::DeploymentGroup").into_values() {
        assert_eq!(group["ServiceRoleArn"], stack.arn("DeploymentRole"));
    }
    for schedule in stack.resources("AWS::Scheduler::Schedule").into_values() {
        let target = &schedule["Target"];
        assert_eq!(target["RoleArn"], stack.arn("ScheduleRole"));
        let invoked = actions_on(&role("ScheduleRole"), target["Arn"].as_str().unwrap());
        assert_eq!(invoked, [String::from("lambda:InvokeFunction")].into());
    }
}

#[test]
fn a_permissions_boundary_holds_for_every_role() {
    let Some(template) = transformed() else { return };
    let boundary = "arn:aws:iam::123456789012:policy/boundary";
    for (given, expected) in [(&[][..], Value::Null), (&[("PermissionsBoundaryArn", boundary)][..], boundary.into())] {
        let roles = Stack::new("one", template, given).resources("AWS::IAM::Role");
        assert!(roles.len() > functions().len());
        for (id, role) in roles {
            assert_eq!(role["PermissionsBoundary"], expected, "{id}");
        }
    }
}
