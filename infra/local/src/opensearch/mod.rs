//! The part of OpenSearch that the service's adapter uses: documents with external versions, searches, and the removal of
//! tombstones.
//!
//! The index is in memory and is made from the table at each start. `shard` keeps the documents of a tenant and mode and
//! where their terms are, so a search looks at those that have its words. `query` evaluates queries, and `search` makes
//! the response. The index exists from the start, and a write is searchable when it returns.

mod query;
mod search;
mod shard;

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use async_trait::async_trait;
use aws::search::opensearch::{AnswerRequests, OpenSearchReply, OpenSearchRequest};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use shard::Shard;

/// Settings and mapping of the index.
const WIKI_INDEX: &str = include_str!("../../../search/wiki-index.json");

/// The index.
#[derive(Debug, Default)]
pub struct OpenSearchSubset {
    /// By `tenant#mode`.
    shards: RwLock<BTreeMap<String, Shard>>,
}

/// The response to a request: its status and its JSON.
pub type SubsetResponse = (StatusCode, String);

#[async_trait]
impl AnswerRequests for OpenSearchSubset {
    async fn answer(&self, request: &OpenSearchRequest) -> domain::Result<OpenSearchReply> {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let (status, body) = self.respond(&request.method, path, query, &request.body);
        Ok(OpenSearchReply { status, body: body.into_bytes() })
    }
}

