//! A search: the hits in their order, one page of them, counts, means and spelling suggestions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::query::{Evaluation, clauses, first, having, is_in, mean, narrow, passages_of, places};
use super::shard::Shard;

/// The hits of a search that names no number.
const DEFAULT_SIZE: u64 = 10;

/// The passages of a hit if the query names no number.
const DEFAULT_INNER_SIZE: u64 = 3;

/// A document that matches.
struct Hit<'a> {
    scope: &'a str,
    path: &'a str,
    score: f64,
    document: usize,
    /// The number of its evaluation.
    evaluation: usize,
}

/// The response to a search.
pub(super) fn search(shards: &BTreeMap<String, Shard>, body: &Value) -> String {
    let everything = serde_json::json!({"match_all": {}});
    let query = body.get("query").unwrap_or(&everything);
    let searched = searched(shards, query);
    let mut evaluations = Vec::new();
    let mut hits = Vec::new();
    for (scope, shard) in &searched {
        let mut evaluation = Evaluation::new(shard);
        let scores = evaluation.documents(query);
        let matching = shard.documents.iter().enumerate();
        hits.extend(matching.filter_map(|(number, document)| {
            let score = scores.get(number)?;
            Some(Hit { scope, path: &document.path, score, document: number, evaluation: evaluations.len() })
        }));
        evaluations.push(evaluation);
    }
    let total = hits.len();
    let page: Vec<String> =
        page(hits, body).into_iter().filter_map(|hit| hit_json(&hit, evaluations.get(hit.evaluation)?, body)).collect();
    let mut response = format!(
        r#"{{"status":200,"timed_out":false,"hits":{{"total":{{"value":{total},"relation":"eq"}},"hits":[{}]}}"#,
        page.join(",")
    );
    if let Some(wanted) = body.get("aggs") {
        let none = Shard::default();
        let shard = searched.first().map_or(&none, |(_, shard)| shard);
        let _ = write!(response, r#","aggregations":{}"#, aggregate(shard, wanted, shard.live()));
    }
    if let Some(wanted) = body.get("suggest") {
        let _ = write!(response, r#","suggest":{}"#, suggest(shards.values(), wanted));
    }
    response + "}"
}

/// The shards of a query: the one that its filter names, or all. A search that counts names one.
fn searched<'a>(shards: &'a BTreeMap<String, Shard>, query: &Value) -> Vec<(&'a str, &'a Shard)> {
    let body = first(query).map(|(_, body)| body.get("query").and_then(first).map_or(body, |(_, body)| body));
    let mut filters = body.into_iter().flat_map(|body| clauses(body, "filter"));
    match filters.find_map(|filter| filter.pointer("/term/scope")?.as_str()) {
        Some(scope) => shards.get_key_value(scope).map(|(scope, shard)| (scope.as_str(), shard)).into_iter().collect(),
        None => shards.iter().map(|(scope, shard)| (scope.as_str(), shard)).collect(),
    }
}

/// The hits that the search asked for.
fn page<'a>(mut hits: Vec<Hit<'a>>, body: &Value) -> Vec<Hit<'a>> {
    let order = clauses(body, "sort");
    if let Some(after) = body.get("search_after").and_then(Value::as_array) {
        hits.retain(|hit| is_after(hit, order, after));
    }
    let number = |name: &str, default| {
        usize::try_from(body.get(name).and_then(Value::as_u64).unwrap_or(default)).unwrap_or(usize::MAX)
    };
    let (from, size) = (number("from", 0), number("size", DEFAULT_SIZE));
    let last = from.saturating_add(size);
    if last < hits.len() {
        hits.select_nth_unstable_by(last, |one, other| compare(one, other, order));
        hits.truncate(last);
    }
    hits.sort_by(|one, other| compare(one, other, order));
    hits.into_iter().skip(from).collect()
}

/// By the fields of `order`, then by the score, then as they were written.
fn compare(one: &Hit<'_>, other: &Hit<'_>, order: &[Value]) -> Ordering {
    let by_score = || other.score.total_cmp(&one.score);
    let by = |key: &Value| match first(key) {
        Some((field, _)) => text(one, field).cmp(text(other, field)),
        None => by_score(),
    };
    let ordered = order.iter().map(by).find(|ordering| ordering.is_ne());
    ordered.unwrap_or_else(|| by_score().then(one.document.cmp(&other.document)))
}

