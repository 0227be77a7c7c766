//! CloudFormation refuses a template in which a resource depends on itself. SAM's transform adds dependencies that
//! template.yaml does not show: the API refers to its functions, and the distribution to the API.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document::walk;
use super::transformed::transformed;

/// For each resource, those that must exist before it: whatever its properties refer to in any branch of a condition,
/// and its `DependsOn`.
fn dependencies(template: &Value) -> BTreeMap<&str, BTreeSet<String>> {
    let resources = template["Resources"].as_object().unwrap();
    let needed = |resource: &Value| {
        let mut names = BTreeSet::new();
        names.extend(super::document::texts(&resource["DependsOn"]));
        walk(resource, "", &mut |_, value| names.extend(referred(value)));
        names.into_iter().filter(|name| resources.contains_key(name)).collect()
    };
    resources.iter().map(|(id, resource)| (id.as_str(), needed(resource))).collect()
}

/// The names that one intrinsic function refers to.
fn referred(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(name) = value.get("Ref") {
        return vec![text(name)];
    }
    if let Some(path) = value.get("Fn::GetAtt") {
        let name = path.as_array().map_or_else(|| text(path), |path| text(&path[0]));
        return vec![name.split('.').next().unwrap_or_default().to_owned()];
    }
    let Some(substituted) = value.get("Fn::Sub") else { return Vec::new() };
    let (pattern, names) = match substituted.as_array() {
        Some(both) => (text(&both[0]), both[1].clone()),
        None => (text(substituted), Value::Null),
    };
    let parts = pattern.split("${").skip(1).filter_map(|part| part.split_once('}').map(|(name, _)| name.to_owned()));
    let free = parts.filter(|name| !name.starts_with('!') && names.get(name).is_none());
    free.map(|name| name.split('.').next().unwrap_or_default().to_owned()).collect()
}

/// The resources that are left when those whose dependencies exist are made again and again: each is in a circle or
/// waits for one.
fn never_made(template: &Value) -> BTreeSet<&str> {
    let mut waiting = dependencies(template);
    loop {
        let made: Vec<&str> = waiting
            .iter()
            .filter(|(_, needed)| needed.iter().all(|name| !waiting.contains_key(name.as_str())))
            .map(|(id, _)| *id)
            .collect();
        if made.is_empty() {
            return waiting.into_keys().collect();
        }
        made.iter().for_each(|id| drop(waiting.remove(id)));
    }
}

#[test]
fn no_resource_depends_on_itself() {
    let Some(template) = transformed() else { return };
    assert_eq!(never_made(template), BTreeSet::new());
}

#[test]
fn a_function_that_is_told_the_distributions_address_is_found_as_a_circle() {
    let Some(template) = transformed() else { return };
    for told in [
        json!({"Fn::GetAtt": ["WidgetDistribution", "DomainName"]}),
        json!({"Fn::Sub": "https://${WidgetDistribution.DomainName}/desk/"}),
        json!({"Fn::If": ["HasDesk", {"Ref": "DeskUrl"}, {"Fn::Sub": ["${Host}", {"Host": {"Ref": "WidgetDistribution"}}]}]}),
    ] {
        let mut circular = template.clone();
        circular["Resources"]["AuthFunction"]["Properties"]["Environment"]["Variables"]["DESK_URL"] = told.clone();
        let found = never_made(&circular);
        for id in ["AuthFunction", "Api", "WidgetDistribution"] {
            assert!(found.contains(id), "{told}: {found:?}");
        }
    }
    let mut circular = template.clone();
    circular["Resources"]["AuthLog"]["DependsOn"] = json!(["AuthFunction"]);
    assert!(never_made(&circular).contains("AuthLog"));
}
