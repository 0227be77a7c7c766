//! A search: the hits in their order, one page of them, counts and suggestions.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::counts::aggregate;
use super::document::Document;
use super::query::{Corpus, InnerHits, Place};
use super::suggestions::suggest;

/// The hits of a search that names no number.
const DEFAULT_SIZE: u64 = 10;

struct Hit<'a> {
    id: &'a str,
    document: &'a Document,
    score: f64,
    inner: InnerHits,
}

/// The ids of the documents that the query of `body` matches.
pub(super) fn matching(documents: &BTreeMap<String, Document>, body: &Value) -> Vec<String> {
    hits(documents, body).into_iter().map(|hit| hit.id.to_owned()).collect()
}

/// The response to a search.
pub(super) fn search(documents: &BTreeMap<String, Document>, body: &Value) -> Value {
    let mut hits = hits(documents, body);
    let total = hits.len();
    let order: Vec<&Value> = body.get("sort").and_then(Value::as_array).into_iter().flatten().collect();
    hits.sort_by(|one, other| compare(one, other, &order));
    if let Some(after) = body.get("search_after").and_then(Value::as_array) {
        hits.retain(|hit| is_after(hit, &order, after));
    }
    let number = |name: &str, default| {
        usize::try_from(body.get(name).and_then(Value::as_u64).unwrap_or(default)).unwrap_or(usize::MAX)
    };
    let page = hits.into_iter().skip(number("from", 0)).take(number("size", DEFAULT_SIZE));
    let page = page.map(
        |hit| json!({"_id": hit.id, "_score": hit.score, "_source": hit.document.source, "inner_hits": hit.inner}),
    );
    let page: Vec<Value> = page.collect();
    let mut response = json!({"timed_out": false, "hits": {"total": {"value": total, "relation": "eq"}, "hits": page}});
    if let Some(fields) = response.as_object_mut() {
        if let Some(wanted) = body.get("aggs") {
            fields.insert("aggregations".to_owned(), aggregate(&Corpus::new(documents), wanted, &[]));
        }
        if let Some(wanted) = body.get("suggest") {
            fields.insert("suggest".to_owned(), suggest(documents, wanted));
        }
    }
    response
}

fn hits<'a>(documents: &'a BTreeMap<String, Document>, body: &Value) -> Vec<Hit<'a>> {
    let everything = json!({"match_all": {}});
    let query = body.get("query").unwrap_or(&everything);
    let corpus = Corpus::new(documents);
    let hit = |(id, document): (&'a String, &'a Document)| {
        let mut inner = InnerHits::new();
        let score = corpus.score(query, Place { document, passage: None }, &mut inner)?;
        Some(Hit { id, document, score, inner })
    };
    documents.iter().filter_map(hit).collect()
}

/// By the fields of `order`, without one by the score.
fn compare(one: &Hit<'_>, other: &Hit<'_>, order: &[&Value]) -> Ordering {
    let by_score = || other.score.total_cmp(&one.score);
    let by = |key: &&Value| match key.as_object().and_then(|key| key.keys().next()) {
        Some(field) => text(one, field).cmp(text(other, field)),
        None => by_score(),
    };
    order
        .iter()
        .map(by)
        .find(|ordering| ordering.is_ne())
        .unwrap_or_else(|| if order.is_empty() { by_score() } else { Ordering::Equal })
}

fn is_after(hit: &Hit<'_>, order: &[&Value], after: &[Value]) -> bool {
    let fields = order.iter().filter_map(|key| key.as_object()?.keys().next());
    let compared = fields.zip(after).map(|(field, after)| text(hit, field).cmp(after.as_str().unwrap_or_default()));
    compared.fold(Ordering::Equal, Ordering::then) == Ordering::Greater
}

fn text<'a>(hit: &Hit<'a>, field: &str) -> &'a str {
    hit.document.fields().value(field).and_then(Value::as_str).unwrap_or_default()
}
