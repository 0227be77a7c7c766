//! Tests of template.yaml: every route, least privilege for each function, and no loss of data.

mod access;
mod alarm_figures;
mod circles;
pub(crate) mod clients;
mod desk;
pub(crate) mod document;
pub(crate) mod existing_domain;
mod lint;
mod operation;
mod parameters;
mod queues;
mod release;
mod repeatable;
mod replacements;
mod rules;
mod runbook;
pub(crate) mod stack;
mod stream;
pub(crate) mod transformed;
mod widget;
mod workshop;

use std::collections::BTreeSet;

use document::{functions, root};

type Route = (String, String, String);

/// Function, method and path of every event of the gateway.
pub(crate) fn routes_of_template() -> BTreeSet<Route> {
    let routes = functions().into_values().flat_map(|function| {
        let name = function.name.clone();
        function.routes().into_iter().map(move |(method, path)| (name.clone(), method, path))
    });
    routes.collect()
}

#[test]
fn no_route_answers_two_functions_or_a_preflight() {
    let routes = routes_of_template();
    let addresses: BTreeSet<_> = routes.iter().map(|(_, method, path)| (method, path)).collect();
    assert_eq!(addresses.len(), routes.len());
    assert!(!routes.iter().any(|(_, method, _)| method == "OPTIONS" || method == "ANY"));
}

#[test]
fn every_function_crate_is_deployed_and_nothing_else() {
    let folders = std::fs::read_dir(root().join("functions")).unwrap();
    let crates: BTreeSet<String> = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(functions().into_keys().collect::<BTreeSet<_>>(), crates);
}

#[test]
fn the_sweeper_runs_every_minute_and_ends_in_time() {
    let sweeper = &functions()["sweeper"].properties;
    let events: Vec<_> = sweeper["Events"].as_object().unwrap().values().collect();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["Type"], "ScheduleV2");
    assert_eq!(events[0]["Properties"]["ScheduleExpression"], "rate(1 minute)");
    assert_eq!(sweeper["EventInvokeConfig"]["MaximumRetryAttempts"], 0, "the next run comes by itself");
    assert!(sweeper["Timeout"].as_u64().unwrap() >= 40 + 30, "what it began in time must be let to end");
    let timeout_ms = i64::try_from(sweeper["Timeout"].as_u64().unwrap() * 1_000).unwrap();
    assert!(
        timeout_ms < support::sweeper::crashes::MAX_RUN_MS,
        "a run that is still in progress would be treated as crashed"
    );
}

#[test]
fn a_function_is_built_for_arm_and_answers_before_the_gateway_gives_up() {
    for (name, function) in functions() {
        let properties = &function.properties;
        assert_eq!(properties["Runtime"], "provided.al2023", "{name}");
        assert_eq!(properties["Architectures"], serde_json::json!(["arm64"]), "{name}");
        assert_eq!(properties["Handler"], "bootstrap", "{name}");
        let seconds = properties["Timeout"].as_u64().unwrap();
        let request_ms: u64 = function.environment()["REQUEST_TIMEOUT_MS"].as_str().unwrap().parse().unwrap();
        assert!(request_ms < seconds * 1_000, "{name}: a request may outlive its function");
        let events = properties["Events"].as_object().unwrap();
        for (event, gateway) in events.iter().filter(|(_, event)| event["Type"] == "HttpApi") {
            let gateway = &gateway["Properties"];
            let known = ["ApiId", "Method", "Path", "TimeoutInMillis", "PayloadFormatVersion"];
            assert!(gateway.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{name}/{event}");
            assert_eq!(gateway["ApiId"]["Ref"], "Api", "{name}/{event}");
            assert_eq!(gateway["PayloadFormatVersion"], "2.0", "{name}/{event}");
            let gateway_ms = gateway["TimeoutInMillis"].as_u64().unwrap();
            assert!(gateway_ms == 30_000 && gateway_ms > seconds * 1_000, "{name}/{event}");
        }
    }
}
