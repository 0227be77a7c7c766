//! The permissions of each function on the search domain, compared with the adapter's real requests.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use answer::search::{CandidateIndex, IndexedEntry, PassageVectors, SearchIndex, VisibilityFilter};
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use axum::Router;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::models::{Embedding, EmbeddingSpace};
use serde_json::{Value, json};

use super::document::{functions, resources, texts};
use crate::search_adapters::{indexed, listing, new_scope};

/// The functions that write documents; of these the sweeper also removes what was deleted long ago.
const WRITERS: [&str; 5] = ["wiki", "changes", "sweeper", "ingest-worker", "embedding-worker"];
const REMOVER: &str = "sweeper";
/// The function that writes vectors, and the one that counts the entries without.
const EMBEDDER: &str = "embedding-worker";
const COUNTER: &str = "health";

/// An IAM action on a resource under the domain: `es:ESHttpPost` on `wiki/_search`.
type Right = (String, String);

/// A search domain that writes down what it is asked. It has no index at first, and then never one that can be made
/// twice, so that every request of an empty domain is sent too.
async fn recording_domain() -> (String, Arc<Mutex<BTreeSet<Right>>>) {
    let recorded = Arc::new(Mutex::new(BTreeSet::new()));
    let record = recorded.clone();
    let answer = move |request: Request| {
        let first = record.lock().unwrap().insert(right(request.method(), request.uri().path()));
        async move { reply(request.method(), first) }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, Router::new().fallback(answer)).await });
    (url, recorded)
}

fn right(method: &Method, path: &str) -> Right {
    let verb = method.as_str();
    let action = format!("es:ESHttp{}{}", &verb[..1], verb[1..].to_lowercase());
    let resource = match path.trim_start_matches('/').split_once("/_doc/") {
        Some((alias, _)) => format!("{alias}/_doc/*"),
        None => path.trim_start_matches('/').to_owned(),
    };
    (action, resource)
}

fn reply(method: &Method, first: bool) -> Response {
    let missing = json!({"error": {"type": "index_not_found_exception"}});
    match *method {
        Method::HEAD => StatusCode::OK.into_response(),
        Method::PUT => (StatusCode::BAD_REQUEST, axum::Json(json!({}))).into_response(),
        _ if first => (StatusCode::NOT_FOUND, axum::Json(missing)).into_response(),
        _ => axum::Json(json!({})).into_response(),
    }
}

/// The rights that a function needs for its calls: to search, to write too, to remove too. What becomes of a call is
/// not looked at: the recording domain answers nothing of use.
async fn needed(function: &str) -> BTreeSet<Right> {
    let (url, recorded) = recording_domain().await;
    let index = OpenSearchIndex::connect(OpenSearchSettings::unsigned(url)).unwrap();
    let (scope, entry, listed) = (new_scope(), indexed("a/b", "Title", "Text."), listing("text"));
    index.ping().await.ok();
    index.retrieve(&scope, &listed.terms, None, VisibilityFilter::All).await.ok();
    index.search(&scope, &listed).await.ok();
    if WRITERS.contains(&function) {
        index.put(&scope, &entry).await.ok();
        index.replace(&scope, &entry).await.ok();
        index.delete(&scope, &entry.entry.path, 2, entry.entry.updated_at).await.ok();
    }
    if function == EMBEDDER {
        index.replace(&scope, &embedded(entry.clone())).await.ok();
    }
    if function == COUNTER {
        index.count_without_vectors(&EmbeddingSpace::of("model", 1, "")).await.ok();
    }
    if function == REMOVER {
        index.purge_deleted(entry.entry.updated_at).await.ok();
    }
    let rights = recorded.lock().unwrap().clone();
    assert!(rights.iter().any(|(_, resource)| resource.ends_with("/_search")), "{function}: {rights:?}");
    rights
}

/// An entry with a vector of its one passage.
fn embedded(mut entry: IndexedEntry) -> IndexedEntry {
    let embeddings = vec![Embedding::of(&[1.0])];
    entry.vectors = Some(PassageVectors { space: EmbeddingSpace::of("model", 1, ""), embeddings });
    entry
}

/// What statements allow on the search domain: every action of a statement on every resource of it.
fn allowed<'s>(statements: impl IntoIterator<Item = &'s Value>) -> BTreeSet<Right> {
    let mut rights = BTreeSet::new();
    for statement in statements {
        let resources = match &statement["Resource"] {
            Value::Array(many) => many.clone(),
            one => vec![one.clone()],
        };
        for action in texts(&statement["Action"]).into_iter().filter(|action| action.starts_with("es:ESHttp")) {
            for resource in &resources {
                let arn = resource["Fn::Sub"].as_str().unwrap();
                rights.insert((action.clone(), arn.split_once("${SearchDomainName}/").unwrap().1.to_owned()));
            }
        }
    }
    rights
}

/// Every needed right is there; no verb and no resource is that nothing needs.
fn assert_just_enough(whose: &str, has: &BTreeSet<Right>, needed: &BTreeSet<Right>) {
    let missing: Vec<_> = needed.difference(has).collect();
    assert!(missing.is_empty(), "{whose} may not {missing:?}");
    let verbs = |rights: &BTreeSet<Right>| rights.iter().map(|right| right.0.clone()).collect::<BTreeSet<_>>();
    let resources = |rights: &BTreeSet<Right>| rights.iter().map(|right| right.1.clone()).collect::<BTreeSet<_>>();
    assert_eq!((verbs(has), resources(has)), (verbs(needed), resources(needed)), "{whose} may do more than it does");
    for (verb, resource) in has.iter().filter(|(_, resource)| resource.contains("_doc") || resource.contains("_delete"))
    {
        assert!(needed.contains(&(verb.clone(), resource.clone())), "{whose} may {verb} {resource} and never does");
    }
}

#[tokio::test]
async fn a_function_may_send_the_requests_that_the_search_adapter_sends_for_it() {
    for (name, function) in functions() {
        let has = allowed(&function.statements());
        if !function.environment().contains_key("SEARCH_ENDPOINT") {
            assert!(has.is_empty(), "{name} has no search and may use it");
            continue;
        }
        assert_just_enough(&name, &has, &needed(&name).await);
    }
}

#[tokio::test]
async fn the_search_domain_lets_each_role_send_these_requests() {
    let domains = resources("AWS::OpenSearchService::Domain");
    let policies = domains
        .values()
        .flat_map(|domain| domain["Properties"]["AccessPolicies"]["Statement"].as_array().unwrap().clone());
    let policies: Vec<Value> = policies.collect();
    for (name, function) in functions() {
        if !function.environment().contains_key("SEARCH_ENDPOINT") {
            continue;
        }
        let role = format!("\"{}Role.Arn\"", function.id);
        let its = policies.iter().filter(|statement| statement["Principal"].to_string().contains(&role));
        assert_just_enough(&name, &allowed(its), &needed(&name).await);
    }
}
