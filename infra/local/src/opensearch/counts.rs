//! Aggregations: counts per filter, and means.

use serde_json::{Map, Value, json};

use super::query::{first, having, is_in, mean, narrow, passages_of, places};
use super::shard::Shard;

/// The aggregations `wanted` over the documents or passages `within`.
pub(super) fn aggregate(shard: &Shard, wanted: &Value, within: &[bool]) -> Value {
    let wanted = wanted.as_object().into_iter().flatten();
    Value::Object(wanted.map(|(name, one)| (name.clone(), aggregation(shard, one, within))).collect())
}

fn aggregation(shard: &Shard, wanted: &Value, within: &[bool]) -> Value {
    if wanted.get("global").is_some() {
        return bucket(shard, wanted, shard.live());
    }
    if let Some(filter) = wanted.get("filter") {
        let mut matching = within.to_vec();
        narrow(shard, filter, &mut matching);
        return bucket(shard, wanted, &matching);
    }
    if wanted.get("nested").is_some() {
        return bucket(shard, wanted, &passages_of(shard, within));
    }
    if let Some(Value::Array(filters)) = wanted.pointer("/filters/filters") {
        let buckets = filters.iter().map(|filter| json!({"doc_count": count(shard, filter, within)}));
        return json!({"buckets": buckets.collect::<Vec<_>>()});
    }
    let field = wanted.pointer("/avg/field").and_then(Value::as_str).unwrap_or_default();
    json!({"value": mean(shard.numbers(field), within)})
}

/// How many have the term of `filter`.
fn count(shard: &Shard, filter: &Value, within: &[bool]) -> usize {
    let Some((field, value)) = filter.get("term").and_then(first) else { return 0 };
    having(shard, field, value).filter(|place| is_in(within, *place)).count()
}

fn bucket(shard: &Shard, wanted: &Value, within: &[bool]) -> Value {
    let mut bucket = Map::from_iter([("doc_count".to_owned(), places(within).count().into())]);
    if let Some(Value::Object(inner)) = wanted.get("aggs").map(|inner| aggregate(shard, inner, within)) {
        bucket.extend(inner);
    }
    Value::Object(bucket)
}
