//! Changes of the stack by parameters, in the transformed template.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{root, template};
use super::stack::Stack;
use super::transformed::{ids, transformed};

/// The value if a condition holds, or if it does not.
fn chosen(value: &Value, condition: &str, holds: bool) -> Value {
    let branches = value["Fn::If"].as_array().unwrap_or_else(|| panic!("no condition: {value}"));
    assert_eq!(branches[0], condition);
    branches[if holds { 1 } else { 2 }].clone()
}

fn nothing() -> Value {
    json!({"Ref": "AWS::NoValue"})
}

#[test]
fn a_custom_domain_switches_the_default_endpoint_off() {
    let Some(template) = transformed() else { return };
    let resources = &template["Resources"];
    let servers = resources["Api"]["Properties"]["Body"]["servers"].as_array().unwrap();
    let endpoint = &servers[0]["x-amazon-apigateway-endpoint-configuration"]["disableExecuteApiEndpoint"];
    assert_eq!(
        (chosen(endpoint, "HasCustomDomain", true), chosen(endpoint, "HasCustomDomain", false)),
        (json!(true), json!(false))
    );
    for made in ["ApiDomain", "ApiMapping"] {
        assert_eq!(resources[made]["Condition"], "HasCustomDomain");
    }
    let record = &resources["ApiRecord"];
    assert_eq!(
        (&record["Condition"], &record["Properties"]["Name"]["Ref"]),
        (&json!("HasHostedZone"), &json!("CustomDomainName"))
    );
    let stage = resources["ApiMapping"]["DependsOn"].as_str().unwrap();
    assert_eq!(resources[stage]["Type"], "AWS::ApiGatewayV2::Stage");
    assert_eq!(resources["ApiMapping"]["Properties"]["Stage"], resources[stage]["Properties"]["StageName"]);
}

#[test]
fn functions_and_domain_are_in_the_given_vpc() {
    let Some(template) = transformed() else { return };
    let networks = |property: &str, id: &str| template["Resources"][id]["Properties"][property].clone();
    let vpc = json!({"SubnetIds": {"Ref": "VpcSubnetIds"}, "SecurityGroupIds": {"Ref": "VpcSecurityGroupIds"}});
    let mut all: Vec<Value> =
        ids(template, "AWS::Lambda::Function").iter().map(|id| networks("VpcConfig", id)).collect();
    all.push(networks("VPCOptions", "Search"));
    assert_eq!(all.len(), 14);
    for network in all {
        assert_eq!((chosen(&network, "HasVpc", true), chosen(&network, "HasVpc", false)), (vpc.clone(), nothing()));
    }
}

#[test]
fn logs_and_domain_are_encrypted_with_the_given_key() {
    let Some(template) = transformed() else { return };
    let resources = &template["Resources"];
    let mut keys: Vec<Value> =
        ids(template, "AWS::Logs::LogGroup").iter().map(|id| resources[id]["Properties"]["KmsKeyId"].clone()).collect();
    keys.push(resources["Search"]["Properties"]["EncryptionAtRestOptions"]["KmsKeyId"].clone());
    assert_eq!(keys.len(), 15);
    let given = json!({"Ref": "EncryptionKeyArn"});
    for key in keys {
        assert_eq!(chosen(&key, "HasEncryptionKey", true), given);
        assert_eq!(chosen(&key, "HasEncryptionKey", false), nothing());
    }
}

#[test]
fn the_domain_is_spread_over_the_given_zones() {
    let Some(template) = transformed() else { return };
    let cluster = &template["Resources"]["Search"]["Properties"]["ClusterConfig"];
    assert_eq!(chosen(&cluster["ZoneAwarenessEnabled"], "HasZones", true), true);
    assert_eq!(chosen(&cluster["ZoneAwarenessEnabled"], "HasZones", false), false);
    let zones = chosen(&cluster["ZoneAwarenessConfig"], "HasZones", true);
    assert_eq!(zones, json!({"AvailabilityZoneCount": {"Ref": "SearchZones"}}));
}

