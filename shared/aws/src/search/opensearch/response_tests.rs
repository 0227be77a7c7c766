//! Responses of OpenSearch: as they are, incomplete, foreign and generated.

use serde_json::{Value, json};

use super::*;
use answer::search::VisibilityFilter;
use domain::models::{Mode, Scope, TenantId, Timestamp, Visibility};
use text::{Analyzer, Language};

fn scope(number: u128) -> Scope {
    Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), number), mode: Mode::Live }
}

fn hit(scope: &Scope, visibility: Visibility) -> Value {
    json!({"_score": 1.5, "_source": {"scope": scope_text(scope), "entry": {
        "path": "a/b", "title": "T", "content": "C", "visibility": visibility, "tags": [], "version": 1,
        "createdAt": "2026-01-02T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z",
        "createdBy": "key", "updatedBy": "key", "source": {"type": "manual"},
    }}})
}

fn answer(hits: &[Value]) -> SearchResponse {
    serde_json::from_value(json!({"timed_out": false, "hits": {"total": {"value": hits.len()}, "hits": hits}})).unwrap()
}

#[test]
fn a_hit_of_another_tenant_or_visibility_is_dropped() {
    let ours = scope(1);
    let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::Only(Visibility::Public), without: &[] };
    let hits = [
        hit(&ours, Visibility::Public),
        hit(&scope(2), Visibility::Public),
        hit(&Scope { mode: Mode::Test, ..scope(1) }, Visibility::Public),
        hit(&ours, Visibility::Internal),
    ];
    assert_eq!(answer(&hits).entries(within).unwrap().items.len(), 1);
}

#[test]
fn fuzzed_responses() {
    let ours = scope(1);
    let passage = json!({"_nested": {"offset": 0}, "_source": {"text": "C", "terms": "c d", "vector": "AACAPwAAAAA="}});
    let mut best = hit(&ours, Visibility::Public);
    best["inner_hits"] = json!({"words": {"hits": {"hits": [passage]}}, "vectors": {"hits": {"hits": [passage]}}});
    let foreign = hit(&scope(2), Visibility::Public);
    let mean = json!({"value": 2.5});
    let buckets = json!({"buckets": [{"doc_count": 1}]});
    let prefix =
        &ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] }.vocabulary_prefixes()[0];
    let response = json!({
        "timed_out": false, "hits": {"total": {"value": 2}, "hits": [best, foreign]},
        "aggregations": {"corpus": {"scope": {"doc_count": 1, "titleLength": mean, "titles": buckets, "passages": {
            "doc_count": 1, "length": mean, "bigramLength": mean, "words": buckets, "bigrams": {"buckets": []}}}}},
        "suggest": {"0.0": [{"options": [{"text": format!("{prefix}refund"), "freq": 3}]}]},
    });
    let query = || Analyzer::new(Language::English).query("refund");
    let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] };
    let read: SearchResponse = serde_json::from_value(response.clone()).unwrap();
    assert_eq!(read.retrieval(within, &query(), None).unwrap().1.len(), 1);
    fuzz::mutations!(response, |value: &Value| {
        let ours = scope(1);
        let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::Only(Visibility::Public), without: &[] };
        let read = || serde_json::from_value::<SearchResponse>(value.clone()).ok();
        let query = Analyzer::new(Language::English).query("refund");
        if let Some(Ok((stats, hits))) = read().map(|read| read.retrieval(within, &query, None)) {
            assert_eq!(stats.word_df.len(), query.distinct.len());
            assert!(hits.iter().all(|hit| hit.candidate.visibility == Visibility::Public && hit.places.len() <= 2));
        }
        if let Some(Ok(page)) = read().map(|read| read.entries(within)) {
            assert!(page.items.iter().all(|hit| hit.entry.visibility == Visibility::Public));
        }
        let near = read().map(|read| read.near_words(within, &["refnd".to_owned()]));
        assert!(near.is_none_or(|near| near.is_ok_and(|words| words.len() == 1) || value["timed_out"] == true));
        let addresses = serde_json::from_value::<SearchResponse<Address>>(value.clone()).map(SearchResponse::addresses);
        drop(addresses);
    });
}

#[test]
fn an_answer_cut_short_or_without_counts_is_no_answer() {
    let ours = scope(1);
    let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] };
    let mut late = answer(&[]);
    late.timed_out = true;
    assert!(late.entries(within).is_err());
    assert!(answer(&[]).retrieval(within, &QueryTerms::default(), None).is_err());
}
