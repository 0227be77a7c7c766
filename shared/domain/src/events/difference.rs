//! The values that a change replaced.

use serde::Serialize;
use serde_json::{Map, Value};

/// A resource as the fields of its JSON object.
pub(super) fn fields<T: Serialize>(resource: &T) -> Map<String, Value> {
    match serde_json::to_value(resource) {
        Ok(Value::Object(fields)) => fields,
        // Resources are structs with text keys.
        _ => Map::new(),
    }
}

/// The old values of the fields that differ; `null` for those that were not there.
pub(super) fn difference(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let changed = old.iter().filter(|(name, value)| new.get(*name) != Some(value));
    let mut previous: Map<String, Value> = changed.map(|(name, value)| (name.clone(), value.clone())).collect();
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        previous.insert(name.clone(), Value::Null);
    }
    previous
}
