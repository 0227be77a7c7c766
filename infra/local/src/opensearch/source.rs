//! The fields that searches return of a document and of its passages, as the JSON that was written.

use serde_json::Value;

/// The fields that searches return. The mapping leaves out others, or nobody asks for them.
const RETURNED: [&str; 8] =
    ["scope", "path", "entry", "titleTerms", "embeddingSpace", "passages.text", "passages.terms", "passages.vector"];

/// The returned fields by their whole names.
#[derive(Debug, Default)]
pub(super) struct Source(Vec<(&'static str, Box<str>)>);

impl Source {
    /// Keeps `value` if searches return `field`.
    pub(super) fn keep(&mut self, field: &str, value: &Value) {
        if let Some(field) = RETURNED.into_iter().find(|returned| *returned == field) {
            self.0.push((field, value.to_string().into()));
        }
    }

    /// An object of the fields that are `wanted`; of all without a list.
    pub(super) fn json(&self, wanted: Option<&Value>) -> String {
        let wanted = wanted.and_then(Value::as_array);
        let is_wanted = |field: &str| wanted.is_none_or(|list| list.iter().any(|name| name == field));
        let fields = self.0.iter().filter(|(field, _)| is_wanted(field));
        let fields: Vec<String> = fields
            .map(|(field, json)| format!("\"{}\":{json}", field.strip_prefix("passages.").unwrap_or(field)))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}