impl OpenSearchSubset {
    /// The response to the request with this path and query, such as `/wiki/_msearch`.
    pub fn respond(&self, method: &Method, path: &str, query: &str, body: &[u8]) -> SubsetResponse {
        let segments: Vec<&str> = path.trim_matches('/').splitn(3, '/').collect();
        // No other process rebuilds this index.
        if segments.first().is_some_and(|name| name.ends_with("-next")) {
            return failed(StatusCode::NOT_FOUND, "index_not_found_exception");
        }
        if let (&Method::POST, [_, "_msearch"]) = (method, segments.as_slice()) {
            return self.search(body);
        }
        let body: Value = match body {
            [] => Value::Null,
            body => match serde_json::from_slice(body) {
                Ok(body) => body,
                Err(_) => return failed(StatusCode::BAD_REQUEST, "parse_exception"),
            },
        };
        match (method, segments.as_slice()) {
            (&Method::PUT, [_]) => failed(StatusCode::BAD_REQUEST, "resource_already_exists_exception"),
            (&Method::HEAD, ["_alias", _]) => (StatusCode::OK, String::new()),
            (&Method::PUT, [_, "_mapping"]) => (StatusCode::OK, json!({"acknowledged": true}).to_string()),
            (&Method::GET, [alias, "_mapping"]) => (StatusCode::OK, format!(r#"{{"{alias}-v1":{WIKI_INDEX}}}"#)),
            (&Method::GET, [_, "_refresh"]) => (StatusCode::OK, json!({"_shards": {"failed": 0}}).to_string()),
            (&Method::POST, [alias, "_doc", id]) => self.write((alias, id), query, &body),
            (&Method::POST, [_, "_delete_by_query"]) if is_evaluated(&body, true) => self.delete(&body),
            (&Method::POST, [_, "_delete_by_query"]) => failed(StatusCode::BAD_REQUEST, "parsing_exception"),
            _ => failed(StatusCode::NOT_FOUND, "not_in_this_subset"),
        }
    }

    /// Searches for each second line of `lines`, whose parameters are in the line before. As in OpenSearch, a query that
    /// cannot be read fails all.
    fn search(&self, lines: &[u8]) -> SubsetResponse {
        let lines: Result<Vec<Value>, _> = serde_json::Deserializer::from_slice(lines).into_iter().collect();
        let Ok((searches, [])) = lines.as_deref().map(<[Value]>::as_chunks::<2>) else {
            return failed(StatusCode::BAD_REQUEST, "illegal_argument_exception");
        };
        if !searches.iter().all(|[_, body]| is_evaluated(body, false)) {
            return failed(StatusCode::BAD_REQUEST, "parsing_exception");
        }
        let shards = self.shards.read().unwrap_or_else(PoisonError::into_inner);
        let responses: Vec<String> = searches.iter().map(|[_, body]| search::search(&shards, body)).collect();
        (StatusCode::OK, format!(r#"{{"responses":[{}]}}"#, responses.join(",")))
    }

    /// Writes a document under an external version; with `external_gte` also over the same version.
    fn write(&self, (alias, id): (&str, &str), query: &str, body: &Value) -> SubsetResponse {
        let parameter = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        let Some(version) = parameter("version").and_then(|version| version.parse::<u64>().ok()) else {
            return failed(StatusCode::BAD_REQUEST, "action_request_validation_exception");
        };
        let same_is_newer = parameter("version_type") == Some("external_gte");
        let scope = body.get("scope").and_then(Value::as_str).unwrap_or_default();
        let mut shards = self.shards.write().unwrap_or_else(PoisonError::into_inner);
        let shard = shards.entry(scope.to_owned()).or_default();
        if let Some(known) = shard.version(id)
            && (known > version || known == version && !same_is_newer)
        {
            return failed(StatusCode::CONFLICT, "version_conflict_engine_exception");
        }
        shard.put(id, version, body);
        let written = json!({"_index": format!("{alias}-v1"), "_version": version, "result": "created"});
        (StatusCode::CREATED, written.to_string())
    }

    /// Removes the documents that the query of `body` matches.
    fn delete(&self, body: &Value) -> SubsetResponse {
        let mut deleted = 0;
        for shard in self.shards.write().unwrap_or_else(PoisonError::into_inner).values_mut() {
            let mut matching = shard.live().to_vec();
            query::narrow(shard, body.get("query").unwrap_or(&Value::Null), &mut matching);
            let documents = query::places(&matching).filter_map(|number| shard.documents.get(number));
            let ids: Vec<String> = documents.map(|document| document.id.clone()).collect();
            ids.iter().for_each(|id| shard.remove(id));
            deleted += ids.len();
        }
        (StatusCode::OK, json!({"deleted": deleted, "failures": []}).to_string())
    }
}

fn is_evaluated(body: &Value, is_filter: bool) -> bool {
    body.get("query").is_none_or(|query| query::is_evaluated(query, is_filter))
}

fn failed(status: StatusCode, kind: &str) -> SubsetResponse {
    (status, json!({"error": {"type": kind}, "status": status.as_u16()}).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_of_a_kind_that_is_not_evaluated_is_refused_wherever_it_stands() {
        let term = json!({"term": {"scope": "t1#live"}});
        let status = |path: &str, query: &Value| {
            let line = if path.ends_with("_msearch") { "{}\n" } else { "" };
            let body = format!("{line}{}\n", json!({"query": query}));
            OpenSearchSubset::default().respond(&Method::POST, path, "", body.as_bytes()).0
        };
        let (search, delete) = ("/wiki/_msearch", "/wiki/_delete_by_query");
        let nested = json!({"nested": {"path": "passages", "query": {"bool": {"must": [term]}}}});
        let nearest = |filter: &Value| json!({"knn": {"knn_e5_3": {"vector": [1, 0, 0], "k": 1, "filter": filter}}});
        assert_eq!([search, delete].map(|path| status(path, &term)), [StatusCode::OK; 2]);
        assert_eq!([&nested, &nearest(&term)].map(|query| status(search, query)), [StatusCode::OK; 2]);
        let unknown = json!({"fuzzy": {"title": "leave"}});
        for query in [
            unknown.clone(),
            json!({"bool": {"filter": [term], "should": [unknown]}}),
            json!({"bool": {"must_not": [nested]}}),
            json!({"nested": {"path": "passages", "query": {"bool": {"must": [unknown]}}}}),
            json!({"script_score": {"query": {"bool": {"filter": [unknown]}}}}),
            nearest(&unknown),
        ] {
            assert_eq!([search, delete].map(|path| status(path, &query)), [StatusCode::BAD_REQUEST; 2], "{query}");
        }
        assert_eq!(status(delete, &nested), StatusCode::BAD_REQUEST);
    }

    #[test]
    fn searches_are_answered_together_and_half_a_search_fails_all() {
        let answer =
            |body: &str| OpenSearchSubset::default().respond(&Method::POST, "/wiki/_msearch", "", body.as_bytes());
        let (status, answered) = answer("{}\n{\"size\":0}\n{}\n{\"suggest\":{}}\n");
        let answered: Value = serde_json::from_str(&answered).unwrap();
        let responses = answered["responses"].as_array().unwrap();
        assert_eq!((status, responses.len()), (StatusCode::OK, 2));
        assert!(responses.iter().all(|response| response["status"] == 200), "{answered}");
        assert!(responses[0].get("suggest").is_none() && responses[1].get("suggest").is_some(), "{answered}");
        for broken in ["{}\n", "{}\n{\"size\":0}\n{}\n", "{}\n{\"size\"\n"] {
            assert_eq!(answer(broken).0, StatusCode::BAD_REQUEST, "{broken}");
        }
    }
}
