//! The part of OpenSearch that the service's adapter uses, for functions that run in processes of their own: documents
//! with external versions, searches, and the removal of tombstones.
//!
//! It keeps documents in memory and looks at each of them for every search, which is fast enough for a wiki of a
//! developer. The index exists from the start. `query` evaluates queries, `counts` aggregations, `suggestions` similar
//! words.

mod counts;
mod document;
mod query;
mod search;
mod suggestions;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use http::{Method, StatusCode};
use serde_json::{Value, json};

use document::Document;

/// The index.
#[derive(Debug, Default)]
pub struct OpenSearchSubset {
    /// By id.
    documents: Mutex<BTreeMap<String, Document>>,
}

/// The response to a request: its status and its JSON.
pub type SubsetResponse = (StatusCode, Value);

impl OpenSearchSubset {
    /// Answers the request with this path and query, such as `/wiki/_search`.
    pub fn answer(&self, method: &Method, path: &str, query: &str, body: &[u8]) -> SubsetResponse {
        let body: Value = match body {
            [] => Value::Null,
            body => match serde_json::from_slice(body) {
                Ok(body) => body,
                Err(_) => return failed(StatusCode::BAD_REQUEST, "parse_exception"),
            },
        };
        let segments: Vec<&str> = path.trim_matches('/').splitn(3, '/').collect();
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        // No other process rebuilds this index.
        if segments.first().is_some_and(|name| name.ends_with("-next")) {
            return failed(StatusCode::NOT_FOUND, "index_not_found_exception");
        }
        match (method, segments.as_slice()) {
            (&Method::PUT, [_]) => failed(StatusCode::BAD_REQUEST, "resource_already_exists_exception"),
            (&Method::HEAD, ["_alias", _]) => (StatusCode::OK, Value::Null),
            (&Method::PUT, [_, "_mapping"]) => (StatusCode::OK, json!({"acknowledged": true})),
            (_, [_, "_refresh"]) => (StatusCode::OK, json!({"_shards": {"failed": 0}})),
            (&Method::PUT | &Method::POST, [alias, "_doc", id]) => write(&mut documents, (alias, id), query, body),
            (&Method::POST, [_, "_search"]) => (StatusCode::OK, search::search(&documents, &body)),
            (&Method::POST, [_, "_delete_by_query"]) => delete(&mut documents, &body),
            _ => failed(StatusCode::NOT_FOUND, "not_in_this_subset"),
        }
    }
}

fn failed(status: StatusCode, kind: &str) -> SubsetResponse {
    (status, json!({"error": {"type": kind}, "status": status.as_u16()}))
}

/// Writes a document under an external version; with `external_gte` also over the same version.
fn write(
    documents: &mut BTreeMap<String, Document>,
    (alias, id): (&str, &str),
    query: &str,
    body: Value,
) -> SubsetResponse {
    let parameter = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let Some(version) = parameter("version").and_then(|version| version.parse::<u64>().ok()) else {
        return failed(StatusCode::BAD_REQUEST, "action_request_validation_exception");
    };
    let same_is_newer = parameter("version_type") == Some("external_gte");
    if let Some(known) = documents.get(id)
        && (known.version > version || known.version == version && !same_is_newer)
    {
        return failed(StatusCode::CONFLICT, "version_conflict_engine_exception");
    }
    documents.insert(id.to_owned(), Document::new(version, body));
    (StatusCode::CREATED, json!({"_index": format!("{alias}-v1"), "_version": version, "result": "created"}))
}

fn delete(documents: &mut BTreeMap<String, Document>, body: &Value) -> SubsetResponse {
    let before = documents.len();
    let matching = search::matching(documents, body);
    for id in matching {
        documents.remove(&id);
    }
    (StatusCode::OK, json!({"deleted": before - documents.len(), "failures": []}))
}
