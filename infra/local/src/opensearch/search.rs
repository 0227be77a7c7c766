//! A search: the hits in their order, one page of them, counts and suggestions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::counts::aggregate;
use super::query::{Evaluation, clauses, first};
use super::shard::Shard;
use super::suggestions::suggest;

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
        r#"{{"timed_out":false,"hits":{{"total":{{"value":{total},"relation":"eq"}},"hits":[{}]}}"#,
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
