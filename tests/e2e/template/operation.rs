//! Alarms, deployment and data protection of the stack.

use serde_json::{Value, json};

use super::document::{functions, resources, template};

#[test]
fn the_table_cannot_be_lost_by_a_deployment() {
    let tables = resources("AWS::DynamoDB::Table");
    assert_eq!(tables.len(), 1);
    let table = &tables["Table"];
    assert_eq!((&table["DeletionPolicy"], &table["UpdateReplacePolicy"]), (&json!("Retain"), &json!("Retain")));
    let properties = &table["Properties"];
    assert!(properties.get("TableName").is_none(), "a fixed name makes replacement impossible");
    assert_eq!(properties["DeletionProtectionEnabled"], true);
    assert_eq!(properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], true);
    assert_eq!(properties["SSESpecification"]["SSEEnabled"], true);
    assert_eq!(properties["BillingMode"], "PAY_PER_REQUEST");
}

#[test]
fn the_table_has_the_shape_that_the_store_works_with() {
    let properties = &resources("AWS::DynamoDB::Table")["Table"]["Properties"];
    let key = |pk: &str, sk: &str| json!([{"AttributeName": pk, "KeyType": "HASH"}, {"AttributeName": sk, "KeyType": "RANGE"}]);
    assert_eq!(properties["KeySchema"], key("pk", "sk"));
    assert_eq!(properties["StreamSpecification"], json!({"StreamViewType": "NEW_AND_OLD_IMAGES"}));
    assert_eq!(properties["TimeToLiveSpecification"], json!({"AttributeName": "ttl", "Enabled": true}));
    let indexes = properties["GlobalSecondaryIndexes"].as_array().unwrap();
    assert_eq!(indexes.len(), 2);
    assert_eq!(indexes[0]["IndexName"], "gsi1");
    assert_eq!(indexes[0]["KeySchema"], key("gsi1pk", "gsi1sk"));
    assert_eq!(indexes[0]["Projection"], json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["kind", "card"]}));
    assert_eq!(indexes[1]["IndexName"], "gsi2");
    assert_eq!(indexes[1]["KeySchema"], key("gsi2pk", "gsi2sk"));
    assert_eq!(indexes[1]["Projection"], json!({"ProjectionType": "KEYS_ONLY"}));
}

#[test]
fn the_search_domain_is_encrypted_everywhere() {
    let domains = resources("AWS::OpenSearchService::Domain");
    assert_eq!(domains.len(), 1);
    for (id, domain) in domains {
        let properties = &domain["Properties"];
        assert_eq!(properties["EncryptionAtRestOptions"]["Enabled"], true, "{id}");
        assert_eq!(properties["NodeToNodeEncryptionOptions"]["Enabled"], true, "{id}");
        assert_eq!(properties["DomainEndpointOptions"]["EnforceHTTPS"], true, "{id}");
        assert_eq!(properties["DomainEndpointOptions"]["TLSSecurityPolicy"], "Policy-Min-TLS-1-2-PFS-2023-10", "{id}");
    }
}

#[test]
fn the_api_throttles_has_no_cors_and_logs_nothing_private() {
    let apis = resources("AWS::Serverless::HttpApi");
    assert_eq!(apis.len(), 1);
    let api = &apis["Api"]["Properties"];
    assert_eq!(api["StageName"], "$default");
    assert!(api.get("CorsConfiguration").is_none());
    assert!(api["DefaultRouteSettings"].get("ThrottlingRateLimit").is_some());
    assert!(api["DefaultRouteSettings"].get("ThrottlingBurstLimit").is_some());
    let format = api["AccessLogSettings"]["Format"].as_str().unwrap().to_lowercase();
    assert!(format.contains("$context.status") && format.contains("$context.requestid"));
    for private in ["authorization", "header", "$context.path", "querystring", "authorizer", "rawpath"] {
        assert!(!format.contains(private), "the access log holds {private}");
    }
    assert!(template()["Globals"].get("HttpApi").is_none());
}

#[test]
fn a_new_version_takes_over_slowly_and_steps_back_by_an_alarm() {
    let alarms = resources("AWS::CloudWatch::Alarm");
    for (name, function) in functions() {
        let properties = &function.properties;
        assert_eq!(properties["Tracing"], "Active", "{name}");
        assert_eq!(properties["AutoPublishAlias"], "live", "{name}");
        let preference = &properties["DeploymentPreference"];
        assert_eq!(preference["Type"], "Canary10Percent5Minutes", "{name}");
        let watched = preference["Alarms"][0]["Ref"].as_str().unwrap();
        let alarm = &alarms[watched]["Properties"];
        assert_eq!(alarm["MetricName"], "Errors", "{name}");
        assert_eq!(alarm["Dimensions"][0]["Value"]["Ref"], function.id.as_str(), "{name}");
    }
}

#[test]
fn every_function_writes_to_a_log_that_forgets() {
    let logs = resources("AWS::Logs::LogGroup");
    for (name, function) in functions() {
        let log = function.properties["LoggingConfig"]["LogGroup"]["Ref"].as_str().unwrap().to_owned();
        assert!(logs.contains_key(&log), "{name}");
    }
    for (id, log) in logs {
        assert!(log["Properties"].get("RetentionInDays").is_some(), "{id}");
    }
    assert_eq!(template()["Parameters"]["LogRetentionDays"]["Default"], 30);
}

#[test]
fn somebody_is_told_when_something_breaks() {
    let alarms = resources("AWS::CloudWatch::Alarm");
    assert!(alarms.len() >= 12, "only {} alarms", alarms.len());
    let metrics: String = alarms.values().map(Value::to_string).collect();
    let watched = ["5xx", "Latency", "Errors", "Throttles", "ConcurrentExecutions", "ReadThrottleEvents"];
    let more = ["WriteThrottleEvents", "SystemErrors", "ClusterStatus.red", "FreeStorageSpace", "RefusedCallers"];
    for metric in watched.iter().chain(&more) {
        assert!(metrics.contains(&format!("\"MetricName\":\"{metric}\"")), "no alarm watches {metric}");
    }
    for (name, function) in functions() {
        for metric in ["Errors", "Throttles"] {
            let watches = |alarm: &Value| {
                alarm["Properties"]["MetricName"] == metric
                    && alarm["Properties"]["Dimensions"][0]["Value"]["Ref"] == function.id.as_str()
            };
            assert!(alarms.values().any(watches), "nobody watches the {metric} of {name}");
        }
    }
}

#[test]
fn the_key_of_secrets_is_kept_and_turned() {
    let keys = resources("AWS::KMS::Key");
    let key = &keys["SecretsKey"];
    let kept = (&json!("RetainExceptOnCreate"), &json!("Retain"));
    assert_eq!((&key["DeletionPolicy"], &key["UpdateReplacePolicy"]), kept);
    for (id, key) in keys {
        assert_eq!(key["Properties"]["EnableKeyRotation"], true, "{id}");
    }
}
