//! Aggregations: counts per filter, and means.

use serde_json::{Map, Value, json};

use super::document::Document;
use super::query::{Corpus, Place};

/// The aggregations `wanted` over `places`.
pub(super) fn aggregate(corpus: &Corpus<'_>, wanted: &Value, places: &[Place<'_>]) -> Value {
    let wanted = wanted.as_object().into_iter().flatten();
    Value::Object(wanted.map(|(name, one)| (name.clone(), aggregation(corpus, one, places))).collect())
}

fn aggregation(corpus: &Corpus<'_>, wanted: &Value, places: &[Place<'_>]) -> Value {
    if wanted.get("global").is_some() {
        let all: Vec<Place<'_>> = corpus.documents.values().map(|document| Place { document, passage: None }).collect();
        return bucket(corpus, wanted, &all);
    }
    if let Some(filter) = wanted.get("filter") {
        let within: Vec<Place<'_>> = places.iter().copied().filter(|place| corpus.matches(filter, *place)).collect();
        return bucket(corpus, wanted, &within);
    }
    if wanted.get("nested").is_some() {
        let passages: Vec<Place<'_>> = places.iter().flat_map(|place| passages_of(place.document)).collect();
        return bucket(corpus, wanted, &passages);
    }
    if let Some(Value::Array(filters)) = wanted.pointer("/filters/filters") {
        let count = |filter: &Value| places.iter().filter(|place| corpus.matches(filter, **place)).count();
        let buckets: Vec<Value> = filters.iter().map(|filter| json!({"doc_count": count(filter)})).collect();
        return json!({"buckets": buckets});
    }
    let field = wanted.pointer("/avg/field").and_then(Value::as_str).unwrap_or_default();
    json!({"value": mean(field, places)})
}

fn passages_of(document: &Document) -> impl Iterator<Item = Place<'_>> {
    document.passages.iter().map(move |passage| Place { document, passage: Some(passage) })
}

fn bucket(corpus: &Corpus<'_>, wanted: &Value, places: &[Place<'_>]) -> Value {
    let mut bucket = Map::from_iter([("doc_count".to_owned(), places.len().into())]);
    if let Some(Value::Object(inner)) = wanted.get("aggs").map(|inner| aggregate(corpus, inner, places)) {
        bucket.extend(inner);
    }
    Value::Object(bucket)
}

/// The mean of a number; none where no place has one.
fn mean(field: &str, places: &[Place<'_>]) -> Option<f64> {
    let number = |place: &Place<'_>| place.passage.unwrap_or_else(|| place.document.fields()).value(field)?.as_f64();
    let (mut sum, mut count) = (0.0, 0.0);
    for number in places.iter().filter_map(number) {
        sum += number;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}
