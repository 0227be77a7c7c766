//! Spelling suggestions: the words of a field that differ little from a word.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::document::Document;

/// The suggestions for each of `wanted`, by its name.
pub(super) fn suggest(documents: &BTreeMap<String, Document>, wanted: &Value) -> Value {
    let wanted = wanted.as_object().into_iter().flatten();
    Value::Object(wanted.map(|(name, one)| (name.clone(), suggestion(documents, one))).collect::<Map<_, _>>())
}

fn suggestion(documents: &BTreeMap<String, Document>, wanted: &Value) -> Value {
    let number = |name: &str| {
        let number = wanted.pointer(&format!("/term/{name}")).and_then(Value::as_u64);
        usize::try_from(number.unwrap_or_default()).unwrap_or_default()
    };
    let text = wanted.get("text").and_then(Value::as_str).unwrap_or_default();
    let field = wanted.pointer("/term/field").and_then(Value::as_str).unwrap_or_default();
    let kept: String = text.chars().take(number("prefix_length")).collect();
    let mut known: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents.values() {
        let words = document.fields().value(field).and_then(Value::as_array).into_iter().flatten();
        for word in words.filter_map(Value::as_str).filter(|word| *word != text && word.starts_with(&kept)) {
            *known.entry(word).or_default() += 1;
        }
    }
    let mut near: Vec<(usize, &str, u64)> = known
        .into_iter()
        .map(|(word, freq)| (strsim::osa_distance(word, text), word, freq))
        .filter(|(edits, ..)| *edits <= number("max_edits"))
        .collect();
    near.sort_by_key(|(edits, _, freq)| (*edits, std::cmp::Reverse(*freq)));
    let options = near.into_iter().take(number("size")).map(|(_, word, freq)| json!({"text": word, "freq": freq}));
    json!([{"text": text, "options": options.collect::<Vec<_>>()}])
}
