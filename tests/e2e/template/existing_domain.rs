//! A stack that uses an existing search domain: it makes none, everything refers to the existing one, and each stack has
//! an index of its own in it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{functions, walk};
use super::stack::Stack;
use super::transformed::transformed;

/// The parameters of such a stack.
pub(crate) const EXISTING_DOMAIN: [(&str, &str); 2] = [
    ("ExistingSearchDomainName", "shared"),
    ("ExistingSearchDomainEndpoint", "search-shared-x1.eu-central-1.es.amazonaws.com"),
];
pub(crate) const EXISTING_DOMAIN_ARN: &str = "arn:aws:es:eu-central-1:123456789012:domain/shared";

fn types(template: &Value) -> BTreeSet<&str> {
    template["Resources"].as_object().unwrap().values().map(|resource| resource["Type"].as_str().unwrap()).collect()
}

/// Everything of a stack, by type. Fails if something refers to a resource that is not made.
fn everything(stack: &Stack<'_>, template: &Value) -> Value {
    let resources = types(template).into_iter().map(|kind| (kind.to_owned(), json!(stack.resources(kind))));
    let mut all: serde_json::Map<String, Value> = resources.collect();
    all.insert("Outputs".into(), json!(stack.outputs()));
    Value::Object(all)
}

/// The domains of every metric of an alarm.
fn watched_domains(stack: &Stack<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for alarm in stack.resources("AWS::CloudWatch::Alarm").values() {
        walk(alarm, "", &mut |_, value| {
            if value["Name"] == "DomainName" {
                found.push(value["Value"].as_str().unwrap().to_owned());
            }
        });
    }
    found
}

#[test]
fn with_an_existing_domain_the_stack_makes_none_and_everything_uses_the_existing_one() {
    let Some(template) = transformed() else { return };
    let existing = ("shared", "search-shared-x1.eu-central-1.es.amazonaws.com", "wiki-0a1b-one");
    let own = ("one-search", "search-one-search.eu-central-1.es.amazonaws.com", "wiki");
    for (given, (name, host, index)) in [(&EXISTING_DOMAIN[..], existing), (&[][..], own)] {
        let stack = Stack::new("one", template, given);
        let all = everything(&stack, template);
        assert_eq!(all["AWS::OpenSearchService::Domain"].as_object().unwrap().is_empty(), !given.is_empty());
        let outputs = &all["Outputs"];
        let named = [&outputs["SearchDomainName"], &outputs["SearchEndpoint"], &outputs["SearchIndex"]];
        assert_eq!(named, [&json!(name), &json!(format!("https://{host}")), &json!(index)]);
        for function in functions().into_values().filter(|function| function.environment().contains_key("SEARCH_INDEX"))
        {
            let variables = &all["AWS::Lambda::Function"][&function.id]["Environment"]["Variables"];
            let read = [&variables["SEARCH_ENDPOINT"], &variables["SEARCH_INDEX"]];
            assert_eq!(read, [&outputs["SearchEndpoint"], &outputs["SearchIndex"]], "{}", function.id);
        }
        let health = &all["AWS::Lambda::Function"]["HealthFunction"]["Environment"]["Variables"];
        assert_eq!(health["SEARCH_DOMAIN_NAME"], name);
        let watched = watched_domains(&stack);
        assert!(watched.len() == 8 && watched.iter().all(|domain| domain == name), "{watched:?}");
        let dashboard = all["AWS::CloudWatch::Dashboard"]["Dashboard"]["DashboardBody"].as_str().unwrap();
        assert!(dashboard.contains(&format!("\"DomainName\",\"{name}\"")), "{dashboard}");
    }
}

#[test]
#[should_panic(expected = "the stack has no Search, which something refers to")]
fn a_reference_to_the_domain_that_is_not_made_is_found() {
    let template = json!({
        "Parameters": {"ExistingSearchDomainName": {"Default": ""}, "ExistingSearchDomainEndpoint": {"Default": ""}},
        "Conditions": {"Owns": {"Fn::Equals": [{"Ref": "ExistingSearchDomainName"}, ""]}},
        "Resources": {
            "Search": {"Type": "AWS::OpenSearchService::Domain", "Condition": "Owns", "Properties": {}},
            "Alarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Domain": {"Ref": "Search"}}},
        },
    });
    Stack::new("one", &template, &[]).resources("AWS::CloudWatch::Alarm");
    Stack::new("one", &template, &EXISTING_DOMAIN).resources("AWS::CloudWatch::Alarm");
}