fn is_after(hit: &Hit<'_>, order: &[Value], after: &[Value]) -> bool {
    let fields = order.iter().filter_map(first);
    let compared =
        fields.zip(after).map(|((field, _), after)| text(hit, field).cmp(after.as_str().unwrap_or_default()));
    compared.fold(Ordering::Equal, Ordering::then) == Ordering::Greater
}

fn text<'a>(hit: &Hit<'a>, field: &str) -> &'a str {
    match field {
        "scope" => hit.scope,
        "path" => hit.path,
        _ => "",
    }
}

fn hit_json(hit: &Hit<'_>, evaluation: &Evaluation<'_>, body: &Value) -> Option<String> {
    let (shard, score) = (evaluation.shard, hit.score);
    let document = shard.documents.get(hit.document)?;
    let source = document.source.json(body.get("_source"));
    let mut inner = Vec::new();
    for hits in &evaluation.inner {
        let scored = document.passages.clone().enumerate();
        let mut found: Vec<(usize, usize, f64)> =
            scored.filter_map(|(offset, passage)| Some((offset, passage, hits.scores.get(passage)?))).collect();
        found.sort_by(|(.., one), (.., other)| other.total_cmp(one));
        let size = hits.wanted.get("size").and_then(Value::as_u64).unwrap_or(DEFAULT_INNER_SIZE);
        let passages = found.into_iter().take(usize::try_from(size).unwrap_or(usize::MAX));
        let passages = passages.filter_map(|(offset, passage, score)| {
            let source = shard.passages.get(passage)?.source.json(hits.wanted.get("_source"));
            Some(format!(
                r#"{{"_nested":{{"field":"passages","offset":{offset}}},"_score":{score},"_source":{source}}}"#
            ))
        });
        let name = hits.wanted.get("name").and_then(Value::as_str).unwrap_or("passages");
        inner.push(format!(r#""{name}":{{"hits":{{"hits":[{}]}}}}"#, passages.collect::<Vec<_>>().join(",")));
    }
    Some(format!(r#"{{"_score":{score},"_source":{source},"inner_hits":{{{}}}}}"#, inner.join(",")))
}

/// The aggregations `wanted` over the documents or passages `within`.
fn aggregate(shard: &Shard, wanted: &Value, within: &[bool]) -> Value {
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

/// The suggestions for each of `wanted`, by its name.
fn suggest<'a>(shards: impl Iterator<Item = &'a Shard> + Clone, wanted: &Value) -> Value {
    let wanted = wanted.as_object().into_iter().flatten();
    Value::Object(wanted.map(|(name, one)| (name.clone(), suggestion(shards.clone(), one))).collect::<Map<_, _>>())
}

fn suggestion<'a>(shards: impl Iterator<Item = &'a Shard>, wanted: &Value) -> Value {
    let number = |name: &str| {
        let number = wanted.pointer(&format!("/term/{name}")).and_then(Value::as_u64);
        usize::try_from(number.unwrap_or_default()).unwrap_or_default()
    };
    let text = wanted.get("text").and_then(Value::as_str).unwrap_or_default();
    let (edits, kept) = (number("max_edits"), number("prefix_length"));
    let kept: String = text.chars().take(kept).collect();
    let rest = text.strip_prefix(&kept).unwrap_or_default();
    let length = rest.chars().count();
    let mut near: Vec<(usize, &str, u64)> = Vec::new();
    for shard in shards {
        let known = shard.vocabulary(&kept).filter(|(word, _)| *word != text);
        near.extend(known.filter_map(|(word, freq)| {
            // The beginning that both share makes no difference.
            let other = word.strip_prefix(&kept)?;
            let may_be_near = other.chars().count().abs_diff(length) <= edits;
            let distance = may_be_near.then(|| strsim::osa_distance(other, rest))?;
            (distance <= edits).then_some((distance, word, freq))
        }));
    }
    near.sort_by_key(|(edits, _, freq)| (*edits, std::cmp::Reverse(*freq)));
    let options = near.into_iter().take(number("size")).map(|(_, word, freq)| json!({"text": word, "freq": freq}));
    json!([{"text": text, "options": options.collect::<Vec<_>>()}])
}
