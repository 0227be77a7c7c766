//! What parameters change of the stack, in the transformed template.

use serde_json::{Value, json};

use super::transformed::{ids, transformed};

/// A value as it is where a condition holds, or does not.
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
