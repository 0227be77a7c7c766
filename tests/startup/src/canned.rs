//! Canned replies of the services: an index whose one entry fits every question, a secret of widget keys, and queues
//! that take everything.

use axum::Json;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The answers of the index to any searches, each a line below the line of its parameters.
pub(crate) async fn search(request: String) -> Json<Value> {
    let searches = request.lines().skip(1).step_by(2).map(|search| answer(&serde_json::from_str(search).unwrap()));
    Json(json!({"responses": searches.collect::<Vec<Value>>()}))
}

/// The answer to a search: the tenant of the request has one entry that contains every word. A request
/// without a tenant, which opens the connection, gets no hits.
fn answer(request: &Value) -> Value {
    let Some(scope) = find(request, "scope", Value::is_string) else {
        return json!({"status": 200, "timed_out": false, "hits": {"total": {"value": 0}, "hits": []}});
    };
    let text = "To reset your password, open the sign-in page and choose \"Forgot password\".";
    let entry = json!({
        "path": "faq/password", "title": "Reset your password", "content": text, "visibility": "public", "tags": [],
        "version": 1, "createdAt": "2026-01-02T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z",
        "createdBy": "key", "updatedBy": "key", "source": {"type": "manual"},
    });
    let passage = json!({
        "_nested": {"field": "passages", "offset": 0},
        "_source": {"text": text, "terms": "reset password open sign in page choose forgot password"},
    });
    let hit = json!({
        "_score": 9.5, "_source": {"scope": scope, "entry": entry, "titleTerms": "reset password"},
        "inner_hits": {"words": {"hits": {"hits": [passage]}}},
    });
    json!({
        "status": 200, "timed_out": false, "hits": {"total": {"value": 1}, "hits": [hit]},
        "aggregations": {"corpus": {"scope": {
            "doc_count": 40, "titleLength": {"value": 3.0}, "titles": buckets(request, "titles"),
            "passages": {
                "doc_count": 80, "length": {"value": 20.0}, "bigramLength": {"value": 19.0},
                "words": buckets(request, "words"), "bigrams": buckets(request, "bigrams"),
            },
        }}},
    })
}

/// One count for each filter of the aggregation `name` in `request`.
fn buckets(request: &Value, name: &str) -> Value {
    let filters =
        find(request, name, Value::is_object).and_then(|aggregation| aggregation["filters"]["filters"].as_array());
    let counts = filters.map(|filters| vec![json!({"doc_count": 2}); filters.len()]);
    json!({"buckets": counts.unwrap_or_default()})
}

/// The first value of a kind under `key` anywhere in `value`.
fn find<'a>(value: &'a Value, key: &str, is_kind: fn(&Value) -> bool) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => {
            let here = fields.get(key).filter(|found| is_kind(found));
            here.or_else(|| fields.values().find_map(|inner| find(inner, key, is_kind)))
        }
        Value::Array(items) => items.iter().find_map(|inner| find(inner, key, is_kind)),
        _ => None,
    }
}

/// The answer of every other service.
pub(crate) async fn other(headers: HeaderMap) -> Response {
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
    if target.ends_with("GetSecretValue") {
        let secret = json!({"kid": "k1", "secret": "0123456789abcdef".repeat(4)}).to_string();
        return Json(json!({"ARN": "arn", "Name": "keys", "SecretString": secret})).into_response();
    }
    Json(json!({"MessageId": "1"})).into_response()
}
