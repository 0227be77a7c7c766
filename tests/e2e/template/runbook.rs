//! Alarms: each tells somebody, has its section in docs/RUNBOOK.md, and watches a metric that exists.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Value, json};

use super::document::{resources, root, template, walk};
use super::transformed::transformed;
use crate::structure::sources::{Source, shipped};

pub(super) fn runbook() -> String {
    std::fs::read_to_string(root().join("docs/RUNBOOK.md")).unwrap()
}

/// The alarms of a section's heading, and its text.
pub(super) fn sections(runbook: &str) -> Vec<(Vec<&str>, &str)> {
    let sections = runbook.split("\n### ").skip(1).map(|section| section.split_once('\n').unwrap());
    sections.map(|(heading, text)| (heading.split(", ").collect(), text.split("\n## ").next().unwrap())).collect()
}

#[test]
fn every_alarm_has_one_section_of_the_runbook_and_every_section_alarms() {
    let runbook = runbook();
    let sections = sections(&runbook);
    let mut described: Vec<&str> = sections.iter().flat_map(|(alarms, _)| alarms.clone()).collect();
    described.sort_unstable();
    let alarms: Vec<String> = resources("AWS::CloudWatch::Alarm").into_keys().collect();
    assert_eq!(described, alarms);
}

/// The metrics of the service's own namespace that a value names.
fn own_metrics(value: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(value, "", &mut |_, inner| {
        let namespace = inner.get("Namespace").or_else(|| inner.get("MetricNamespace"));
        if namespace.is_some_and(|namespace| namespace["Ref"] == "AWS::StackName") {
            found.insert(inner["MetricName"].as_str().unwrap().to_owned());
        }
    });
    found
}

#[test]
fn the_metrics_of_code_alarms_dashboard_and_runbook_are_the_same() {
    let counted = Regex::new(r"metric\.([A-Z][A-Za-z]+) = 1").unwrap();
    let names =
        |source: Source| counted.captures_iter(&source.text).map(|found| found[1].to_owned()).collect::<Vec<_>>();
    let mut counts: BTreeSet<String> = shipped().flat_map(names).collect();
    for filter in resources("AWS::Logs::MetricFilter").into_values() {
        counts.insert(filter["Properties"]["MetricTransformations"][0]["MetricName"].as_str().unwrap().to_owned());
    }
    assert_eq!(own_metrics(&template()["Resources"]), counts, "alarms and filters");
    let runbook = runbook();
    let table = runbook.split("## Metrics of the service").nth(1).unwrap().split("\n## ").next().unwrap().to_owned();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.map(str::to_owned).collect::<BTreeSet<_>>(), counts, "docs/RUNBOOK.md");
    let dashboard = dashboard().to_string();
    for metric in counts {
        assert!(dashboard.contains(&format!("\"{metric}\"")), "{metric} is not on the dashboard");
    }
}

fn dashboard() -> Value {
    let dashboards = resources("AWS::CloudWatch::Dashboard");
    assert_eq!(dashboards.len(), 1);
    let body = dashboards["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"][0].as_str().unwrap();
    serde_json::from_str(body).unwrap()
}

#[test]
fn the_dashboard_shows_every_alarm_and_names_only_what_exists() {
    let dashboard = dashboard();
    let shown = dashboard["widgets"][0]["properties"]["alarms"].as_array().unwrap();
    let shown: BTreeSet<String> = shown.iter().map(|arn| arn.as_str().unwrap().to_owned()).collect();
    let alarms: BTreeSet<String> =
        resources("AWS::CloudWatch::Alarm").into_keys().map(|id| format!("${{{id}.Arn}}")).collect();
    assert_eq!(shown, alarms);
    let template = template();
    for name in Regex::new(r"\$\{([A-Za-z]+)[.}]").unwrap().captures_iter(&dashboard.to_string()) {
        let exists = template["Resources"].get(&name[1]).is_some() || template["Parameters"].get(&name[1]).is_some();
        assert!(exists, "the dashboard names {}", &name[1]);
    }
}

