//! Rules of the schemas of all types: enums are open in answers, an omitted field of an answer is never `null` in it,
//! and descriptions are plain paragraphs.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Settles the components' `schemas` by where `paths` use them.
pub(super) fn settle(schemas: &mut Value, paths: &Value) {
    let mut answered = BTreeSet::new();
    let mut asked = BTreeSet::new();
    for operation in paths.as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values()) {
        reach(&operation["responses"], schemas, &mut answered);
        reach(&operation["requestBody"], schemas, &mut asked);
        reach(&operation["parameters"], schemas, &mut asked);
    }
    // Whatever is neither an answer of an operation nor asked for is in every error, or sent to receivers.
    let names: BTreeSet<String> = schemas.as_object().unwrap().keys().cloned().collect();
    let enums: BTreeSet<String> = names.iter().filter(|name| schemas[*name].get("enum").is_some()).cloned().collect();
    for name in names.iter().filter(|name| !asked.contains(*name) && !enums.contains(*name)) {
        drop_null_of_absent(&mut schemas[name]);
        drop_defaults(&mut schemas[name]);
        open_enums(&mut schemas[name], &enums);
    }
    let both: Vec<_> = asked.intersection(&answered).filter(|name| schemas[*name]["type"] == "object").collect();
    assert!(both.is_empty(), "bodies that are both taken and given cannot be open and closed: {both:?}");
    drop_formats(schemas);
}

/// Adds the names of all schemas that `value` leads to.
fn reach(value: &Value, schemas: &Value, reached: &mut BTreeSet<String>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some(name) = value["$ref"].as_str().and_then(|it| it.strip_prefix("#/components/schemas/"))
            && reached.insert(name.to_owned())
        {
            open.push(&schemas[name]);
        }
        open.extend(value.as_object().into_iter().flat_map(Map::values));
        open.extend(value.as_array().into_iter().flatten());
    }
}

/// Fields of groups that are left out as a whole; in a group that is there, they may be null.
const NULL_IN_A_GROUP: [&str; 1] = ["nextOpenAt"];

/// A field that may be left out of an answer is left out if there is nothing to say.
fn drop_null_of_absent(schema: &mut Value) {
    let required: Vec<Value> = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    let never_null = |name: &str| !required.contains(&json!(name)) && !NULL_IN_A_GROUP.contains(&name);
    for (_, property) in properties.iter_mut().filter(|(name, _)| never_null(name)) {
        if let Some(kinds) = property["type"].as_array() {
            property["type"] = kinds.iter().find(|kind| **kind != "null").unwrap().clone();
        }
        if let Some(choices) = property["anyOf"].as_array() {
            let rest = choices.iter().find(|choice| choice["type"] != "null").unwrap().clone();
            property.as_object_mut().unwrap().remove("anyOf");
            property.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        }
    }
}

/// An answer names every field, so no default stands in for one.
fn drop_defaults(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        property.as_object_mut().unwrap().remove("default");
    }
}

/// If an answer has a value of an enum, it may have one that is yet to come: clients must not fail on it.
fn open_enums(value: &mut Value, enums: &BTreeSet<String>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let name = value["$ref"].as_str().and_then(|it| it.strip_prefix("#/components/schemas/"));
        if name.is_some_and(|name| enums.contains(name)) {
            let reference = value.as_object_mut().unwrap().remove("$ref").unwrap();
            value["anyOf"] = json!([{"$ref": reference}, {"type": "string"}]);
            continue;
        }
        // `anyOf` of an enum and null becomes one list of three.
        let nullable = value["anyOf"].as_array().is_some_and(|choices| choices.iter().any(|one| one["type"] == "null"));
        let word = value["anyOf"][0]["$ref"].as_str().and_then(|it| it.strip_prefix("#/components/schemas/"));
        if nullable && word.is_some_and(|name| enums.contains(name)) {
            value["anyOf"] = json!([value["anyOf"][0], {"type": "string"}, {"type": "null"}]);
            continue;
        }
        match value {
            Value::Object(fields) => open.extend(fields.values_mut()),
            Value::Array(items) => open.extend(items.iter_mut()),
            _ => {}
        }
    }
}

/// The widths of Rust's numbers say nothing to callers.
fn drop_formats(value: &mut Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if fields.get("format").and_then(Value::as_str).is_some_and(|it| it.contains("int") || it == "double") {
                    fields.remove("format");
                }
                open.extend(fields.values_mut());
            }
            Value::Array(items) => open.extend(items.iter_mut()),
            _ => {}
        }
    }
}

/// Makes paragraphs of the lines of comments; the items of a list stay lines.
pub(super) fn tidy_prose(document: &mut Value) {
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(text)) = fields.get_mut("description") {
                    *text = prose(text);
                }
                open.extend(fields.values_mut());
            }
            Value::Array(items) => open.extend(items.iter_mut()),
            _ => {}
        }
    }
}

fn prose(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        match line {
            "" if !out.is_empty() && !out.ends_with("\n\n") => out.push_str("\n\n"),
            "" => {}
            item if item.starts_with("- ") => {
                let end = if out.is_empty() || out.ends_with('\n') { "" } else { "\n" };
                out.push_str(end);
                out.push_str(item);
            }
            line => {
                let space = if out.is_empty() || out.ends_with('\n') { "" } else { " " };
                out.push_str(space);
                out.push_str(line);
            }
        }
    }
    out.trim().to_owned()
}
