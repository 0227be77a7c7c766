//! The committed document, with the part of JSON Schema that it uses. A field without a description fails.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::template::document::root;

/// An OpenAPI document.
pub(super) struct Document(pub(super) Value);

impl Document {
    pub(super) fn committed() -> Self {
        let text = std::fs::read_to_string(root().join("functions/health/openapi.json")).unwrap();
        Self(serde_json::from_str(&text).unwrap())
    }

    /// Method, path and operation.
    pub(super) fn operations(&self) -> Vec<(String, String, Value)> {
        let paths = self.0["paths"].as_object().unwrap().iter();
        let operations = paths.flat_map(|(path, item)| {
            let operations = item.as_object().unwrap().iter();
            operations.map(|(method, operation)| (method.clone(), path.clone(), operation.clone()))
        });
        operations.collect()
    }

    pub(super) fn operation(&self, method: &str, path: &str) -> &Value {
        let found = &self.0["paths"][path][method];
        assert!(found.is_object(), "{method} {path} is not described");
        found
    }

    pub(super) fn parameters<'a>(&'a self, operation: &'a Value) -> Vec<&'a Value> {
        let parameters = operation["parameters"].as_array().unwrap();
        let resolved = |parameter| self.resolved(parameter);
        parameters.iter().map(resolved).collect()
    }

    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => self.0.pointer(reference.trim_start_matches('#')).unwrap(),
            None => value,
        }
    }

    /// The faults of an answer of `operation`.
    pub(super) fn answer(&self, operation: &Value, status: u16, text: &str) -> Vec<String> {
        let responses = &operation["responses"];
        let response = responses.get(status.to_string()).filter(|response| response.is_object());
        let Some(response) = response else { return vec!["is not described".into()] };
        match self.resolved(response).pointer("/content/application~1json/schema") {
            None if text.is_empty() => Vec::new(),
            None => vec![format!("should have no body: {text}")],
            Some(schema) => match serde_json::from_str::<Value>(text) {
                Ok(body) => self.problems(schema, &body, "$"),
                Err(_) => vec![format!("is no JSON: {text}")],
            },
        }
    }

    /// The faults of `value` by a schema.
    pub(super) fn problems(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let schema = self.resolved(schema);
        if let Some(choices) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            // An enum is open for values that are yet to come, of which this service has none.
            let open = choices.iter().any(|choice| self.resolved(choice).get("enum").is_some());
            let told = choices.iter().filter(|choice| !(open && **choice == json!({"type": "string"})));
            return told.map(|choice| self.problems(choice, value, at)).min_by_key(Vec::len).unwrap();
        }
        let types = match &schema["type"] {
            Value::Array(types) => types.iter().map(|kind| kind.as_str().unwrap()).collect(),
            kind => vec![kind.as_str().unwrap_or_else(|| panic!("{at} has no type: {schema}"))],
        };
        if !types.iter().any(|kind| is(kind, value)) {
            return vec![format!("{at} is {value}, not {types:?}")];
        }
        if schema.get("const").is_some_and(|only| only != value) {
            return vec![format!("{at} is {value}, not {}", schema["const"])];
        }
        let allowed = schema["enum"].as_array();
        if allowed.is_some_and(|allowed| !allowed.contains(value)) {
            return vec![format!("{at} is {value}, none of {allowed:?}")];
        }
        let (number, minimum, maximum) = (value.as_f64(), schema["minimum"].as_f64(), schema["maximum"].as_f64());
        if number.is_some_and(|n| minimum.is_some_and(|min| n < min) || maximum.is_some_and(|max| n > max)) {
            return vec![format!("{at} is {value}, out of range")];
        }
        match value {
            Value::String(text) => text_problems(schema, text, at),
            Value::Array(items) => {
                let each = items.iter().enumerate();
                each.flat_map(|(i, item)| self.problems(&schema["items"], item, &format!("{at}[{i}]"))).collect()
            }
            Value::Object(_) if schema.get("properties").is_some() => {
                self.object(&Object::default().and(schema), value, at)
            }
            _ => Vec::new(),
        }
    }

    fn object(&self, schema: &Object, value: &Value, at: &str) -> Vec<String> {
        let Some(fields) = value.as_object() else { return vec![format!("{at} is {value}, no object")] };
        let missing = schema.required.iter().filter(|name| !fields.contains_key(*name));
        let mut problems: Vec<String> = missing.map(|name| format!("{at}.{name} is missing")).collect();
        for (name, field) in fields {
            let inner = format!("{at}.{name}");
            match schema.properties.get(name) {
                Some(described) => problems.extend(self.problems(described, field, &inner)),
                None => problems.push(format!("{inner} is not described")),
            }
        }
        problems
    }
}

/// The fields of an object, or of several laid over each other.
#[derive(Default)]
struct Object {
    required: Vec<String>,
    properties: BTreeMap<String, Value>,
}

impl Object {
    fn and(mut self, schema: &Value) -> Self {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        self.properties.extend(properties.iter().map(|(name, schema)| (name.clone(), schema.clone())));
        let required = schema["required"].as_array().into_iter().flatten();
        self.required.extend(required.map(|name| name.as_str().unwrap().to_owned()));
        self
    }
}

/// The faults of a text by its lengths, in characters, and its pattern.
fn text_problems(schema: &Value, text: &str, at: &str) -> Vec<String> {
    let length = text.chars().count() as u64;
    let long = schema["maxLength"].as_u64().is_some_and(|max| length > max);
    let short = schema["minLength"].as_u64().is_some_and(|min| length < min);
    let pattern = schema["pattern"].as_str().map(|pattern| regex::Regex::new(pattern).unwrap());
    let unlike = pattern.is_some_and(|pattern| !pattern.is_match(text));
    if long || short || unlike { vec![format!("{at} is {text:?}, not as {schema}")] } else { Vec::new() }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}