/// Whether the table `name` is in the text; an alarm's name may begin with it.
fn names(text: &str, name: &str) -> bool {
    text.split(name).skip(1).any(|rest| !rest.starts_with(char::is_alphabetic))
}

#[test]
fn everything_uses_a_restored_table_in_the_place_of_the_stacks_own() {
    let Some(template) = transformed() else { return };
    let stream = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-22T10:00:00.000";
    let kinds = ["AWS::IAM::Role", "AWS::Lambda::Function", "AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"];
    for (given, uses, other) in [(stream, "restored", "one-table"), ("", "one-table", "restored")] {
        let stack = Stack::new("one", template, &[("RestoredTableStreamArn", given)]);
        let sources = stack.resources("AWS::Lambda::EventSourceMapping");
        let streams =
            sources.values().filter(|source| source["EventSourceArn"].as_str().unwrap().contains(":dynamodb:"));
        let streams: Vec<&Value> = streams.map(|source| &source["EventSourceArn"]).collect();
        assert!(streams.len() == 1 && streams[0].as_str().unwrap().contains(uses), "{streams:?}");
        assert!(given.is_empty() || streams[0] == stream);
        for kind in kinds {
            let resources = Value::from_iter(stack.resources(kind)).to_string();
            assert!(names(&resources, uses) && !names(&resources, other), "{kind} with {given:?}");
        }
    }
}

#[test]
fn the_output_api_url_is_the_address_of_the_api_or_of_its_own_name() {
    let Some(template) = transformed() else { return };
    let url = |given: &[(&str, &str)]| Stack::new("one", template, given).outputs()["ApiUrl"].clone();
    assert_eq!(url(&[]), "https://one-api.execute-api.eu-central-1.amazonaws.com/api/v1");
    assert_eq!(url(&[("CustomDomainName", "api.example.com")]), "https://api.example.com/api/v1");
}

#[test]
fn the_given_address_subscribes_to_the_alarms() {
    let Some(template) = transformed() else { return };
    let subscriptions =
        |given: &[(&str, &str)]| Stack::new("one", template, given).resources("AWS::SNS::Subscription").into_values();
    assert_eq!(subscriptions(&[]).count(), 0);
    let given: Vec<Value> = subscriptions(&[("AlarmEmail", "ops@example.com")]).collect();
    let topic = Stack::new("one", template, &[]).reference("AlarmTopic");
    assert_eq!(given, [json!({"TopicArn": topic, "Protocol": "email", "Endpoint": "ops@example.com"})]);
}

/// A cell's parts without code marks; a value that is none, such as `generated`, is the empty default.
fn parts(cell: &str) -> Vec<String> {
    let plain = |part: &str| match part.strip_prefix('`').and_then(|part| part.strip_suffix('`')) {
        Some(code) => code.to_owned(),
        None if part.chars().all(|letter| letter.is_ascii_digit()) => part.to_owned(),
        None => String::new(),
    };
    cell.split(", ").map(|part| plain(part.trim())).collect()
}

#[test]
fn the_deployment_document_lists_every_parameter_with_its_default() {
    let document = std::fs::read_to_string(root().join("docs/DEPLOY.md")).unwrap();
    let section = document.split("\n## Parameters\n").nth(1).unwrap().split("\n\nTags of").next().unwrap().to_owned();
    let declared = template()["Parameters"].as_object().unwrap().clone();
    let mut listed = BTreeSet::from(["Release".to_owned()]);
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let (names, defaults) = (parts(cells[0].trim_start_matches("| ")), parts(cells[1]));
        for (at, name) in names.iter().enumerate() {
            let default = &declared.get(name).unwrap_or_else(|| panic!("there is no parameter {name}"))["Default"];
            let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            assert_eq!(defaults.get(at).or(defaults.last()), Some(&default), "{name}");
        }
        listed.extend(names);
    }
    assert_eq!(listed, declared.into_iter().map(|(name, _)| name).collect());
}
