//! A search domain as far as the adapter asks: it keeps documents, and finds every one of a tenant by any words.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::request::Signed;

/// The domain. For each function it has no index at first, and then one that was made meanwhile, so that each sends
/// every request of an empty domain, too.
#[derive(Debug, Default)]
pub(crate) struct SearchStandIn {
    documents: BTreeMap<String, Value>,
    asked_by: BTreeSet<String>,
    /// While it is set, no document can be written.
    pub(crate) refuses_writes: bool,
    /// While it is set, nothing is found.
    pub(crate) finds_nothing: bool,
}

impl SearchStandIn {
    pub(crate) fn answer(&mut self, request: &Signed) -> Response {
        let path = request.uri.path();
        if request.method == Method::HEAD {
            return StatusCode::OK.into_response();
        }
        if request.method == Method::PUT && !path.ends_with("/_mapping") {
            return (StatusCode::BAD_REQUEST, Json(json!({}))).into_response();
        }
        if path.contains("-next/") {
            // As during a rebuild of the index: each write goes here, too.
            return Json(json!({"acknowledged": true})).into_response();
        }
        if self.asked_by.insert(request.function.clone()) {
            let missing = json!({"error": {"type": "index_not_found_exception"}});
            return (StatusCode::NOT_FOUND, Json(missing)).into_response();
        }
        if path.ends_with("/_msearch") {
            let lines = serde_json::Deserializer::from_slice(&request.body).into_iter::<Value>();
            let found: Vec<Value> = lines.skip(1).step_by(2).map(|query| self.found(&query.unwrap())).collect();
            return Json(json!({"responses": found})).into_response();
        }
        if self.refuses_writes && path.contains("/_doc/") {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        if let Some((_, id)) = path.split_once("/_doc/") {
            self.documents.insert(id.to_owned(), request.json());
        }
        Json(json!({"acknowledged": true, "deleted": 0})).into_response()
    }

    fn found(&self, query: &Value) -> Value {
        let scored = query["query"].get("script_score").map_or(&query["query"], |scored| &scored["query"]);
        let filters = scored["bool"]["filter"].as_array().cloned().unwrap_or_default();
        let scope = filters.iter().find_map(|filter| filter["term"].get("scope"));
        let space = query["query"]["bool"]["must_not"][0]["term"].get("embeddingSpace");
        let is_wanted = |document: &&Value| {
            !self.finds_nothing
                && document["deleted"] == false
                && scope.is_none_or(|scope| document["scope"] == *scope)
                && space.is_none_or(|space| document["embeddingSpace"] != *space)
        };
        let hits: Vec<Value> = self.documents.values().filter(is_wanted).map(hit).collect();
        let size = usize::try_from(query["size"].as_u64().unwrap_or(10)).unwrap();
        let shown: Vec<&Value> = hits.iter().take(size).collect();
        let mut answer =
            json!({"status": 200, "timed_out": false, "hits": {"total": {"value": hits.len()}, "hits": shown}});
        if let Some(counts) = query["aggs"]["corpus"]["aggs"].get("scope") {
            answer["aggregations"] = json!({"corpus": {"scope": self.counts(&counts["aggs"])}});
        }
        answer
    }

    /// A large tenant in which every word of the question is rare.
    fn counts(&self, asked: &Value) -> Value {
        let each = |of: &Value| {
            let filters = of["filters"]["filters"].as_array().map_or(0, Vec::len);
            json!({"buckets": vec![json!({"doc_count": 1}); filters]})
        };
        let passages = &asked["passages"]["aggs"];
        json!({
            "doc_count": 100 + self.documents.len(),
            "titleLength": {"value": 2.0},
            "titles": each(&asked["titles"]),
            "words": each(&asked["words"]),
            "passages": {
                "doc_count": 100,
                "length": {"value": 8.0},
                "bigramLength": {"value": 7.0},
                "words": each(&passages["words"]),
                "bigrams": each(&passages["bigrams"]),
            },
        })
    }
}

/// A document as it is found: with its first passage, by words and by vectors.
fn hit(document: &Value) -> Value {
    let passages = json!({"hits": {"hits": [{"_nested": {"offset": 0}, "_source": document["passages"][0]}]}});
    json!({"_score": 9.0, "_source": document, "inner_hits": {"words": passages, "vectors": passages}})
}
