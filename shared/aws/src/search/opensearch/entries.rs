//! Full-text search over whole entries, in two requests: the counts of what the caller may see, then a page that a
//! script scores by them. OpenSearch's own score is made of the counts of a shard, in which every tenant's entries are.

use serde::Deserialize;
use serde_json::{Value, json};

use super::query::{ScopeFilter, TIMEOUT, containing_each, entry_filters};
use super::response::{Buckets, Mean, incomplete, stats};
use answer::search::{B, BIGRAM_WEIGHT, Bm25, EntryQuery, FieldStats, K1, TITLE_WEIGHT};
use domain::models::Scope;
use text::QueryTerms;

/// The aggregations of [`counts`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryBuckets {
    #[serde(rename = "doc_count")]
    entries: u64,
    title_length: Mean,
    titles: Buckets,
    words: Buckets,
}

/// A tenant's counts for a full-text search.
#[derive(Debug, PartialEq)]
pub(super) struct EntryCounts {
    /// Entries and the mean length of their titles.
    titles: FieldStats,
    /// Document frequency among entries of each term.
    word_df: Vec<u64>,
    /// Document frequency among titles of each term.
    title_df: Vec<u64>,
}

impl EntryBuckets {
    /// The counts, which must be those of `query`.
    pub(super) fn counts_for(self, query: &QueryTerms) -> domain::Result<EntryCounts> {
        let titles = stats(self.entries, &self.title_length);
        let (word_df, title_df) = (self.words.into_counts(), self.titles.into_counts());
        if (word_df.len(), title_df.len()) != (query.distinct.len(), query.distinct.len()) {
            return Err(incomplete("counts of another question"));
        }
        Ok(EntryCounts { titles, word_df, title_df })
    }
}

/// The tenant's counts for a full-text search, of the entries that this caller may see.
pub(super) fn counts(within: ScopeFilter<'_>, query: &QueryTerms) -> Value {
    let each = json!({
        "filter": {"bool": {"filter": within.filters()}},
        "aggs": {
            "titleLength": {"avg": {"field": "titleLength"}},
            "titles": containing_each("titleTerms", query),
            "words": containing_each("allTerms", query),
        },
    });
    json!({
        "size": 0,
        "timeout": TIMEOUT,
        "track_total_hits": false,
        "query": {"bool": {"filter": within.filters()}},
        "aggs": {"corpus": {"global": {}, "aggs": {"scope": each}}},
    })
}

/// [`answer::search::SearchIndex::search`]'s score of an entry.
const ENTRY_SCORE: &str = "
double score = 0;
double norm = params.k1 * (1 - params.b + params.b * doc['titleLength'].value / params.meanTitle);
for (int i = 0; i < params.terms.length; i++) {
  double whole = termFreq('allTerms', params.terms[i]);
  double title = termFreq('titleTerms', params.terms[i]);
  score += params.wholeWeights[i] * whole * (params.k1 + 1) / (whole + params.k1)
    + params.titleWeights[i] * title * (params.k1 + 1) / (title + norm);
}
return score;";

/// One page of the search. `query` has at least one term.
pub(super) fn page(scope: &Scope, query: &EntryQuery, counts: &EntryCounts) -> Value {
    let terms = &query.terms;
    let mut filters = entry_filters(scope, &query.filter);
    let has_one = terms.distinct.iter().map(|word| json!({"term": {"allTerms": word}})).collect::<Vec<_>>();
    filters.push(json!({"bool": {"should": has_one, "minimum_should_match": 1}}));
    let asked = terms.search_weights(BIGRAM_WEIGHT).0;
    let weights = |field: FieldStats, df: &[u64], weight: f64| -> Vec<f64> {
        df.iter().zip(&asked).map(|(df, asked)| weight * asked * Bm25::new(field).idf(*df)).collect()
    };
    let mean = counts.titles.mean_length;
    let params = json!({
        "k1": K1,
        "b": B,
        "meanTitle": if mean > 0.0 { mean } else { 1.0 },
        "terms": terms.distinct,
        "wholeWeights": weights(counts.titles, &counts.word_df, 1.0),
        "titleWeights": weights(counts.titles, &counts.title_df, TITLE_WEIGHT),
    });
    json!({
        "from": query.offset,
        "size": query.limit,
        "timeout": TIMEOUT,
        "track_total_hits": true,
        "_source": ["scope", "entry"],
        "sort": ["_score", {"path": "asc"}],
        "query": {"script_score": {
            "query": {"bool": {"filter": filters}},
            "script": {"source": ENTRY_SCORE, "params": params},
        }},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::search::{EntryFilter, VisibilityFilter};
    use domain::models::{Mode, TenantId, Timestamp, Visibility};

    #[test]
    fn counts_and_page_are_held_to_tenant_mode_not_deleted_and_visibility() {
        let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live };
        let terms = QueryTerms::new(["gift", "card", "gift"].map(str::to_owned));
        let visibility = VisibilityFilter::Only(Visibility::Public);
        let asked = counts(ScopeFilter { scope: &scope, visibility, without: &[] }, &terms);
        let here = json!([
            {"term": {"scope": format!("{}#live", scope.tenant)}},
            {"term": {"deleted": false}},
            {"term": {"visibility": "public"}},
        ]);
        assert_eq!(asked["query"]["bool"]["filter"], here);
        assert_eq!(asked["aggs"]["corpus"]["aggs"]["scope"]["filter"]["bool"]["filter"], here);
        let filter = EntryFilter { visibility, tag: Some("a* OR b".into()), path_prefix: None };
        let counts = EntryCounts {
            titles: FieldStats { count: 2, mean_length: 1.5 },
            word_df: vec![1, 2],
            title_df: vec![0, 1],
        };
        let asked = page(&scope, &EntryQuery { terms, filter, offset: 40, limit: 20 }, &counts);
        let filters = asked["query"]["script_score"]["query"]["bool"]["filter"].as_array().unwrap();
        assert_eq!(filters[..3], here.as_array().unwrap()[..]);
        assert_eq!(filters[3], json!({"term": {"tags": "a* OR b"}}));
        let params = &asked["query"]["script_score"]["script"]["params"];
        assert_eq!([&params["k1"], &params["b"]], [&json!(K1), &json!(B)]);
        let idf = |df| Bm25::new(counts.titles).idf(df);
        assert_eq!(
            params["wholeWeights"],
            json!([2.0 * idf(1), idf(2)]),
            "a repeated word weighs as often as it stands"
        );
        assert_eq!(params["titleWeights"], json!([0.25 * 2.0 * idf(0), 0.25 * idf(1)]));
    }
}
