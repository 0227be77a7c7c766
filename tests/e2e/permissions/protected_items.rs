//! The items that decide who a caller is are written by `auth` alone: API keys, tenants with their settings and members,
//! invitations and sign-ins, the public keys of desk tokens, and the revoked keys of widget tokens. The other functions of
//! the API note when a key was used.

use serde_json::json;

use super::policy::{Call, Role};
use super::request::attributes;
use crate::template::document::functions;
use crate::template::stack::Stack;
use crate::template::transformed::transformed;

/// Keys of items that no function but `auth` writes.
const PROTECTED: [&str; 6] = ["KEY#0a1b", "TENANT#ten_1", "IDENTITY#0a1b", "INVITE#0a1b", "SIGNIN#0a1b", "DESKKEYS"];
/// The key of items that the operator alone writes.
const OF_THE_OPERATOR: &str = "WIDGETKEYS";
const WORKERS: [&str; 5] = ["changes", "ingest-worker", "embedding-worker", "webhook-worker", "sweeper"];
/// The functions whose effects are audited.
const AUDITED: [&str; 5] = ["auth", "ingest", "sessions", "webhooks", "wiki"];
const WRITES: [&str; 3] = ["PutItem", "UpdateItem", "DeleteItem"];
const BATCH_WRITE: &str = "BatchWriteItem";

fn stack() -> Option<Stack<'static>> {
    transformed().map(|template| Stack::new("one", template, &[]))
}

fn write(stack: &Stack<'_>, action: &str, keys: &[&str], attributes: &[&str]) -> Call {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Call {
        action: format!("dynamodb:{action}"),
        resource: stack.arn("Table"),
        leading_keys: own(keys),
        attributes: own(attributes),
    }
}

/// An update of a key, with the attributes that its expressions name.
fn update(stack: &Stack<'_>, key: &str, expression: &str) -> Call {
    let request = json!({
        "Key": {"pk": {"S": key}, "sk": {"S": "KEY"}},
        "UpdateExpression": expression,
        "ConditionExpression": "attribute_exists(pk) AND NOT lastUsedAt > :recent",
        "ExpressionAttributeNames": {"#r": "role"},
    });
    let named = attributes(&request);
    write(stack, "UpdateItem", &[key], &named.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_worker_writes_no_key_and_no_tenant() {
    let Some(stack) = stack() else { return };
    for worker in WORKERS {
        let role = || Role::of_function(&stack, &functions()[worker].id);
        let (role, without_denials) = (role(), role().without_denials());
        for action in WRITES.into_iter().chain([BATCH_WRITE]) {
            let other = write(&stack, action, &["ten_1#live#SES#s"], &["pk", "sk"]);
            let is_allowed = role.allows(&other);
            for key in PROTECTED.into_iter().chain([OF_THE_OPERATOR]) {
                // Alone, with an innocent attribute, and among the keys of a transaction.
                for call in [
                    write(&stack, action, &[key], &["pk", "sk", "role"]),
                    write(&stack, action, &[key], &["pk", "sk", "lastUsedAt"]),
                    write(&stack, action, &["ten_1#live#SES#s", key], &["pk"]),
                    write(&stack, action, &[key], &[]),
                ] {
                    assert!(!role.allows(&call), "{worker}: {call:?}");
                    // It is the denial that refuses, not a right that is missing.
                    assert_eq!(without_denials.allows(&call), is_allowed, "{worker}: {call:?}");
                }
            }
        }
    }
}

#[test]
fn a_function_of_the_api_notes_the_use_of_a_key_and_changes_nothing_else_of_it() {
    let Some(stack) = stack() else { return };
    let others = functions().into_iter().filter(|(name, _)| !WORKERS.contains(&name.as_str()) && name != "auth");
    let mut tried = 0;
    for (name, function) in others {
        tried += 1;
        let role = Role::of_function(&stack, &function.id);
        for key in PROTECTED {
            // The items of a key.
            if key.starts_with("KEY#") || key.starts_with("TENANT#") {
                assert!(role.allows(&update(&stack, key, "SET lastUsedAt = :now")), "{name} {key}");
            }
            for expression in [
                "SET #r = :admin",
                "SET lastUsedAt = :now, #r = :admin",
                "SET expiresAt = :never",
                "REMOVE expiresAt",
                "ADD keysVersion :one",
                "SET settings.widgetOrigins = :mine",
            ] {
                assert!(!role.allows(&update(&stack, key, expression)), "{name} {key}: {expression}");
            }
            for action in ["PutItem", "DeleteItem"] {
                assert!(!role.allows(&write(&stack, action, &[key], &["pk", "sk", "lastUsedAt"])), "{name} {action}");
            }
            // A request of which IAM were not told the attributes.
            assert!(!role.allows(&write(&stack, "UpdateItem", &[key], &[])), "{name} {key}");
            assert!(role.allows(&write(&stack, "GetItem", &[key], &["pk", "sk"])), "{name} {key}");
        }
        assert!(!role.allows(&update(&stack, OF_THE_OPERATOR, "SET fingerprints = :none")), "{name}");
    }
    assert_eq!(tried, functions().len() - WORKERS.len() - 1);
}

#[test]
fn a_function_of_the_api_adds_to_the_audit_and_changes_nothing_of_it() {
    let Some(stack) = stack() else { return };
    for (name, function) in functions().into_iter().filter(|(name, _)| !WORKERS.contains(&name.as_str())) {
        let role = Role::of_function(&stack, &function.id);
        let may = |action| role.allows(&write(&stack, action, &["AUDIT#ten_1"], &["pk", "sk", "at"]));
        assert_eq!(WRITES.map(may)[1..], [false, false], "{name}");
        assert!(!AUDITED.contains(&name.as_str()) || may("PutItem"), "{name}");
        // A function that cannot read the audit does not know the random key of an entry, by which it could be overwritten.
        assert_eq!(["GetItem", "Query"].map(may), [name == "auth"; 2], "{name}");
    }
    for worker in WORKERS {
        let role = Role::of_function(&stack, &functions()[worker].id);
        assert!(!role.allows(&write(&stack, "PutItem", &["AUDIT#ten_1"], &["pk", "sk"])), "{worker}");
    }
}

#[test]
fn auth_writes_keys_and_settings_and_revokes_no_key_of_widget_tokens() {
    let Some(stack) = stack() else { return };
    let role = Role::of_function(&stack, &functions()["auth"].id);
    for action in WRITES {
        for key in PROTECTED {
            assert!(role.allows(&write(&stack, action, &[key], &["pk", "sk", "role"])), "{action} {key}");
        }
        assert!(!role.allows(&write(&stack, action, &[OF_THE_OPERATOR], &["pk", "sk"])), "{action}");
    }
}

#[test]
fn a_role_has_no_more_policies_and_no_longer_ones_than_aws_accepts() {
    let Some(template) = transformed() else { return };
    let stack = Stack::new("one", template, &[&super::BEDROCK[..], &super::VPC].concat());
    // Without white space, as AWS counts them.
    for (id, policy) in stack.resources("AWS::IAM::ManagedPolicy") {
        let length = policy["PolicyDocument"].to_string().len();
        assert!(length <= 6_144, "{id}: {length}");
    }
    for (id, role) in stack.resources("AWS::IAM::Role") {
        let own: usize =
            role["Policies"].as_array().unwrap().iter().map(|of| of["PolicyDocument"].to_string().len()).sum();
        let attached = role["ManagedPolicyArns"].as_array().map_or(0, Vec::len);
        assert!(own <= 10_240 && attached <= 10, "{id}: {own} characters, {attached} policies");
    }
}
