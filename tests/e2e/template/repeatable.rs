//! A stack beside another one, a first deployment that fails half-way, and accounts with small limits.

use serde_json::Value;

use super::document::{resources, texts};
use super::stack::Stack;
use super::transformed::transformed;

/// The property that names a resource in its account and region; none if a name counts within the stack alone, or
/// if there is none.
fn naming_property(kind: &str) -> Option<&'static str> {
    match kind {
        "AWS::CloudWatch::Alarm" => Some("AlarmName"),
        "AWS::CloudWatch::Dashboard" => Some("DashboardName"),
        "AWS::CloudFront::Function" => Some("Name"),
        "AWS::Cognito::UserPool" => Some("UserPoolName"),
        "AWS::Cognito::UserPoolDomain" => Some("Domain"),
        "AWS::CodeDeploy::Application" => Some("ApplicationName"),
        "AWS::CloudFront::OriginAccessControl" => Some("OriginAccessControlConfig/Name"),
        "AWS::CloudFront::ResponseHeadersPolicy" => Some("ResponseHeadersPolicyConfig/Name"),
        "AWS::DynamoDB::Table" => Some("TableName"),
        "AWS::IAM::ManagedPolicy" => Some("ManagedPolicyName"),
        "AWS::IAM::Role" => Some("RoleName"),
        "AWS::Lambda::Function" => Some("FunctionName"),
        "AWS::Logs::LogGroup" => Some("LogGroupName"),
        "AWS::OpenSearchService::Domain" => Some("DomainName"),
        "AWS::S3::Bucket" => Some("BucketName"),
        "AWS::SNS::Topic" => Some("TopicName"),
        "AWS::SQS::Queue" => Some("QueueName"),
        "AWS::Scheduler::Schedule" | "AWS::SecretsManager::Secret" => Some("Name"),
        "AWS::ApiGatewayV2::Api"
        | "AWS::ApiGatewayV2::ApiMapping"
        | "AWS::ApiGatewayV2::DomainName"
        | "AWS::ApiGatewayV2::Stage"
        | "AWS::CloudFront::Distribution"
        | "AWS::CodeDeploy::DeploymentGroup"
        | "AWS::Cognito::ManagedLoginBranding"
        | "AWS::Cognito::UserPoolClient"
        | "AWS::IAM::Policy"
        | "AWS::KMS::Key"
        | "AWS::Lambda::Alias"
        | "AWS::Lambda::EventInvokeConfig"
        | "AWS::Lambda::EventSourceMapping"
        | "AWS::Lambda::Permission"
        | "AWS::Lambda::Version"
        | "AWS::Logs::MetricFilter"
        | "AWS::Route53::RecordSet"
        | "AWS::S3::BucketPolicy"
        | "AWS::SNS::Subscription" => None,
        other => panic!("how is a {other} named?"),
    }
}

#[test]
fn no_two_stacks_share_a_physical_name() {
    let Some(template) = transformed() else { return };
    let (one, two) = (Stack::new("one", template, &[]), Stack::new("two", template, &[]));
    for resource in template["Resources"].as_object().unwrap().values() {
        let kind = resource["Type"].as_str().unwrap();
        let Some(property) = naming_property(kind) else { continue };
        let of_two = two.resources(kind);
        for (id, first) in one.resources(kind) {
            let name = |properties: &Value| properties.pointer(&format!("/{property}")).cloned();
            let (first, second) = (name(&first), name(&of_two[&id]));
            assert!(first.is_none() || first != second, "{id} is {first:?} in both stacks");
        }
    }
}

#[test]
fn the_search_domain_has_a_generated_name_unless_one_is_given() {
    let Some(template) = transformed() else { return };
    let name = |given: &[(&str, &str)]| {
        Stack::new("one", template, given).resources("AWS::OpenSearchService::Domain")["Search"]["DomainName"].clone()
    };
    assert_eq!((name(&[]), name(&[("SearchDomainName", "wiki")])), (Value::Null, "wiki".into()));
}

/// Resources of a first deployment that fails are deleted, and can be made again; later they are kept. Table and user
/// pool are kept in any case, because their deletion protection would make the rollback fail.
#[test]
fn a_first_deployment_that_fails_can_be_repeated() {
    for kind in ["AWS::OpenSearchService::Domain", "AWS::SecretsManager::Secret", "AWS::S3::Bucket", "AWS::KMS::Key"] {
        // A resource without a policy is deleted with the stack.
        for (id, resource) in resources(kind).into_iter().filter(|(_, resource)| !resource["DeletionPolicy"].is_null())
        {
            assert_eq!(resource["DeletionPolicy"], "RetainExceptOnCreate", "{id}");
            assert_eq!(resource["UpdateReplacePolicy"], "Retain", "{id}");
        }
    }
    let pool = &resources("AWS::Cognito::UserPool")["UserPool"];
    assert_eq!(
        (&pool["DeletionPolicy"], &pool["Properties"]["DeletionProtection"]),
        (&"Retain".into(), &"ACTIVE".into())
    );
    let table = &resources("AWS::DynamoDB::Table")["Table"];
    assert_eq!(
        (&table["DeletionPolicy"], &table["Properties"]["DeletionProtectionEnabled"]),
        (&"Retain".into(), &true.into())
    );
}

#[test]
fn no_concurrency_is_reserved_unless_it_is_asked_for() {
    let Some(template) = transformed() else { return };
    let reserved = |given: &[(&str, &str)]| {
        let all = Stack::new("one", template, given).resources("AWS::Lambda::Function").into_iter();
        let reserved = all.filter(|(_, function)| !function["ReservedConcurrentExecutions"].is_null());
        reserved
            .flat_map(|(id, f)| texts(&f["ReservedConcurrentExecutions"]).into_iter().map(move |n| (id.clone(), n)))
            .collect::<Vec<_>>()
    };
    assert_eq!(reserved(&[]), []);
    let given = [("ChangesReservedConcurrency", "50"), ("IngestReservedConcurrency", "10")];
    let expected = [("ChangesFunction", "50"), ("IngestWorkerFunction", "10")];
    assert_eq!(reserved(&given), expected.map(|(id, number)| (id.to_owned(), number.to_owned())));
}
