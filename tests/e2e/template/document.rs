//! template.yaml as data: CloudFormation's short tags are read as their long forms.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A function of the template.
pub(crate) struct Function {
    /// Its logical id.
    pub(crate) id: String,
    /// The binary that it runs.
    pub(crate) name: String,
    /// Its properties, with the globals under them.
    pub(crate) properties: Value,
}

impl Function {
    /// The environment, globals and its own.
    pub(crate) fn environment(&self) -> &Map<String, Value> {
        self.properties["Environment"]["Variables"].as_object().unwrap()
    }

    /// Method and path of its events that come over HTTP; `$default` for the route that takes the rest.
    pub(crate) fn routes(&self) -> Vec<(String, String)> {
        let events = self.properties["Events"].as_object().unwrap();
        let over_http = events.values().filter(|event| event["Type"] == "HttpApi");
        let part = |event: &Value, name: &str| event["Properties"][name].as_str().unwrap_or("$default").to_owned();
        over_http.map(|event| (part(event, "Method"), part(event, "Path"))).collect()
    }
}

/// The whole template.
pub(crate) fn template() -> Value {
    let text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    plain(serde_norway::from_str(&text).unwrap())
}

/// Its functions by the binary's name.
pub(crate) fn functions() -> BTreeMap<String, Function> {
    let template = template();
    let globals = &template["Globals"]["Function"];
    let of_type = |resource: &Value| resource["Type"] == "AWS::Serverless::Function";
    let resources = template["Resources"].as_object().unwrap().iter().filter(|(_, resource)| of_type(resource));
    let function = |(id, resource): (&String, &Value)| {
        let name = resource["Metadata"]["BuildProperties"]["Binary"].as_str().unwrap().to_owned();
        assert_eq!(resource["Metadata"]["BuildMethod"], "rust-cargolambda", "{name}");
        let properties = over(globals.clone(), &resource["Properties"]);
        (name.clone(), Function { id: id.clone(), name, properties })
    };
    resources.map(function).collect()
}

/// The resources of one type by logical id.
pub(crate) fn resources(kind: &str) -> BTreeMap<String, Value> {
    let template = template();
    let all = template["Resources"].as_object().unwrap().clone();
    all.into_iter().filter(|(_, resource)| resource["Type"] == kind).collect()
}

/// Every value under `value`, itself included, with the path to it.
pub(crate) fn walk(value: &Value, path: &str, visit: &mut dyn FnMut(&str, &Value)) {
    visit(path, value);
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| walk(inner, &format!("{path}/{key}"), visit)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, inner)| walk(inner, &format!("{path}/{at}"), visit))
        }
        _ => {}
    }
}

/// One text or many, as texts; anything else as its JSON.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    value.as_array().map_or_else(|| vec![text(value)], |list| list.iter().map(text).collect())
}

/// `own` laid over `globals`, as SAM does it: maps merge, everything else is replaced.
fn over(globals: Value, own: &Value) -> Value {
    match (globals, own) {
        (Value::Object(mut below), Value::Object(above)) => {
            for (key, value) in above {
                let merged = below.remove(key).map_or_else(|| value.clone(), |under| over(under, value));
                below.insert(key.clone(), merged);
            }
            Value::Object(below)
        }
        (_, own) => own.clone(),
    }
}

fn plain(value: serde_norway::Value) -> Value {
    match value {
        serde_norway::Value::Tagged(tagged) => {
            let tag = tagged.tag.to_string();
            let name = tag.trim_start_matches('!');
            let long = if name == "Ref" { "Ref".to_owned() } else { format!("Fn::{name}") };
            json!({ long: plain(tagged.value) })
        }
        serde_norway::Value::Mapping(map) => {
            let pair = |(key, value): (serde_norway::Value, _)| (key.as_str().unwrap().to_owned(), plain(value));
            Value::Object(map.into_iter().map(pair).collect())
        }
        serde_norway::Value::Sequence(list) => list.into_iter().map(plain).collect(),
        other => serde_json::to_value(other).unwrap(),
    }
}