#[test]
fn every_alarm_tells_its_begin_and_its_end_through_an_encrypted_topic() {
    let topic = json!([{"Ref": "AlarmTopic"}]);
    for (id, alarm) in resources("AWS::CloudWatch::Alarm") {
        let properties = &alarm["Properties"];
        assert_eq!((&properties["AlarmActions"], &properties["OKActions"]), (&topic, &topic), "{id}");
        // No run of the sweeper is the one thing that missing data tells of.
        let missing = if id == "SweeperStopped" { "breaching" } else { "notBreaching" };
        assert_eq!(properties["TreatMissingData"], missing, "{id}");
    }
    let topics = resources("AWS::SNS::Topic");
    assert_eq!(topics["AlarmTopic"]["Properties"]["KmsMasterKeyId"]["Ref"], "AlarmKey");
    let policy = resources("AWS::KMS::Key")["AlarmKey"]["Properties"]["KeyPolicy"].clone();
    let publishes = policy["Statement"].as_array().unwrap().iter().any(|statement| {
        statement["Principal"]["Service"] == "cloudwatch.amazonaws.com"
            && statement["Action"] == json!(["kms:Decrypt", "kms:GenerateDataKey*"])
    });
    assert!(publishes, "CloudWatch may not publish to the topic");
}

/// An error that the service answers itself is no error of Lambda's: it is counted by version, so that a deployment that
/// answers 5xx is rolled back.
#[test]
fn a_deployment_that_answers_5xx_is_rolled_back() {
    let Some(template) = transformed() else { return };
    let resources = template["Resources"].as_object().unwrap();
    let mut watched = 0;
    for (id, alarm) in resources.iter().filter(|(id, _)| id.ends_with("ServerErrors") && *id != "ServerErrors") {
        let function = format!("{}Function", id.trim_end_matches("ServerErrors"));
        let properties = &alarm["Properties"];
        assert_eq!(properties["MetricName"], "ServerErrors", "{id}");
        assert_eq!(properties["Dimensions"][0], json!({"Name": "FunctionName", "Value": {"Ref": function}}), "{id}");
        let version = properties["Dimensions"][1]["Value"]["Fn::GetAtt"][0].as_str().unwrap();
        assert_eq!(properties["Dimensions"][1]["Name"], "FunctionVersion", "{id}");
        let alias = &resources[&format!("{function}Aliaslive")]["Properties"]["FunctionVersion"];
        assert_eq!(alias["Fn::GetAtt"][0], version, "{id} watches another version");
        let group = &resources[&format!("{function}DeploymentGroup")]["Properties"]["AlarmConfiguration"];
        assert!(group["Alarms"].as_array().unwrap().contains(&json!({"Name": {"Ref": id}})), "{id} rolls nothing back");
        watched += 1;
    }
    let over_http = super::document::functions().into_values().filter(|function| !function.routes().is_empty()).count();
    assert_eq!(watched, over_http);
}

#[test]
fn changes_that_lambda_gives_up_on_are_counted() {
    let alarms = resources("AWS::CloudWatch::Alarm");
    let dimension = |id: &str| alarms[id]["Properties"]["Dimensions"][0]["Value"]["Ref"].clone();
    for (id, metric) in
        [("ChangesGivenUp", "OnFailureDestinationDeliveredEventCount"), ("ChangesDropped", "DroppedEventCount")]
    {
        assert_eq!(alarms[id]["Properties"]["MetricName"], metric);
        // The event source that SAM makes of the function's event.
        assert_eq!(dimension(id), "ChangesFunctionChanges");
    }
    assert_eq!(alarms["SweeperDropped"]["Properties"]["MetricName"], "AsyncEventsDropped");
    assert_eq!(dimension("SweeperDropped"), "SweeperFunction");
    let Some(template) = transformed() else { return };
    let source = &template["Resources"]["ChangesFunctionChanges"]["Properties"];
    assert_eq!(source["MetricsConfig"], json!({"Metrics": ["EventCount"]}));
}
