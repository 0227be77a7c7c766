//! Compares the mapping of the index with the one that this version makes.

use http::Method;
use serde_json::Value;

use super::connection::{OpenSearchIndex, index_definition};
use super::request::{OpenSearchRequest, unavailable};

impl OpenSearchIndex {
    /// The fields of our mapping that the index lacks or has with another type, as dotted paths.
    pub(super) async fn different_fields(&self) -> domain::Result<Vec<String>> {
        let what = "read the mapping";
        let get = OpenSearchRequest::new(Method::GET, format!("/{}/_mapping", self.alias()));
        let reply = self.send(what, &get).await?;
        if !reply.status.is_success() {
            return Err(unavailable(what, &reply.status.to_string()));
        }
        let indices: Value = reply.json(what)?;
        let ours = index_definition()?;
        let wanted = ours.pointer("/mappings/properties").cloned().unwrap_or_default();
        let there = indices.as_object().into_iter().flat_map(|indices| indices.values());
        let there = there.filter_map(|index| index.pointer("/mappings/properties"));
        Ok(there.flat_map(|properties| differences(&wanted, properties)).collect())
    }
}

/// The paths of `wanted` whose type is another in `there`. Fields lie at most one object deep.
fn differences(wanted: &Value, there: &Value) -> Vec<String> {
    let mut open = vec![(String::new(), wanted, Some(there))];
    let mut found = Vec::new();
    while let Some((prefix, wanted, there)) = open.pop() {
        for (name, field) in wanted.as_object().into_iter().flatten() {
            let path = format!("{prefix}{name}");
            let other = there.and_then(|there| there.get(name));
            // An object may be written without its type.
            let kind = |field: Option<&Value>| {
                let named = field.and_then(|field| field.get("type")).and_then(Value::as_str);
                named.or_else(|| field.map(|_| "object")).map(str::to_owned)
            };
            if kind(Some(field)) != kind(other) {
                found.push(path);
            } else if let Some(inner) = field.get("properties") {
                open.push((format!("{path}."), inner, other.and_then(|other| other.get("properties"))));
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_that_is_missing_or_of_another_type_is_named() {
        let wanted = json!({
            "path": {"type": "keyword"}, "entry": {"type": "object"},
            "passages": {"type": "nested", "properties": {"length": {"type": "integer"}}},
        });
        assert_eq!(differences(&wanted, &wanted), Vec::<String>::new());
        let there = json!({
            "path": {"type": "text"}, "entry": {"enabled": false}, "more": {"type": "keyword"},
            "passages": {"type": "nested", "properties": {}},
        });
        assert_eq!(differences(&wanted, &there), ["passages.length", "path"]);
    }
}
